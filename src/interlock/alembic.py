"""For teams whose schema is kept by Alembic: autogenerate leaves Interlock's own tables alone and writes plain types.

In `env.py`: `context.configure(…, include_object=include_object, render_item=render_item)`. Nothing of Alembic is imported here.
"""

from __future__ import annotations

from typing import Any, Literal

from .workflow.columns.instant import Instant

__all__ = ["include_object", "render_item"]

OWN = "interlock_"


def include_object(object: Any, name: str | None, type_: str, reflected: bool, compare_to: Any) -> bool:
    """Whether autogenerate looks at this object: not at Interlock's own tables, nor at the indexes and constraints that `migrate` makes."""
    table = name if type_ == "table" else getattr(getattr(object, "table", None), "name", None)
    own = (name or "").startswith(OWN) or (table or "").startswith(OWN)
    return not own


def render_item(type_: str, obj: Any, autogen_context: Any) -> str | Literal[False]:
    """Interlock's instants as plain `sa.DateTime(timezone=True)`; everything else as Alembic renders it."""
    return "sa.DateTime(timezone=True)" if type_ == "type" and isinstance(obj, Instant) else False
