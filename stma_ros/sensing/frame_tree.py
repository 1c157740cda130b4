"""The coordinate frames that a recording links, without their transforms."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.sensing.topic_map import TopicMap
from stma_ros.storage.bag.reader import Bag
from stma_ros.types.errors import StorageError
from stma_ros.types.standard import TFMessage


class FrameTree:
    """Which frame is whose parent. A leading slash in a name is ignored."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}
        self._moving: set[str] = set()

    def add(self, message: TFMessage, static: bool) -> bool:
        """Adds the links of a message.

        Args:
            message: The transforms.
            static: Whether they hold at all times.

        Returns:
            Whether one of them is new.
        """
        is_new = False
        for transform in message.transforms:
            child, parent = transform.child_frame_id.lstrip("/"), transform.header.frame_id.lstrip("/")
            if child == parent:
                continue
            is_new = is_new or self._parents.get(child) != parent or (child in self._moving) == static
            self._parents[child] = parent
            (self._moving.discard if static else self._moving.add)(child)
        return is_new

    def moves(self, frame: str) -> bool:
        """Returns whether a frame moves in its parent."""
        return frame in self._moving

    def ancestors(self, frame: str) -> list[str]:
        """Returns the frames above a frame, the nearest first."""
        found: list[str] = []
        parent = self._parents.get(frame)
        while parent is not None and parent not in found:
            found.append(parent)
            parent = self._parents.get(parent)
        return found

    def connected(self, frame: str) -> set[str]:
        """Returns all frames that links connect with a frame, and the frame itself."""
        found = {frame}
        while True:
            near = {name for link in self._parents.items() if not found.isdisjoint(link) for name in link}
            if near <= found:
                return found
            found |= near


def growing_tree(bag: Bag, chosen: TopicMap) -> Iterator[FrameTree]:
    """Yields the tree of a bag's frames after each message with a new link. chosen: its topics."""
    tree = FrameTree()
    names = {name for name in (chosen.tf, chosen.tf_static) if name}
    for raw in bag.messages(on_damage=lambda damage: None, topics=names) if names else ():
        try:
            is_new = tree.add(bag.decode(raw, TFMessage), raw.topic == chosen.tf_static)
        except StorageError:
            continue  # undecodable messages are counted when frames are made
        if is_new:
            yield tree
