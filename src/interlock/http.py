"""What the routes of an extension are made of; needs the extra `service`. All of it is public."""

from __future__ import annotations

from .service.connections.identity import Identity as Caller
from .service.http.access import V1 as API
from .service.http.answers import Json
from .service.http.axis_route import patch_axis
from .service.http.form import Form, MalformedForm, read_form
from .service.http.keyed import keyed as perform_once
from .service.http.limits import Limits
from .service.http.paging import cursor_of as encode_cursor
from .service.http.paging import id_of as decode_cursor
from .service.http.paging import not_ours as bad_cursor
from .service.http.route import Route
from .service.http.routing import who_asks as caller_of
from .service.resources.moves import Key as IdempotencyKey
from .service.resources.moves import Match as IfMatch
from .service.resources.moves import PreconditionFailed
from .service.resources.moves import role_of as role_for
from .service.resources.records import id_from as record_id
from .service.schemas.shape import Reason, Shape

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
