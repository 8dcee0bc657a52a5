"""Optional packages: how a missing one is named, with the command that installs its extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from corels.errors import CorelsError, OptionError


def needed(module: str, why: str, extra: str, error: type[CorelsError] = OptionError) -> Any:
    """A module of an extra, imported. Raises `error` if it is not installed: why it is needed,
    and the command that installs it."""
    try:
        return import_module(module)
    except ImportError:
        raise error(f"{why}: {install_command(extra)}") from None


def install_command(extra: str) -> str:
    """The command that installs an extra, from the folder that corels was installed from, if any:
    the index may have another corels."""
    import json
    import shlex
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    name, editable = "corels", ""
    try:
        source = json.loads(distribution("corels").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        source = {}
    if "dir_info" in source:
        name = url2pathname(urlsplit(source["url"]).path)
        editable = "-e " if source["dir_info"].get("editable") else ""
    return f"pip install {editable}{shlex.quote(f'{name}[{extra}]')}"
