"""`corels serve`: choose data, start a search and watch it in the browser."""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress
from typing import Any

from corels.cli.parameters import command
from corels.cli.streams import emit, say
from corels.errors import InputError
from corels.installed import needed
from corels.options import Option

HOST = "127.0.0.1"


@command(
    (),
    (
        Option.whole("port", "the port; 0: any free port", 0, low=0, high=65535),
        Option.whole(
            "upload_limit", "the most megabytes of an uploaded table", 20, low=1, high=1000
        ),
    ),
)
def serve(asked: Any) -> None:
    """Start searches and watch them in the browser: prints an address to open, runs until Ctrl-C.

    Only this machine can reach the address, which holds a secret. Needs the extra `page`.

    $ corels serve
    $ corels serve --port 8000
    $ corels serve --upload-limit 100
    """
    uvicorn = needed("uvicorn", "the page needs uvicorn", "page")
    needed("starlette", "the page needs Starlette", "page")
    from corels_page.server import Server, application

    server = Server(secrets.token_urlsafe(16), asked.upload_limit * 10**6)
    app = application(server)
    listening = socket.socket()
    try:
        listening.bind((HOST, asked.port))
        listening.listen()  # from here on the address can be opened
    except OSError as error:
        raise InputError(f"port {asked.port} cannot be used ({error.strerror})") from None
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1
    )
    try:
        with suppress(KeyboardInterrupt):  # uvicorn ends, and raises the signal once more
            emit(f"http://{HOST}:{listening.getsockname()[1]}/{server.token}/")
            uvicorn.Server(config).run(sockets=[listening])
        say("the server has ended")
    finally:
        server.close()
        listening.close()
