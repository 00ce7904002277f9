"""The Merkle tree: grown in pieces it has the root that one gets by folding it whole, and each path leads to that root."""

from __future__ import annotations

import pytest

from interlock.store.ledger.seals.merkle import BLOCK, Tree, climb, fold, leaf, node, path

LEAVES = [leaf(str(number)) for number in range(3 * BLOCK + 5)]


def test_two_leaves_make_one_node_and_an_odd_one_is_promoted() -> None:
    first, second, third = LEAVES[:3]
    assert fold([first, second]) == node(first, second)
    assert fold([first, second, third]) == node(node(first, second), third)
    assert fold([first]) == first


@pytest.mark.parametrize(
    "count", [0, 1, 2, 3, 7, 8, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 3, 3 * BLOCK, len(LEAVES)]
)
def test_a_tree_grown_in_pieces_has_the_root_of_the_whole(count: int) -> None:
    for step in (1, 100, 5000):
        tree = Tree()
        for start in range(0, count, step):
            tree.extend(LEAVES[start : min(start + step, count)])
        assert tree.size == count
        assert tree.root() == fold(LEAVES[:count])


@pytest.mark.parametrize("count", [1, 2, 3, 6, BLOCK, BLOCK + 1, 2 * BLOCK + 3, len(LEAVES)])
def test_a_path_leads_to_the_root_and_nowhere_else(count: int) -> None:
    wanted = {0, count - 1, count // 2, count // 3}
    tree = Tree(wanted)
    tree.extend(LEAVES[:count])
    root = tree.root()
    for index in wanted:
        assert tree.paths[index] == path(LEAVES[:count], index)
        assert climb(LEAVES[index], tree.paths[index]) == root
        assert climb(leaf("forged"), tree.paths[index]) != root


def test_a_leaf_can_never_be_taken_for_a_node() -> None:
    inner = node(LEAVES[0], LEAVES[1])
    assert leaf((LEAVES[0] + LEAVES[1]).decode("latin-1")) != inner
