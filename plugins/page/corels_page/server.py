"""`corels serve`: the page while a search runs, for browsers on this machine.

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
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from corels.errors import CorelsError
from corels.model.printable import printable
from corels.plugins import registry
from corels.run.solve import LIMITS
from corels.tables import datasets
from corels_page.document import needs
from corels_page.job import MODEL_FILE, UPLOADED, Job, asked
from corels_page.render import LIBRARY, STYLES, asset, embedded, policy, template
from corels_page.upload import read_upload

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

COOKIE = "corels-browser"
HOSTS = ("127.0.0.1", "localhost", "::1")
LOOK = 0.1  # seconds between two looks at a search
MOST_BROWSERS = 32
MOST_SEARCHES = 4
MOST_FORM = 100_000  # bytes
SCRIPTS = (LIBRARY, "static/base.js", "static/serve.js")


class _TooLargeError(Exception):
    """A body is over the limit."""


class _Browser:
    """What one browser has here: its upload and its search."""

    def __init__(self) -> None:
        self.uploaded: Any = None
        self.job: Job | None = None


class Server:
    """The state of one `corels serve`. most_bytes: of an upload."""

    def __init__(self, token: str, most_bytes: int) -> None:
        self.token, self.most_bytes = token, most_bytes
        self._browsers: dict[str, _Browser] = {}
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
            solvers=_solver_options(),
            table=UPLOADED,
            limits=LIMITS,
        )

    def close(self) -> None:
        """Stop every search."""
        for browser in self._browsers.values():
            if browser.job is not None:
                browser.job.stop()

    def _of(self, request: Request) -> _Browser | None:
        return self._browsers.get(request.cookies.get(COOKIE, ""))

    def _new(self) -> str:
        """A name for a browser that has none; the oldest idle one is forgotten."""
        if len(self._browsers) >= MOST_BROWSERS:
            idle = (n for n, b in self._browsers.items() if b.job is None or not b.job.running)
            self._browsers.pop(next(idle, ""), None)
        name = secrets.token_urlsafe(16)
        self._browsers[name] = _Browser()
        return name

    async def front(self, request: Request) -> Response:
        from starlette.responses import HTMLResponse

        browser = self._of(request)
        running = browser is not None and browser.job is not None and browser.job.running
        found = embedded({"most_bytes": self.most_bytes, "running": running})
        html = await asyncio.to_thread(self._render, embedded=found)
        response = HTMLResponse(html, headers={"Content-Security-Policy": self._policy})
        if browser is None:
            response.set_cookie(
                COOKIE, self._new(), httponly=True, samesite="strict", path=f"/{self.token}/"
            )
        return response

    async def upload(self, request: Request) -> Response:
        browser = self._of(request)
        if browser is None:
            return _said("open the page first", 403)
        content = await _body(request, self.most_bytes)
        name = printable(unquote(request.headers.get("x-file-name", "")))[:200] or "the table"
        columns = await asyncio.to_thread(read_upload, content, name)
        browser.uploaded = (name, columns)
        return _json({"columns": [printable(column) for column in columns]})

    async def start(self, request: Request) -> Response:
        browser = self._of(request)
        if browser is None:
            return _said("open the page first", 403)
        form = json.loads(await _body(request, MOST_FORM))
        if not isinstance(form, dict):
            return _said("expected a form", 400)
        if browser.job is not None and browser.job.running:
            return _said("a search of this browser still runs: stop it first", 409)
        if sum(b.job is not None and b.job.running for b in self._browsers.values()) >= (
            MOST_SEARCHES
        ):
            return _said("too many searches run here: wait for one to end", 409)
        wanted = asked(_labelled(form, browser.uploaded), browser.uploaded)
        browser.job = Job(wanted)
        return _json({})

    async def stop(self, request: Request) -> Response:
        browser = self._of(request)
        if browser is None or browser.job is None:
            return _said("no search runs", 409)
        browser.job.stop()
        return _json({})

    async def events(self, request: Request) -> Response:
        from starlette.responses import StreamingResponse

        browser = self._of(request)
        if browser is None or browser.job is None:
            return _said("no search runs", 409)
        return StreamingResponse(_stream(browser.job, request), media_type="text/event-stream")

    async def report(self, request: Request) -> Response:
        from starlette.responses import HTMLResponse

        browser = self._of(request)
        page = None if browser is None or browser.job is None else browser.job.page
        if page is None:
            return _said("there is no report yet", 404)
        headers = {}
        if "keep" in request.query_params:
            headers["Content-Disposition"] = 'attachment; filename="report.html"'
        return HTMLResponse(page.html, headers=headers)

    async def model(self, request: Request) -> Response:
        from starlette.responses import Response as Plain

        browser = self._of(request)
        saved = None if browser is None or browser.job is None else browser.job.saved
        if saved is None:
            return _said("there is no model yet", 404)
        headers = {"Content-Disposition": f'attachment; filename="{MODEL_FILE}"'}
        return Plain(saved, media_type="application/json", headers=headers)


def _labelled(form: dict[str, Any], uploaded: Any) -> dict[str, Any]:
    """The browser sends the label's name as it was shown; the table may have hidden marks in it."""
    if uploaded is None:
        return form
    shown = {printable(column): column for column in uploaded[1]}
    label = form.get("label")
    return {**form, "label": shown.get(label, label) if isinstance(label, str) else label}


def _solver_options() -> dict[str, Any]:
    names = registry().names("solver")
    return {name: registry().get("solver", name) for name in names}


async def _body(request: Request, most: int) -> bytes:
    """At most so many bytes; what comes after them is not read."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise _TooLargeError
        parts.append(part)
    return b"".join(parts)


async def _stream(job: Job, request: Request) -> AsyncIterator[str]:
    """The snapshots of a search, until it has ended."""
    sent = -1
    while not await request.is_disconnected():
        state = job.state
        if state["number"] != sent:
            sent = state["number"]
            yield f"data: {json.dumps(state, allow_nan=False)}\n\n"
        if state["phase"] in ("done", "failed"):
            return
        await asyncio.sleep(LOOK)


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
    given = request.url.path.split("/")[1]
    if not secrets.compare_digest(given.encode(), token.encode()):
        return _said("not found", 404)
    return None


async def _answered(request: Request, answer: Any, token: str) -> Response:
    """The answer, or a sentence that says why there is none."""
    try:
        found = _refusal(request, token)
    except ValueError:  # a host that is no host
        return _said("this server answers its own machine only", 403)
    if found is not None:
        return found
    try:
        answered: Response = await answer(request)
    except _TooLargeError:
        return _said("too large for this server", 413)
    except CorelsError as error:
        return _said(printable(" ".join(str(error).split())), 400)
    except (ValueError, RecursionError):
        return _said("this is not a form of this page", 400)
    return answered


def application(server: Server) -> Starlette:
    """The ASGI application. Raises OptionError where Starlette is missing."""
    try:
        from starlette.applications import Starlette
        from starlette.middleware import Middleware
        from starlette.middleware.base import BaseHTTPMiddleware
        from starlette.routing import Route
    except ImportError:
        raise needs("Starlette") from None

    async def guard(request: Request, answer: Any) -> Response:
        found = await _answered(request, answer, server.token)
        found.headers.setdefault("Content-Security-Policy", "frame-ancestors 'self'")
        found.headers["X-Content-Type-Options"] = "nosniff"
        found.headers["Referrer-Policy"] = "no-referrer"
        found.headers["Cache-Control"] = "no-store"
        return found

    at = f"/{server.token}"
    routes = [
        Route(f"{at}/", server.front),
        Route(f"{at}/upload", server.upload, methods=["POST"]),
        Route(f"{at}/start", server.start, methods=["POST"]),
        Route(f"{at}/stop", server.stop, methods=["POST"]),
        Route(f"{at}/events", server.events),
        Route(f"{at}/report", server.report),
        Route(f"{at}/model", server.model),
    ]
    return Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)])
