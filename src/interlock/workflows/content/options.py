"""What a team may set: whether drafts and candidates are promoted, and validated items approved, without a person asking for it."""

from __future__ import annotations

from dataclasses import dataclass

from interlock.errors import BadInput
from interlock.extension import setting

_TRUE, _FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True)
class Options:
    """The settings of the content workflow, each INTERLOCK_CONTENT_NAME or a key of `[workflows.content]` in interlock.toml."""

    auto_promote: bool = False
    """Drafts become candidates, and the gates of candidates run, in batches."""
    auto_approve: bool = False
    """Validated items that no person has to review are approved, in batches."""


def read_options() -> Options:
    """Return the options of this process."""
    default = Options()
    return Options(
        _read_switch("auto_promote", default.auto_promote), _read_switch("auto_approve", default.auto_approve)
    )


def _read_switch(name: str, default: bool) -> bool:
    text = setting(f"content.{name}")
    if text is None:
        return default
    if text.casefold() in _TRUE | _FALSE:
        return text.casefold() in _TRUE
    raise BadInput(f"{text!r} is neither yes nor no", hint=f"INTERLOCK_CONTENT_{name.upper()} is yes or no.")
