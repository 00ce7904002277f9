"""What the shapes of requests and answers are made of, and the problem with which any request may be answered."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")]
Reason = Annotated[
    str, StringConstraints(min_length=1, max_length=4000, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")
]
Id = str | int
AT = "2026-01-31T09:00:00.000000Z"


class Shape(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(BaseModel):
    """What went wrong (RFC 9457), with a code that never changes."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str
    facts: dict[str, Any]
    instance: str | None = None
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "urn:interlock:error:ILK-208",
                "title": "Somebody else moved the record first.",
                "status": 409,
                "code": "ILK-208",
                "detail": "statements 'UL_7' was moved to parsed (version 2) by ann at 2026-01-31 09:00:00 UTC",
                "hint": "Read the record again and decide on what it says now.",
                "facts": {
                    "kind": "statements",
                    "id": "UL_7",
                    "seen": 1,
                    "version": 2,
                    "state": "parsed",
                    "actor": "ann",
                    "at": AT,
                },
            }
        }
    )
