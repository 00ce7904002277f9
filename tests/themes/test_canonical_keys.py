"""Every spelling of a theme has one key, and every key is its own key."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interlock.workflows.themes.extraction.canonical import KEY_PATTERN, LONGEST_KEY, canonical_key
from interlock.workflows.themes.extraction.clusters import cluster_key, cluster_themes


@pytest.mark.parametrize(
    ("theme", "key"),
    [
        ("The Future of AI", "future_ai"),
        ("EVs and batteries", "ev_and_battery"),
        ("C++ tooling", "c_plus_plus_tooling"),
        ("Oil & Gas", "oil_and_gas"),
        ("Café chains", "cafe_chain"),
        ("GLP-1 drugs", "glp_1_drug"),
        ("Weight-Loss   Drugs!", "weight_loss_drug"),
        ("China's Economy", "china_economy"),
        ("ＡＩ chips", "ai_chip"),
        ("Robotics", "robotics"),
        ("Natural gas", "natural_gas"),
        ("IPOs", "ipo"),
        ("the of", "the_of"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_a_theme_has_the_key_of_the_specification(theme: str, key: str) -> None:
    assert canonical_key(theme) == key


def test_a_theme_in_another_script_has_a_key_of_its_own() -> None:
    first, second = canonical_key("人工知能"), canonical_key("電気自動車")
    assert first != second
    assert KEY_PATTERN.fullmatch(first)
    assert canonical_key(first) == first


@given(st.text(max_size=200))
@example("s_s_s the ses")
@example("x" * 300)
@example("news & views " * 20)
def test_a_key_is_well_formed_and_its_own_key(theme: str) -> None:
    key = canonical_key(theme)
    assert canonical_key(key) == key
    assert len(key) <= LONGEST_KEY
    assert KEY_PATTERN.fullmatch(key) or (not key and not theme.strip())


def test_different_words_for_one_theme_share_a_cluster() -> None:
    assert (
        cluster_key("GLP-1")
        == cluster_key("Obesity drugs")
        == cluster_key("weight-loss drug")
        == "weight_loss_drug"
    )
    assert cluster_key("Underwater basket weaving") == "underwater_basket_weaving"


def test_clusters_count_their_mentions_and_name_their_keys() -> None:
    clusters = cluster_themes(["Ozempic", "Wegovy", "Weight-loss drugs", "Tea houses", "tea house"])
    assert [(one.key, one.label, one.mentions) for one in clusters] == [
        ("weight_loss_drug", "Weight-loss drugs", 3),
        ("tea_house", "Tea houses", 2),
    ]
    assert clusters[0].keys == ("ozempic", "wegovy", "weight_loss_drug")
