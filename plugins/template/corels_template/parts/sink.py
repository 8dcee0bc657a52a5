"""A sink: it is called for what a search does."""

import corels
from corels.options import Option
from corels.search import Kind, Sink


class MyPart(Sink):
    name = "my-part"
    summary = "counts the better models on the way, and says at the end how many there were"
    options = (Option.text("word", "how such a model is called", "better"),)

    def __init__(self, write, word):
        self.write, self.word, self.count = write, word, 0

    @classmethod
    def open(cls, context, options):
        return cls(context.write, options["word"])

    def events(self, records, search):
        """records: dtype `corels.search.EVENT`."""
        self.count += int((records["kind"] == Kind.INCUMBENT).sum())

    def finish(self, result):
        self.write(f"{self.word} models: {self.count}\n")


@corels.hookimpl
def register_parts(register):
    register(MyPart)
