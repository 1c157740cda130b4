"""Tests of the tree of coordinate frames that a recording links."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.sensing.frame_tree import FrameTree
from stma_ros.types.standard import TFMessage
from support.sensing.external_bags import transform

NAMES = st.sampled_from("abcdef")
LINKS = st.lists(st.tuples(NAMES, NAMES, st.booleans()), max_size=12)


def tree_of(links: list[tuple[str, str, bool]]) -> FrameTree:
    tree = FrameTree()
    for parent, child, static in links:
        tree.add(TFMessage((transform(0, parent, child),)), static)
    return tree


def test_tree_gives_the_frames_above_and_around_a_frame() -> None:
    tree = tree_of(
        [("/odom", "base", False), ("base", "/camera", True), ("base", "arm", True), ("a", "b", True)]
    )
    assert tree.ancestors("camera") == ["base", "odom"]
    assert tree.connected("camera") == {"camera", "base", "odom", "arm"}
    assert tree.connected("elsewhere") == {"elsewhere"}
    assert [name for name in ("odom", "base", "camera") if tree.moves(name)] == ["base"]


def test_tree_says_which_links_are_new() -> None:
    tree = FrameTree()
    links = [
        ("a", "b", True),
        ("a", "b", True),
        ("a", "b", False),
        ("a", "b", False),
        ("c", "b", False),
        ("b", "b", False),
    ]
    news = [tree.add(TFMessage((transform(0, parent, child),)), static) for parent, child, static in links]
    assert news == [True, False, True, False, True, False]


@given(LINKS)
def test_frames_that_any_links_connect_are_connected_both_ways(links: list[tuple[str, str, bool]]) -> None:
    tree = tree_of(links)
    for name in "abcdef":
        above = tree.ancestors(name)
        assert len(above) == len(set(above))
        assert tree.connected(name) >= {name, *above}
        assert all(name in tree.connected(other) for other in tree.connected(name))
