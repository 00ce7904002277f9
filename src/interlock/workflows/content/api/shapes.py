"""The shapes of requests about content, as the OpenAPI document has them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from interlock.http import Reason

Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=4000, pattern=r"^[^\x00]*$")]


class Command(BaseModel):
    """A request; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Submission(Command):
    """A draft. `confidence` is how sure its source is, from 0 to 1; `replaces` names the item that it corrects."""

    type: Text
    language: Text
    level: Text
    payload: dict[str, Any]
    item_id: Id | None = None
    source: Text | None = None
    confidence: float | None = Field(None, ge=0, le=1)
    replaces: Id | None = None


class Amendment(Command):
    """A payload that replaces the one before."""

    payload: dict[str, Any]
    reason: Reason
    version: int | None = None


class Promotion(Command):
    """`version` is the one that the caller saw; `again` has gates run that have refused this content before."""

    version: int | None = None
    again: bool = False


class Approval(Command):
    """An approval, with what the operator notes about it."""

    notes: Text | None = None
    version: int | None = None


class Rejection(Command):
    """A rejection; its reason has 10 to 500 characters."""

    reason: Reason


class Deprecation(Command):
    """A deprecation, with the item that replaces this one if there is one."""

    reason: Reason
    replacement_id: Id | None = None


class Supersession(Command):
    """The item that replaces this one: approved, or validated and approved by this act."""

    replacement_id: Id
    reason: Reason


class Erasure(Command):
    """An erasure; with `despite_dependents` items that depend on this one stay behind."""

    reason: Reason
    despite_dependents: bool = False
