"""What the routes of an extension are made of; needs the extra `service`. All of it is public."""

from __future__ import annotations

from .service.access import V1 as API
from .service.answers import Json
from .service.axis_route import patch_axis
from .service.form import Form, MalformedForm, read_form
from .service.identity import Identity as Caller
from .service.keyed import keyed as perform_once
from .service.limits import Limits
from .service.moves import Key as IdempotencyKey
from .service.moves import Match as IfMatch
from .service.moves import PreconditionFailed
from .service.moves import role_of as role_for
from .service.paging import cursor_of as encode_cursor
from .service.paging import id_of as decode_cursor
from .service.paging import not_ours as bad_cursor
from .service.records import id_from as record_id
from .service.route import Route
from .service.routing import who_asks as caller_of
from .service.shapes import Reason, Shape

__all__ = [
    "API",
    "Caller",
    "Form",
    "IdempotencyKey",
    "IfMatch",
    "Json",
    "Limits",
    "MalformedForm",
    "PreconditionFailed",
    "Reason",
    "Route",
    "Shape",
    "bad_cursor",
    "caller_of",
    "decode_cursor",
    "encode_cursor",
    "patch_axis",
    "perform_once",
    "read_form",
    "record_id",
    "role_for",
]
