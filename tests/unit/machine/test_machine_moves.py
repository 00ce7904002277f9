"""What the five machines allow and refuse."""

from __future__ import annotations

import copy
import pickle
from enum import Enum, StrEnum

import pytest

from interlock.errors import InvalidStateTransition, UnknownState
from interlock.machine import Edge, Machine, operator, retry


class Color(StrEnum):
    RED = "red"
    GREEN = "green"


class Old(str, Enum):  # noqa: UP042 (the older spelling is what is tested)
    RED = "red"
    GREEN = "green"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("parsing", "normalized"),
        ("normalized", "parsing"),
        ("error", "parsing"),
        ("error", "normalizing"),
        ("queued_for_parse", "parsed"),
    ],
)
def test_the_named_moves_of_an_upload_are_refused(upload: Machine, old: str, new: str) -> None:
    assert not upload.allows(old, new)
    with pytest.raises(InvalidStateTransition) as refusal:
        upload.check(old, new)
    assert type(refusal.value) is InvalidStateTransition
    assert f"{old} → {new}" in str(refusal.value)
    assert refusal.value.facts["legal"] == list(upload.next_states(old))
    for legal in upload.next_states(old):
        assert str(legal) in str(refusal.value)


def test_every_declared_move_passes_the_check(bundled: list[Machine]) -> None:
    for machine in bundled:
        for old, edge in machine.pairs():
            machine.check(old, edge.to)
            assert machine.edge(old, edge.to) is edge


def test_every_other_pair_is_refused(bundled: list[Machine]) -> None:
    for machine in bundled:
        for old in machine.states:
            for new in set(machine.states) - set(machine.next_states(old)):
                with pytest.raises(InvalidStateTransition):
                    machine.check(old, new)


def test_an_upload_is_retried_only_to_before_the_failed_stage(upload: Machine) -> None:
    assert upload.edges["error"] == (retry("queued_for_parse"), retry("parsed"))
    assert upload.next_states("normalized") == ()


def test_states_come_in_declared_order_with_the_initial_one_first(
    upload: Machine, processing: Machine
) -> None:
    assert upload.states == ("queued_for_parse", "parsing", "parsed", "normalizing", "error", "normalized")
    assert processing.states[0] is None
    assert Machine("m", initial="b", states=["a", "b"]).states == ("b", "a")


def test_null_is_an_ordinary_state(processing: Machine) -> None:
    processing.check(None, "Queued")
    processing.check("Queued", None)
    with pytest.raises(InvalidStateTransition, match="null → Complete"):
        processing.check(None, "Complete")
    with pytest.raises(InvalidStateTransition, match="Processing → null"):
        processing.check("Processing", None)


def test_null_is_unknown_where_it_is_not_declared(upload: Machine) -> None:
    with pytest.raises(UnknownState, match="upload has no state null"):
        upload.check(None, "parsing")


def test_without_moves_any_state_may_follow_any_other(curation: Machine) -> None:
    assert all(
        curation.allows(old, new) == (old != new) for old in curation.states for new in curation.states
    )


def test_an_unknown_state_is_refused_with_the_nearest_known_name(upload: Machine) -> None:
    with pytest.raises(UnknownState) as refusal:
        upload.check("parsing", "prased")
    assert "'prased'" in str(refusal.value)
    assert "normalizing" in str(refusal.value)
    assert refusal.value.hint == "Did you mean 'parsed'?"
    assert refusal.value.code == "ILK-203"
    assert refusal.value.facts["known"] == list(upload.states)
    assert pickle.loads(pickle.dumps(refusal.value)).facts == refusal.value.facts


@pytest.mark.parametrize("strange", [7, 1.5, [], {}, object(), b"parsing", "x" * 1_000_000, "", "PARSING"])
def test_what_is_no_state_is_refused_and_never_crashes(upload: Machine, strange: object) -> None:
    for old, new in ((strange, "parsing"), ("parsing", strange), (strange, strange)):
        with pytest.raises(UnknownState) as refusal:
            upload.check(old, new)  # type: ignore[arg-type]
        assert len(str(refusal.value)) < 600
    with pytest.raises(UnknownState):
        upload.next_states(strange)  # type: ignore[arg-type]
    with pytest.raises(UnknownState):
        upload.is_terminal(strange)  # type: ignore[arg-type]


def test_staying_is_never_a_move(upload: Machine) -> None:
    with pytest.raises(InvalidStateTransition) as refusal:
        upload.check("parsing", "parsing")
    assert "never a move" in refusal.value.hint


def test_final_is_what_nothing_leaves_but_operators_leading_back(
    upload: Machine, lifecycle: Machine, extraction: Machine
) -> None:
    assert [state for state in upload.states if upload.is_terminal(state)] == ["normalized"]
    assert [state for state in extraction.states if extraction.is_terminal(state)] == [
        "processed",
        "failed_terminal",
    ]
    assert [state for state in lifecycle.states if lifecycle.is_terminal(state)] == ["APPROVED"]


def test_a_state_that_waits_for_an_operators_step_forward_is_not_final() -> None:
    machine = Machine("m", initial="a", moves={"a": ["b"], "b": [operator("c")], "c": [operator("b")]})
    assert [state for state in machine.states if machine.is_terminal(state)] == ["c"]


def test_a_machine_without_an_end_has_no_final_state(curation: Machine, processing: Machine) -> None:
    assert not any(
        machine.is_terminal(state) for machine in (curation, processing) for state in machine.states
    )


@pytest.mark.parametrize("kind", [Color, Old])
def test_enum_members_are_kept_as_exact_text(kind: type[Color] | type[Old]) -> None:
    for machine in (
        Machine("m", initial=kind.RED, states=kind),
        Machine("m", initial=kind.RED, moves={kind.RED: [operator(kind.GREEN)]}),
    ):
        assert machine.states == ("red", "green")
        assert all(type(state) is str for state in machine.states)
        assert type(machine.initial) is str
        assert all(type(edge.to) is str for _, edge in machine.pairs())
        assert machine.allows(kind.RED, kind.GREEN)
        assert machine.allows("red", kind.GREEN)
        machine.check(kind.RED, "green")


def test_an_import_is_resolved_by_name_by_case_and_by_alias(processing: Machine, curation: Machine) -> None:
    assert processing.resolve("Failed") == "Failed"
    assert processing.resolve("qUEUED") == "Queued"
    assert processing.resolve("ERROR") == "Failed"
    assert processing.resolve(None) is None
    assert Machine("m", initial=None, moves={None: ["a"]}, aliases={"": None}).resolve("") is None
    for machine, text in ((curation, None), (curation, "Selektd"), (processing, "")):
        with pytest.raises(UnknownState):
            machine.resolve(text)


def test_an_import_that_could_mean_two_states_is_refused() -> None:
    machine = Machine("m", initial="new", states=["new", "NEW"])
    assert machine.resolve("NEW") == "NEW"
    with pytest.raises(UnknownState):
        machine.resolve("New")


def test_an_alias_is_never_a_move(processing: Machine) -> None:
    with pytest.raises(UnknownState):
        processing.check("Processing", "Error")


def test_a_machine_cannot_be_changed(upload: Machine) -> None:
    for attribute in ("name", "states", "anything"):
        with pytest.raises(AttributeError):
            setattr(upload, attribute, "x")
    with pytest.raises(AttributeError):
        del upload.name
    with pytest.raises(TypeError):
        upload.edges["error"] = ()  # type: ignore[index]
    with pytest.raises(TypeError):
        upload.aliases["x"] = "error"  # type: ignore[index]


def test_a_machine_can_be_pickled_and_copied(bundled: list[Machine]) -> None:
    for machine in bundled:
        for twin in (pickle.loads(pickle.dumps(machine)), copy.deepcopy(machine), copy.copy(machine)):
            assert twin == machine
            assert hash(twin) == hash(machine)
            assert twin.aliases == machine.aliases


def test_edges_say_who_takes_them() -> None:
    assert (Edge("a").words, retry("a").words, operator("a", role="reviewer").words) == (
        "",
        "retry",
        "reviewer only",
    )
