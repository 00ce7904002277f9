"""Everything a person does to many records at once: preview, create, run, pause, resume, undo; and how far each has come."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from ..authority import Authority
from ..authority.command import checked_reason, named as checked_name
from ..errors import BadInput, ConcurrentModificationError, UnknownKind, UnknownRecord
from ..ids import random_bytes
from ..machine import State
from ..store import commands
from ..store.entry import canonical
from ..store.operations import Item, Operation, OperationRows
from ..workflow import Workflow
from .acts import Act, act_of
from .life import LIFE
from .preview import Foresight, Preview, Speaker
from .run import CHUNK, Run, Stop, Tell
from .scope import Matching, Named, Source, by_filter, by_ids, by_past, described, freeze_ids, freeze_matching, freeze_past, named

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
LISTED = 50


class Operations:
    """Bulk acts of one app."""
