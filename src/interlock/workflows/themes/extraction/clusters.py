"""Clusters of themes: different words for one theme share one cluster, by canonical key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from .canonical import canonical_key
from .taxonomy import Taxonomy, bundled_taxonomy


@dataclass(frozen=True)
class Cluster:
    """One theme with the keys and labels by which articles call it."""

    key: str
    label: str
    keys: tuple[str, ...]
    mentions: int


def cluster_key(theme: str, taxonomy: Taxonomy | None = None) -> str:
    """Return the key of the cluster that a theme or its canonical key belongs to; an unknown theme is a cluster of its own."""
    key = canonical_key(theme)
    return (taxonomy or bundled_taxonomy()).clusters.get(key, key)


def cluster_label(key: str, raw_themes: Iterable[str] = (), taxonomy: Taxonomy | None = None) -> str:
    """Return the label of a cluster: that of the taxonomy, else the most frequent raw theme, else the key in words."""
    for theme in (taxonomy or bundled_taxonomy()).themes:
        if theme.key == key:
            return theme.label
    counts = Counter(raw_themes)
    if counts:
        return min(counts, key=lambda one: (-counts[one], one))
    return key.replace("_", " ").capitalize()


def cluster_themes(raw_themes: Iterable[str], taxonomy: Taxonomy | None = None) -> list[Cluster]:
    """Return the clusters of these themes, the most mentioned first."""
    members: dict[str, list[str]] = defaultdict(list)
    for theme in raw_themes:
        key = cluster_key(theme, taxonomy)
        if key:
            members[key].append(theme)
    clusters = [
        Cluster(
            key,
            cluster_label(key, themes, taxonomy),
            tuple(sorted({canonical_key(one) for one in themes})),
            len(themes),
        )
        for key, themes in members.items()
    ]
    return sorted(clusters, key=lambda one: (-one.mentions, one.key))
