"""`corels serve`: choose data, start a search and watch it in the browser."""

from __future__ import annotations

import secrets
import signal
import socket
from typing import Annotated

import typer

from corels.cli.exits import emit
from corels.errors import InputError, OptionError
from corels_page.document import needs
from corels_page.server import Server, application

HOST = "127.0.0.1"


def serve(
    port: Annotated[str, typer.Option(metavar="N", help="The port; 0: any free port.")] = "0",
    upload_limit: Annotated[
        str, typer.Option(metavar="N", help="The most megabytes of an uploaded table.")
    ] = "20",
) -> None:
    """Start searches and watch them in the browser: prints an address to open, runs until Ctrl-C.

    Only this machine can reach the address, which holds a secret. Needs the extra `page`.

    $ corels serve
    $ corels serve --port 8000
    $ corels serve --upload-limit 100
    """
    try:
        import uvicorn
    except ImportError:
        raise needs("uvicorn") from None
    megabytes = _whole("--upload-limit", upload_limit, 1, 1000)
    server = Server(secrets.token_urlsafe(16), megabytes << 20)
    app = application(server)
    listening = socket.socket()
    try:
        listening.bind((HOST, _whole("--port", port, 0, 65535)))
        listening.listen()  # from here on the address can be opened
    except OSError as error:
        raise InputError(f"port {port} cannot be used ({error.strerror})") from None
    emit(f"http://{HOST}:{listening.getsockname()[1]}/{server.token}/")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    try:
        # uvicorn closes its connections at these signals, and then raises them once more.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:  # how it is ended
        pass
    finally:
        server.close()
        listening.close()


def _whole(flag: str, typed: str, low: int, high: int) -> int:
    if not (typed.isascii() and typed.isdecimal() and low <= int(typed) <= high):
        raise OptionError(f"{flag} is {typed!r}: expected a whole number from {low} to {high}")
    return int(typed)
