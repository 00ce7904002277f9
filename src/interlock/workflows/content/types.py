"""The types of content. A new one is one `ContentType` with its fields, and one table for its approved items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Table

from interlock import App, Workflow

from .lifecycle import KIND
from .tables import LANGUAGES, approved_exercises, approved_meanings, approved_rules, approved_utterances

Check = Callable[[Any], str | None]
"""Returns what is wrong with a value, or None."""


@dataclass(frozen=True)
class Field:
    """One value of a payload. Gates read it as language where `is_text`; `default` is what an approved row has where an optional field is
    absent. `shape` is how a cell of a CSV file is read: as it is, as entries between bars, or as a whole number."""

    name: str
    check: Check
    is_text: bool = False
    default: Any = None
    is_required: bool = True
    shape: Literal["text", "list", "number"] = "text"


@dataclass(frozen=True)
class ContentType:
    """A type of content: its fields, its table of approved items, and whether a person reviews every item of it."""

    name: str
    table: Table
    fields: Sequence[Field]
    compared: str
    """The field by which similar items are recognised."""
    is_always_reviewed: bool = False
    meaning_field: str | None = None
    """The field that names an item on which this one depends."""
    check_whole: Callable[[Mapping[str, Any]], str | None] = lambda payload: None

    def problems(self, payload: Mapping[str, Any]) -> list[str]:
        """Everything that is wrong with a normalised payload, as sentences."""
        known = {field.name for field in self.fields} | {"prerequisites"}
        wrong = [f"{name} is no field of a {self.name}" for name in sorted(set(payload) - known)]
        wrong += [f"{name} is missing" for name in self.missing(payload)]
        for field in self.fields:
            if (value := payload.get(field.name)) is not None and (problem := field.check(value)):
                wrong.append(f"{field.name} {problem}")
        if problem := text_list(0, 20)(payload.get("prerequisites", [])):
            wrong.append(f"prerequisites {problem}")
        if not wrong and (problem := self.check_whole(payload)):
            wrong.append(problem)
        return wrong

    def missing(self, payload: Mapping[str, Any]) -> list[str]:
        """The required fields that are absent or empty; the number 0 is a value."""
        return [
            field.name
            for field in self.fields
            if field.is_required and payload.get(field.name) in (None, "", [])
        ]

    def texts(self, payload: Mapping[str, Any]) -> list[str]:
        """Everything in the payload that is language."""
        values = [payload.get(field.name) for field in self.fields if field.is_text]
        return [
            text
            for value in values
            for text in (value if isinstance(value, list) else [value])
            if isinstance(text, str)
        ]

    def prerequisites(self, payload: Mapping[str, Any]) -> list[str]:
        """The ids of the items on which this one depends."""
        named = payload.get("prerequisites")
        depends = [payload.get(self.meaning_field)] if self.meaning_field else []
        depends += named if isinstance(named, list) else []
        return list(dict.fromkeys(one for one in depends if isinstance(one, str) and one))

    def approved_row(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The typed columns of the payload."""
        present = {name: value for name, value in payload.items() if value is not None}
        row = {field.name: present.get(field.name, field.default) for field in self.fields}
        return {**row, "prerequisites": list(payload.get("prerequisites") or [])}

    def payload_of(self, approved_row: Mapping[str, Any]) -> dict[str, Any]:
        """The payload of an approved item, with the names that a new item is submitted with."""
        names = [field.name for field in self.fields]
        names += ["prerequisites"] if approved_row.get("prerequisites") else []
        return {name: approved_row[name] for name in names if name in approved_row}


def text(least: int, most: int) -> Check:
    """A text of so many characters."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "is not a text"
        return None if least <= len(value) <= most else f"has {len(value)} characters, not {least} to {most}"

    return check


def words(least: int, most: int) -> Check:
    """A text of so many words."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "is not a text"
        count = len(value.split())
        return None if least <= count <= most else f"has {count} words, not {least} to {most}"

    return check


def text_list(least: int, most: int, *, unique: bool = False) -> Check:
    """A list of so many texts, none of them empty."""

    def check(value: Any) -> str | None:
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            return "is not a list of texts"
        if not least <= len(value) <= most:
            return f"has {len(value)} {'entry' if len(value) == 1 else 'entries'}, not {least} to {most}"
        if unique and len({one.casefold() for one in value}) < len(value):
            return "has the same entry twice"
        return None

    return check


def index(value: Any) -> str | None:
    """A position in a list, from 0."""
    return None if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else "is no index"


def languages(value: Any) -> str | None:
    """A list of known languages."""
    if problem := text_list(1, len(LANGUAGES), unique=True)(value):
        return problem
    unknown = [one for one in value if one not in LANGUAGES]
    return f"names {', '.join(unknown)}; known are {', '.join(LANGUAGES)}" if unknown else None


def _answer_is_an_option(payload: Mapping[str, Any]) -> str | None:
    count = len(payload["options"])
    answer = payload["correct_answer"]
    return None if answer < count else f"correct_answer is {answer}, and there are {count} options"


MEANING = ContentType(
    "meaning",
    approved_meanings,
    [
        Field("word", text(1, 100), is_text=True),
        Field("definition", text(10, 500), is_text=True),
        Field("tags", text_list(0, 20, unique=True), default=(), is_required=False, shape="list"),
    ],
    compared="definition",
)
UTTERANCE = ContentType(
    "utterance",
    approved_utterances,
    [Field("meaning_id", text(1, 64)), Field("text", words(3, 50), is_text=True)],
    compared="text",
    meaning_field="meaning_id",
)
RULE = ContentType(
    "rule",
    approved_rules,
    [
        Field("title", text(1, 200), is_text=True),
        Field("explanation", text(1, 5000), is_text=True),
        Field("examples", text_list(2, 50), is_text=True, shape="list"),
    ],
    compared="explanation",
    is_always_reviewed=True,
)
EXERCISE = ContentType(
    "exercise",
    approved_exercises,
    [
        Field("prompt", text(1, 1000), is_text=True),
        Field("options", text_list(2, 6, unique=True), shape="list"),
        Field("correct_answer", index, shape="number"),
        Field("languages", languages, shape="list"),
    ],
    compared="prompt",
    is_always_reviewed=True,
    check_whole=_answer_is_an_option,
)
CONTENT_TYPES = {one.name: one for one in (MEANING, UTTERANCE, RULE, EXERCISE)}


class ContentWorkflow(Workflow):
    """The workflow, with the types of content that it was declared for."""

    def __init__(self, types: Mapping[str, ContentType], **declared: Any) -> None:
        super().__init__(KIND, **declared)
        self.types = dict(types)


def types_of(app: App) -> Mapping[str, ContentType]:
    """The types of content that the app has, by name."""
    workflow = app.workflow(KIND)
    return workflow.types if isinstance(workflow, ContentWorkflow) else CONTENT_TYPES
