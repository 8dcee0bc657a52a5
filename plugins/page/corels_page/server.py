"""`corels serve`: the page while a search runs, for browsers on this machine.

There is one table and its runs; every page of the address shows them. A request must
name this machine as its host, carry the random token in its path and, if it says where it comes
from, come from this server; one that changes something must say so. What may be sent: bodies up to
a limit, held in memory. What is done with it: options are checked by their tables, texts are looked
up or shown, none becomes a command, a path or markup.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any, TypeVar
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route

from corels.errors import CorelsError, OptionError
from corels.model.printable import printable
from corels.plugins import registry
from corels.run.limits import LIMITS
from corels.tables import datasets
from corels_page.form import OF_COLUMNS, PLAIN, TABLE, asked, help_of, in_form, in_words
from corels_page.job import MODEL_FILE, Job
from corels_page.render import LIBRARY, all_styles, asset, embedded, policy, template
from corels_page.upload import Loaded

T = TypeVar("T")
HOSTS = ["127.0.0.1", "localhost"]
MOST_RUNS = 20  # that are kept
MOST_FORM = 100_000  # bytes
FILES = {  # of a run: where its job has it, what it is, and the name under which it is kept
    "report": ("page", "text/html", "report.html"),
    "model": ("saved", "application/json", MODEL_FILE),
    "description": ("description", "text/plain", "columns.toml"),
}
SCRIPTS = (LIBRARY, "static/base.js", "static/runs.js", "static/serve.js")


class Server:
    """The state of one `corels serve`. most_bytes: of an upload."""

    def __init__(self, token: str, most_bytes: int) -> None:
        self.token, self.most_bytes = token, most_bytes
        self._loaded: Loaded | None = None
        self._sent = 0  # tables, also those that could not be read
        self._runs: dict[int, Job] = {}  # the last one last
        self._started = 0
        styles, scripts = all_styles(), [asset(name) for name in SCRIPTS]
        self._policy = (
            policy(styles, scripts) + "; connect-src 'self'; frame-src 'self'; "
            "frame-ancestors 'none'"
        )
        own = {one.name: one for one in TABLE}
        self._render = partial(
            template("serve.html").render,
            styles=styles,
            scripts=scripts,
            datasets=datasets(),
            solvers={name: registry().get("solver", name) for name in registry().names("solver")},
            needed=[own[name] for name in PLAIN if name in own],
            table=[one for one in TABLE if one.name not in PLAIN],
            limits=LIMITS,
            plain=PLAIN,
            of_columns=OF_COLUMNS,
            help_of=help_of,
            most_runs=MOST_RUNS,
        )

    @property
    def _running(self) -> Job | None:
        """The run that is not over, if there is one."""
        return next((job for job in self._runs.values() if job.running), None)

    def close(self) -> None:
        """Stop the search."""
        if self._running is not None:
            self._running.stop()

    def start(self, form: Any) -> Job:
        """Begin a search; the oldest run goes if there are too many."""
        wanted = asked(form, self._loaded)
        self._started += 1
        self._runs[self._started] = job = Job(wanted, self._started)
        if len(self._runs) > MOST_RUNS:
            del self._runs[next(iter(self._runs))]
        return job

    async def front(self, _: Request) -> Response:
        words = {name: label for name, (label, _) in PLAIN.items()}
        found = embedded({"most_bytes": self.most_bytes, "words": words})
        html = await asyncio.to_thread(self._render, embedded=found)
        return HTMLResponse(html, headers={"Content-Security-Policy": self._policy})

    async def state(self, _: Request) -> Response:
        """What every page shows; it asks again and again."""
        running = self._running
        found = {
            "table": None if self._loaded is None else self._loaded.shown(),
            "runs": [job.shown() for job in self._runs.values()],
            "running": None if running is None else running.number,
        }
        return JSONResponse(found)

    async def load(self, request: Request) -> Response:
        """Load a table: a built-in one by its name, or what is sent. What was loaded before stays
        if this fails."""
        self._sent += 1
        number = self._sent
        if name := request.query_params.get("dataset"):
            self._loaded = await asyncio.to_thread(Loaded.built_in, number, name)
            return JSONResponse(self._loaded.shown())
        name = printable(unquote(request.headers.get("x-file-name", "")))[:200] or "the table"
        content = await _body(request, self.most_bytes, name)
        loaded = await asyncio.to_thread(Loaded.sent, number, name, content)
        if number != self._sent:
            raise OptionError(f"{name}: another table was chosen meanwhile")
        self._loaded = loaded
        return JSONResponse(loaded.shown())

    async def begin(self, request: Request) -> Response:
        form = json.loads(await _body(request, MOST_FORM, "the form"))
        if self._running is not None:
            raise HTTPException(409, "a search still runs: stop it first")
        return JSONResponse({"run": self.start(form).number})

    async def stop(self, _: Request) -> Response:
        running = self._running
        if running is None:
            raise HTTPException(409, "no search runs")
        running.stop()
        return JSONResponse({})

    async def file(self, request: Request) -> Response:
        """The report, which is shown unless it is to be kept; the model; or the description of the
        columns, to edit and to load again."""
        part = request.path_params["part"]
        attribute, kind, name = _known(FILES.get(part), "there is no such file")
        run = _known(self._runs.get(request.path_params["run"]), "there is no such run")
        content = _known(getattr(run, attribute), f"this run has no {part}")
        kept = part != "report" or "keep" in request.query_params
        headers = {"Content-Disposition": f'attachment; filename="{name}"'} if kept else {}
        return Response(content, media_type=kind, headers=headers)


def _known(found: T | None, sentence: str) -> T:
    """What was asked for. Raises HTTPException if it is not there."""
    if found is None:
        raise HTTPException(404, sentence)
    return found


async def _body(request: Request, most: int, name: str) -> bytes:
    """At most so many bytes; what comes after them is not read. name: of what is sent."""
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise HTTPException(
                    413,
                    f"{name} is larger than {most:,} bytes, the most that is taken here: `corels "
                    "serve --upload-limit` sets the limit, in megabytes",
                )
            parts.append(part)
    except ClientDisconnect:
        raise HTTPException(400, f"{name} was not sent to its end") from None
    return b"".join(parts)


async def _why_not(_: Request, error: Exception) -> Response:
    """A sentence that says why there is no answer."""
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code)
    if isinstance(error, CorelsError):
        said = printable(" ".join(in_words(error.said(in_form)).split()))
        return JSONResponse({"error": said, "field": getattr(error, "field", None)}, 400)
    return JSONResponse({"error": "this is not a form of this page"}, 400)


def application(server: Server) -> Starlette:
    """The ASGI application."""

    async def guard(request: Request, answer: Any) -> Response:
        origin, own = request.headers.get("origin"), f"http://{request.headers.get('host')}"
        if origin != own and (origin is not None or request.method not in ("GET", "HEAD")):
            found = JSONResponse({"error": "the request comes from another site"}, 403)
        else:
            found = await answer(request)
        found.headers.setdefault("Content-Security-Policy", "frame-ancestors 'self'")
        found.headers["X-Content-Type-Options"] = "nosniff"
        found.headers["Referrer-Policy"] = "no-referrer"
        found.headers["Cache-Control"] = "no-store"
        return found

    routes = [
        Route("/", server.front),
        Route("/state", server.state),
        Route("/load", server.load, methods=["POST"]),
        Route("/start", server.begin, methods=["POST"]),
        Route("/stop", server.stop, methods=["POST"]),
        Route("/runs/{run:int}/{part}", server.file),
    ]
    return Starlette(
        routes=[Mount(f"/{server.token}", routes=routes)],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS),
            Middleware(BaseHTTPMiddleware, dispatch=guard),
        ],
        exception_handlers=dict.fromkeys(
            (HTTPException, CorelsError, ValueError, RecursionError), _why_not
        ),
    )
