"""`corels serve`: the page while a search runs, for browsers on this machine.

Whose is what: a tab has a random name, which stands in the paths of its requests. Its table and
its runs are its own; there is nothing that two tabs share.

Who may ask: a request must name this machine as its host, carry the random token in its path and,
if it says where it comes from, come from this server; one that changes something must say so. What
may be sent: bodies up to a limit, held in memory. What is done with it: options are checked by
their tables, texts are looked up or shown, none becomes a command, a path or markup.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from corels.errors import CorelsError, OptionError
from corels.installed import need
from corels.model.printable import printable
from corels.plugins import registry
from corels.run.limits import LIMITS
from corels.tables import datasets
from corels_page.job import MODEL_FILE, NEEDED, OVER, UPLOADED, FieldError, Job, asked, in_form
from corels_page.render import LIBRARY, STYLES, asset, embedded, policy, template
from corels_page.upload import Loaded, read_upload

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HOSTS = ("127.0.0.1", "localhost", "::1")
LOOK = 0.1  # seconds between two looks at a search
MOST_TABS = 32
MOST_RUNS = 20  # of a tab that are kept
MOST_SEARCHES = 4
MOST_FORM = 100_000  # bytes
Found = TypeVar("Found")
SCRIPTS = (LIBRARY, "static/base.js", "static/runs.js", "static/serve.js")


class _RefusedError(Exception):
    """Why a request gets nothing: the status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class _Tab:
    """What one tab has here: its table and its runs, the last one last."""

    def __init__(self) -> None:
        self.uploads = 0  # how many were sent
        self.uploaded: Loaded | None = None
        self.runs: dict[int, Job] = {}
        self.started = 0

    @property
    def running(self) -> Job | None:
        """The run that is not over, if there is one: it is the last."""
        return next((job for job in self.runs.values() if job.running), None)

    def start(self, form: dict[str, Any]) -> Job:
        """Begin a search; the oldest run goes where there are too many."""
        wanted = asked(form, self.uploaded)
        self.started += 1
        self.runs[self.started] = Job(wanted, self.started)
        if len(self.runs) > MOST_RUNS:
            del self.runs[next(iter(self.runs))]
        return self.runs[self.started]

    def told(self) -> dict[str, Any]:
        """What a page that is opened again shows, JSON-ready."""
        running = self.running
        return {
            "table": None if self.uploaded is None else self.uploaded.told(),
            "runs": [job.told() for job in self.runs.values()],
            "running": None if running is None else running.number,
        }


class Server:
    """The state of one `corels serve`. most_bytes: of an upload."""

    def __init__(self, token: str, most_bytes: int) -> None:
        self.token, self.most_bytes, self.ending = token, most_bytes, False
        self._tabs: dict[str, _Tab] = {}  # the one that was used last is the last
        styles, scripts = [asset(name) for name in STYLES], [asset(name) for name in SCRIPTS]
        self._policy = (
            policy(styles, scripts) + "; connect-src 'self'; frame-src 'self'; "
            "frame-ancestors 'none'"
        )
        self._render = partial(
            template("serve.html").render,
            styles=styles,
            scripts=scripts,
            datasets=datasets(),
            solvers={name: registry().get("solver", name) for name in registry().names("solver")},
            needed=[one for name in NEEDED for one in UPLOADED if one.name == name],
            table=[one for one in UPLOADED if one.name not in NEEDED],
            limits=LIMITS,
            most_runs=MOST_RUNS,
        )

    def close(self) -> None:
        """Stop every search, and tell no browser anything more."""
        self.ending = True
        for job in self._running():
            job.stop()

    def _running(self) -> list[Job]:
        return [tab.running for tab in self._tabs.values() if tab.running is not None]

    def _of(self, request: Request) -> _Tab:
        """The tab of a request. Raises _RefusedError."""
        name = request.path_params["tab"]
        gone = "the server does not know this tab any more: reload the page"
        self._tabs[name] = tab = _known(self._tabs.pop(name, None), gone)
        return tab

    def _run(self, request: Request) -> Job:
        """The run of a request. Raises _RefusedError."""
        job = self._of(request).runs.get(request.path_params["run"])
        return _known(job, "there is no such run")

    async def open(self, _: Request) -> Response:
        """A name for a new tab; the one that was idle longest is forgotten where there are many."""
        if len(self._tabs) >= MOST_TABS:
            idle = (name for name, tab in self._tabs.items() if tab.running is None)
            self._tabs.pop(next(idle, ""), None)
        name = secrets.token_urlsafe(16)
        self._tabs[name] = _Tab()
        return _json({"tab": name, **self._tabs[name].told()})

    async def again(self, request: Request) -> Response:
        return _json({"tab": request.path_params["tab"], **self._of(request).told()})

    async def front(self, _: Request) -> Response:
        from starlette.responses import HTMLResponse

        found = embedded({"most_bytes": self.most_bytes})
        html = await asyncio.to_thread(self._render, embedded=found)
        return HTMLResponse(html, headers={"Content-Security-Policy": self._policy})

    async def upload(self, request: Request) -> Response:
        """Load a table. What was loaded before stays if this fails."""
        tab = self._of(request)
        tab.uploads += 1
        number = tab.uploads
        name = printable(unquote(request.headers.get("x-file-name", "")))[:200] or "the table"
        content = await _body(request, self.most_bytes, name)
        loaded = Loaded(number, name, await asyncio.to_thread(read_upload, content, name))
        if number != tab.uploads:
            raise OptionError(f"{name}: another file was chosen meanwhile")
        tab.uploaded = loaded
        return _json(loaded.told())

    async def start(self, request: Request) -> Response:
        tab = self._of(request)
        form = json.loads(await _body(request, MOST_FORM, "the form"))
        if not isinstance(form, dict):
            return _said("expected a form", 400)
        if tab.running is not None:
            return _said("a search of this tab still runs: stop it first", 409)
        if len(self._running()) >= MOST_SEARCHES:
            return _said("too many searches run here: wait for one to end", 409)
        return _json({"run": tab.start(form).number})

    async def stop(self, request: Request) -> Response:
        running = self._of(request).running
        if running is None:
            return _said("no search runs", 409)
        running.stop()
        return _json({})

    async def events(self, request: Request) -> Response:
        from starlette.responses import StreamingResponse

        return StreamingResponse(
            self._stream(self._run(request), request), media_type="text/event-stream"
        )

    async def _stream(self, job: Job, request: Request) -> AsyncIterator[str]:
        """The snapshots of a search, until it has ended; the first brings its course so far."""
        sent = -1
        course: dict[str, Any] = {"course": job.course}
        while not (self.ending or await request.is_disconnected()):
            state = job.state
            if state["number"] != sent:
                sent = state["number"]
                yield f"data: {json.dumps({**state, **course}, allow_nan=False)}\n\n"
                course = {}
            if state["phase"] in OVER:
                return
            await asyncio.sleep(LOOK)

    async def report(self, request: Request) -> Response:
        from starlette.responses import HTMLResponse

        page = _known(self._run(request).page, "this run has no report")
        keep = {"Content-Disposition": 'attachment; filename="report.html"'}
        return HTMLResponse(page.html, headers=keep if "keep" in request.query_params else {})

    async def model(self, request: Request) -> Response:
        saved = _known(self._run(request).saved, "this run has no model")
        return _file(saved, MODEL_FILE, "application/json")

    async def description(self, request: Request) -> Response:
        """How the columns were read and cut, as a file to edit and to load again."""
        written = _known(self._run(request).description, "this run has no description")
        return _file(written, "columns.toml", "text/plain")


def _file(content: str, name: str, kind: str) -> Response:
    from starlette.responses import Response as Plain

    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Plain(content, media_type=kind, headers=headers)


def _known(found: Found | None, sentence: str) -> Found:
    """What was asked for. Raises _RefusedError where it is not there."""
    if found is None:
        raise _RefusedError(404, sentence)
    return found


async def _body(request: Request, most: int, name: str) -> bytes:
    """At most so many bytes; what comes after them is not read. name: of what is sent."""
    from starlette.requests import ClientDisconnect

    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise _RefusedError(
                    413,
                    f"{name} is larger than {most:,} bytes, the most that is taken here: `corels "
                    "serve --upload-limit` sets the limit, in megabytes",
                )
            parts.append(part)
    except ClientDisconnect:
        raise _RefusedError(400, f"{name} was not sent to its end") from None
    return b"".join(parts)


def _json(value: Any, status: int = 200) -> Response:
    from starlette.responses import JSONResponse

    return JSONResponse(value, status)


def _said(sentence: str, status: int) -> Response:
    return _json({"error": sentence}, status)


def _refusal(request: Request, token: str) -> Response | None:
    """Why a request is not answered; None where it may be."""
    host = urlsplit(f"//{request.headers.get('host', '')}")
    origin = request.headers.get("origin")
    if host.hostname not in HOSTS:
        return _said("this server answers its own machine only", 403)
    if origin is None and request.method not in ("GET", "HEAD"):
        return _said("a request must say where it comes from", 403)
    if origin is not None and origin != f"http://{host.netloc}":
        return _said("the request comes from another site", 403)
    given = request.url.path.removeprefix("/").partition("/")[0]
    if not secrets.compare_digest(given.encode(), token.encode()):
        return _said("not found", 404)
    return None


async def _answered(request: Request, answer: Any, token: str) -> Response:
    """The answer, or a sentence that says why there is none."""
    try:
        found = _refusal(request, token)
    except ValueError:  # not the name of a host
        return _said("this server answers its own machine only", 403)
    if found is not None:
        return found
    try:
        answered: Response = await answer(request)
    except _RefusedError as error:
        return _said(str(error), error.status)
    except CorelsError as error:
        said = {"error": printable(" ".join(error.said(in_form).split()))}
        return _json(
            {**said, **({"field": error.field} if isinstance(error, FieldError) else {})}, 400
        )
    except (ValueError, RecursionError):
        return _said("this is not a form of this page", 400)
    return answered


def application(server: Server) -> Starlette:
    """The ASGI application. Raises OptionError where Starlette is missing."""
    need("starlette", "the page needs Starlette", "page")
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware
    from starlette.routing import Route

    async def guard(request: Request, answer: Any) -> Response:
        found = await _answered(request, answer, server.token)
        found.headers.setdefault("Content-Security-Policy", "frame-ancestors 'self'")
        found.headers["X-Content-Type-Options"] = "nosniff"
        found.headers["Referrer-Policy"] = "no-referrer"
        found.headers["Cache-Control"] = "no-store"
        return found

    at = f"/{server.token}"
    tab, run = f"{at}/tabs/{{tab}}", f"{at}/tabs/{{tab}}/runs/{{run:int}}"
    routes = [
        Route(f"{at}/", server.front),
        Route(f"{at}/tabs", server.open, methods=["POST"]),
        Route(tab, server.again),
        Route(f"{tab}/upload", server.upload, methods=["POST"]),
        Route(f"{tab}/start", server.start, methods=["POST"]),
        Route(f"{tab}/stop", server.stop, methods=["POST"]),
        Route(f"{run}/events", server.events),
        Route(f"{run}/report", server.report),
        Route(f"{run}/model", server.model),
        Route(f"{run}/description", server.description),
    ]
    return Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)])
