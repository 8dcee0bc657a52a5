"""A running `corels serve`, and requests to it as plain as a stranger's."""

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

CORELS = [sys.executable, "-c", "from corels.cli import main; main()"]
FIRST = b"a,b\n" + b"1,2\n0,1\n" * 20  # uploads
SECOND = b"x,y,z\n" + b"u,0,p\nv,1,q\nw,1,q\n" * 10


class Served:
    """A server process; `path` begins with the token."""

    def __init__(self, *arguments, cwd=None, program=CORELS):
        self.process = subprocess.Popen(
            [*program, "serve", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd,
        )  # fmt: skip
        self.address = self.process.stdout.readline().strip()
        split = urlsplit(self.address)
        self.netloc, self.port, self.path = split.netloc, split.port, split.path
        self.origin = f"http://{split.netloc}"
        self.errors = []
        read = self.process.stderr
        self.reader = threading.Thread(target=lambda: self.errors.extend(read), daemon=True)
        self.reader.start()

    def close(self, how=signal.SIGINT):
        self.process.send_signal(how)
        try:
            return self.process.wait(500)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def ask(self, method, path, body=None, **headers):
        """(status, headers, body); without a header Origin unless it is given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()


class Client:
    """A page without a browser: it knows the table and the last run that it has asked for."""

    def __init__(self, served):
        self.served, self.path = served, served.path
        self.table, self.label, self.run = None, "", 1

    def post(self, name, value=b"", **headers):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        status, _, answer = self.served.ask(
            "POST", self.path + name, body, Origin=self.served.origin, **headers
        )
        return status, json.loads(answer)

    def upload(self, content, name="load", **headers):
        """(status, answer); number and label of the table are kept as the page keeps them."""
        status, said = self.post(name, content, **headers)
        self.table, self.label = said.get("number"), said.get("label")
        return status, said

    def start(self, form):
        """(status, answer) for a form, whose built-in table is loaded first; the search is then
        the one that `get` asks about."""
        asked = dict(form)
        if name := asked.pop("dataset", ""):
            self.upload(b"", f"load?dataset={name}")
        status, said = self.post("start", {"table": self.table, "label": self.label, **asked})
        self.run = said.get("run", self.run)
        return status, said

    def _stream(self):
        """What the page is told, whenever it has changed."""
        before = b""
        while True:
            told = self.served.ask("GET", f"{self.path}state")[2]
            if told != before:
                before = told
                yield json.loads(told)
            time.sleep(0.02)

    def told(self):
        """What the page is told when it is opened."""
        return next(self._stream())

    def get(self, name):
        """Of the last run: "report", "model" or "description"."""
        status, _, answer = self.served.ask("GET", f"{self.path}runs/{self.run}/{name}")
        return status, answer

    def events(self):
        """Every state of the last run until it has ended."""
        seen = []
        for told in self._stream():
            seen += [one["state"] for one in told["runs"] if one["number"] == self.run]
            if seen and seen[-1]["phase"] in ("done", "failed"):
                return seen
