"""Every gate with what passes and what does not, as pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.workflows.content.gates.checks import (
    FAST,
    Item,
    Neighbour,
    check_duplication,
    check_language,
    check_level,
    check_orthography,
    check_prerequisites,
    check_safety,
    check_schema,
)
from interlock.workflows.content.gates.normalizing import (
    can_reach,
    content_hash,
    normalize_value,
    shares_letters,
    similar_texts,
    similarity,
    sketch,
)
from interlock.workflows.content.types import CONTENT_TYPES

MEANING = {"word": "dog", "definition": "a friendly animal that barks"}
RULE = {"title": "Plural", "explanation": "Most nouns take an s", "examples": ["two dogs", "two cats"]}
EXERCISE = {
    "prompt": "Which is an animal?",
    "options": ["dog", "house"],
    "correct_answer": 0,
    "languages": ["EN"],
}
UTTERANCE = {"meaning_id": "m", "text": "the dog barks"}


def made(kind: str, payload: dict[str, Any], language: str = "EN", level: str = "B1", **changed: Any) -> Item:
    return Item(CONTENT_TYPES[kind], language, level, {**payload, **changed}, "me")


def text(words: str, language: str = "EN", level: str = "B1") -> Item:
    return made("utterance", UTTERANCE, language, level, text=words)


def code(problem: Any) -> str | None:
    return None if problem is None else str(problem[0])


@pytest.mark.parametrize(
    ("kind", "payload"),
    [("meaning", MEANING), ("utterance", UTTERANCE), ("rule", RULE), ("exercise", EXERCISE)],
)
def test_a_good_item_of_every_type_passes_every_fast_gate(kind: str, payload: dict[str, Any]) -> None:
    assert {name: check(made(kind, payload)) for name, check in FAST.items()} == dict.fromkeys(FAST)


@pytest.mark.parametrize(
    ("kind", "payload", "changed", "sentence"),
    [
        ("meaning", MEANING, {"definition": "too short"}, "definition has 9 characters, not 10 to 500"),
        ("meaning", MEANING, {"definition": "x" * 501}, "definition has 501 characters, not 10 to 500"),
        ("meaning", MEANING, {"word": 7}, "word is not a text"),
        ("meaning", MEANING, {"word": None}, "word is missing"),
        ("meaning", MEANING, {"tags": ["a", "A"]}, "tags has the same entry twice"),
        ("meaning", MEANING, {"colour": "red"}, "colour is no field of a meaning"),
        ("utterance", UTTERANCE, {"text": "two words"}, "text has 2 words, not 3 to 50"),
        ("utterance", UTTERANCE, {"text": "word " * 51}, "text has 51 words, not 3 to 50"),
        ("rule", RULE, {"examples": ["one"]}, "examples has 1 entry, not 2 to 50"),
        ("exercise", EXERCISE, {"options": ["a", "a"]}, "options has the same entry twice"),
        ("exercise", EXERCISE, {"options": list("abcdefg")}, "options has 7 entries, not 2 to 6"),
        ("exercise", EXERCISE, {"correct_answer": 2}, "correct_answer is 2, and there are 2 options"),
        ("exercise", EXERCISE, {"correct_answer": True}, "correct_answer is no index"),
        ("exercise", EXERCISE, {"languages": ["DE"]}, "languages names DE; known are EN, IT, PT, SL, ES"),
        ("meaning", MEANING, {"prerequisites": "m"}, "prerequisites is not a list of texts"),
    ],
)
def test_the_schema_gate_says_what_is_wrong(
    kind: str, payload: dict[str, Any], changed: dict[str, Any], sentence: str
) -> None:
    problem = check_schema(made(kind, payload, **changed))
    assert problem is not None
    assert (problem[0], problem[1]) == ("SCHEMA", sentence)


@pytest.mark.parametrize(
    ("words", "language", "expected"),
    [
        ("the dog barks", "EN", None),
        ("perché il cane abbaia", "IT", None),
        ("o cão não ladra", "PT", None),
        ("čez šest življenj", "SL", None),
        ("el niño está aquí", "ES", None),
        ("der Bär läuft schnell", "EN", "LANGUAGE_STANDARD"),
        ("el niño está aquí", "IT", "LANGUAGE_STANDARD"),
        ("собака лает громко", "EN", "LANGUAGE_STANDARD"),
        ("the dog barks", "DE", "LANGUAGE_UNKNOWN"),
    ],
)
def test_the_language_gate_knows_the_letters_of_each_language(
    words: str, language: str, expected: str | None
) -> None:
    assert code(check_language(text(words, language))) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('He said "stop" (twice).', None),
        ("Well, that is fine!", None),
        ("a comma , too far", "ORTHOGRAPHY"),
        ("what is that???", "ORTHOGRAPHY"),
        ("it is sooooo good", "ORTHOGRAPHY"),
        ("the house house is big", "ORTHOGRAPHY"),
        ("he had had enough", None),
        ("a broKen word here", "ORTHOGRAPHY"),
        ("an (open bracket here", "ORTHOGRAPHY"),
        ("a closed) bracket here", "ORTHOGRAPHY"),
        ('one " quote only', "ORTHOGRAPHY"),
        ("an invisible\u200b sign here", "ORTHOGRAPHY"),
        ("a bell \x07 rings here", "ORTHOGRAPHY"),
        ("a turned \u202e word here", "ORTHOGRAPHY"),
    ],
)
def test_the_orthography_gate_finds_slips_of_typing(words: str, expected: str | None) -> None:
    assert code(check_orthography(text(words))) == expected


@pytest.mark.parametrize(
    ("count", "level", "expected"),
    [
        (12, "A0", None),
        (13, "A0", "LEVEL"),
        (50, "C2", None),
        (31, "B1", "LEVEL"),
        (3, "D1", "LEVEL_UNKNOWN"),
    ],
)
def test_the_level_gate_bounds_sentences(count: int, level: str, expected: str | None) -> None:
    assert code(check_level(text("word " * count, level=level))) == expected


def test_the_level_gate_counts_words_by_sentence() -> None:
    assert check_level(text(f"{'word ' * 10}. {'word ' * 10}.", level="A0")) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the year 2026 is fine", None),
        ("write to ann@example.org now", "UNSAFE"),
        ("see https://example.org for more", "UNSAFE"),
        ("call +49 30 123 456 78 now", "UNSAFE"),
        ("a <b>bold</b> word here", "UNSAFE"),
        ("three < four is true", None),
        ("Kill, yourself they said", "UNSAFE"),
        ("skill yourself they said", None),
    ],
)
def test_the_safety_gate_refuses_private_data_markup_and_harm(words: str, expected: str | None) -> None:
    assert code(check_safety(text(words))) == expected


def other(id: str, words: str = "", **more: Any) -> Neighbour:
    return Neighbour(id, "meaning", more.pop("language", "EN"), more.pop("level", "A1"), words, **more)


def test_the_duplication_gate_refuses_the_same_content_and_what_is_nearly_the_same() -> None:
    item = replace(made("utterance", UTTERANCE, text="the old dog barks at the moon"), content_hash="mine")
    assert check_duplication(item, [other("x", "something else entirely")]) is None
    exact = check_duplication(item, [other("x", "?", content_hash="mine")])
    assert (exact or [None])[0] == "DUPLICATE"
    near = check_duplication(item, [other("x", "the old dog barks at the moor"), other("y", "no")])
    assert near is not None
    assert (near[0], near[2]["item_id"]) == ("DUPLICATE", "x")
    assert near[2]["similarity"] == round(
        similarity("the old dog barks at the moon", "the old dog barks at the moor"), 4
    )


@pytest.mark.parametrize(
    ("one", "two", "alike"),
    [
        ("abcdefghijklmnopqrst", "abcdefghijklmnopqXXX", True),
        ("abcdefghijklmnopqrst", "abcdefghijklmnopXXXX", False),
    ],
)
def test_the_border_of_similarity_is_eighty_five_percent(one: str, two: str, alike: bool) -> None:
    item = made("utterance", UTTERANCE, text=one)
    assert (check_duplication(item, [other("x", two)]) is not None) is alike


def test_texts_that_cannot_be_alike_are_left_out_and_all_others_are_measured_exactly() -> None:
    text = "the sudden onset of winter surprised every farmer"
    others = [
        text,
        text.upper(),
        text.replace("winter", "summer"),
        "two cats sleep under my bed",
        "",
        text[::-1],
    ]
    exact = [similarity(text, other) for other in others]
    assert similar_texts(text, others, 0.85) == [score if score >= 0.85 else 0.0 for score in exact]


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"m": other("m")}, None),
        ({}, "PREREQUISITE_MISSING"),
        ({"m": other("m", level="C1")}, "PREREQUISITE_LEVEL"),
        ({"m": other("m", language="IT")}, "PREREQUISITE_LANGUAGE"),
        ({"m": Neighbour("m", "rule", "EN", "A1")}, "PREREQUISITE_TYPE"),
        ({"m": other("m", prerequisites=["n"]), "n": other("n", prerequisites=["me"])}, "PREREQUISITE_CYCLE"),
        ({"m": other("m", prerequisites=["n"]), "n": other("n", prerequisites=["m"])}, None),
    ],
)
def test_the_prerequisites_gate_asks_for_existence_level_language_and_no_cycle(
    graph: dict[str, Neighbour], expected: str | None
) -> None:
    assert code(check_prerequisites(made("utterance", UTTERANCE), graph)) == expected


def test_an_item_does_not_depend_on_itself() -> None:
    item = made("meaning", MEANING, prerequisites=["me"])
    assert code(check_prerequisites(item, {"me": other("me")})) == "PREREQUISITE_CYCLE"


def test_content_is_the_same_whatever_its_case_its_spaces_or_its_unicode_form() -> None:
    one = normalize_value({"text": " Perche\u0301  NO "})
    assert one == {"text": "Perché NO"}
    assert content_hash("utterance", "IT", one) == content_hash("utterance", "IT", {"text": "perché no"})
    assert content_hash("utterance", "IT", one) != content_hash("utterance", "PT", one)
    empty = {"tags": [], "prerequisites": None, "word": ""}
    assert content_hash("utterance", "IT", one) == content_hash("utterance", "IT", {**one, **empty})
    assert content_hash("utterance", "IT", one) != content_hash("utterance", "IT", {**one, "index": 0})


def test_similar_texts_share_a_band_and_others_do_not() -> None:
    text = "the sudden onset of winter surprised every farmer in the valley"
    assert set(sketch(text)) & set(sketch(text.replace("winter", "summer")))
    assert not set(sketch(text)) & set(sketch("two cats sleep under my bed"))
    assert sketch(text) == sketch(text.upper())
    assert sketch("")


@given(texts := st.text("abcdeé ?\U0001f600", max_size=300), texts)
def test_texts_of_which_nothing_can_be_alike_enough_are_never_alike_enough(one: str, other: str) -> None:
    for least in (0.5, 0.85):
        if similarity(one, other) >= least:
            assert can_reach(one.casefold(), other.casefold(), least)
            assert shares_letters(one.casefold(), other.casefold(), least)
