"""The name that a request calls the service by: exactly one header Host, with one name in it."""

from __future__ import annotations

import re

from starlette.datastructures import Headers

from ...errors import BadInput

_HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def host_name(headers: Headers) -> str:
    """The name in lower case without the port; empty where the header is missing or empty. Several headers or names are refused."""
    names = headers.getlist("host")
    if not names or names == [""]:
        return ""
    match = _HOST.fullmatch(names[0])
    if len(names) > 1 or match is None:
        raise BadInput("the header Host must hold one name, and perhaps a port")
    return match["name"].lower()
