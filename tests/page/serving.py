"""A running `corels serve`, and requests to it as plain as a stranger's."""

import http.client
import json
import signal
import subprocess
import sys
import threading
from urllib.parse import urlsplit

CORELS = [sys.executable, "-c", "from corels.start import main; main()"]


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
        reader = threading.Thread(target=lambda: self.errors.extend(self.process.stderr))
        reader.daemon = True
        reader.start()

    def close(self):
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def ask(self, method, path, body=None, **headers):
        """(status, headers, body); without a header Origin unless it is given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()


class Client:
    """A browser without a browser: it keeps its cookie, and says where it comes from."""

    def __init__(self, served):
        self.served = served
        _, headers, self.html = served.ask("GET", served.path)
        self.cookie = headers["set-cookie"].partition(";")[0]

    def post(self, name, value=b"", **headers):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        status, _, answer = self.served.ask(
            "POST", self.served.path + name, body,
            Origin=self.served.origin, Cookie=self.cookie, **headers,
        )  # fmt: skip
        return status, json.loads(answer)

    def get(self, name):
        status, _, answer = self.served.ask("GET", self.served.path + name, Cookie=self.cookie)
        return status, answer

    def events(self):
        """Every snapshot until the search has ended."""
        _, answer = self.get("events")
        return [json.loads(line[6:]) for line in answer.decode().splitlines() if line]
