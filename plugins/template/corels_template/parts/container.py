"""A queue: the prefixes that wait, for the search `best-first` of the Python backend."""

import heapq

import corels


class MyPart(corels.Queue):
    name = "my-part"
    summary = "a binary heap of (priority, number)"

    def __init__(self):
        self.heap = []

    def push(self, priorities, nodes):
        for entry in zip(priorities.tolist(), nodes, strict=True):
            heapq.heappush(self.heap, entry)

    def pop(self):
        """The number of the lowest priority; of equals the lowest number."""
        return heapq.heappop(self.heap)[1]

    def ids(self):
        return [node for _, node in self.heap]

    def retain(self, alive):
        """Forget all but these."""
        self.heap = [entry for entry in self.heap if entry[1] in alive]
        heapq.heapify(self.heap)

    def __len__(self):
        return len(self.heap)


@corels.hookimpl
def register_parts(register):
    register(MyPart)
