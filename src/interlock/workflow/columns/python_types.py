"""What the values of a column are in Python."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sqlalchemy.types import TypeEngine


def python_type_of(kind: TypeEngine[Any]) -> type | None:
    """Return the Python type of a column type's values; None where the type cannot say."""
    with suppress(NotImplementedError):  # SQLAlchemy's word for that
        return kind.python_type
    return None
