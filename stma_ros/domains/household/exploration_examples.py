"""One short question for each role of an exploring agent; the household's `examples` include them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stma_ros.domains.household.example_pictures import bare_wall, open_door, table_top
from stma_ros.models.images import Picture
from stma_ros.roles.answerer import ANSWERER, AnswerQuery
from stma_ros.roles.category_filter import CATEGORY_FILTER, CategoryQuery
from stma_ros.roles.exploration import ExplorationQuery, FrontierQuery
from stma_ros.roles.exploration_planner import EXPLORATION_PLANNER, ChecklistQuery
from stma_ros.roles.frontier_chooser import FRONTIER_CHOOSER
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER
from stma_ros.roles.recorder import RECORDER, RecordQuery
from stma_ros.roles.snapshot_manager import SNAPSHOT_MANAGER
from stma_ros.types.exploration import ChecklistItem, FrontierView, ItemState, Snapshot
from stma_ros.types.standard import CompressedImage

_QUESTION = "What colour is the block on the table?"
_TRAIL = ("The robot started in a room with bare walls, and goes to a brown table to look at it.",)
_ITEMS = (
    ChecklistItem(
        text="Look at the brown table from nearby, since the block may be on it", state=ItemState.IN_PROGRESS
    ),
    ChecklistItem(text="Go through the door to the dark room, since another table may be there"),
    ChecklistItem(text="Find the block and see its colour"),
)


def _snapshot(name: str, shown: Picture) -> Snapshot:
    data = np.frombuffer(shown.png, np.uint8)
    return Snapshot(id=name, picture=CompressedImage(format="png", data=data))


_WALL = _snapshot("1", bare_wall())
_TABLE = _snapshot("2", table_top())
_DOOR = _snapshot("3", open_door())
_SNAPSHOTS = (_WALL, _TABLE)
_FRONTIERS = (
    FrontierView(frontier="1", length=3.4, view=_DOOR),
    FrontierView(frontier="2", length=1.2, view=_WALL),
)

EXPLORATION_EXAMPLES: Mapping[str, Any] = {
    SNAPSHOT_MANAGER.name: ExplorationQuery(_QUESTION, _ITEMS, _TRAIL, (*_SNAPSHOTS, _DOOR)),
    FRONTIER_MANAGER.name: FrontierQuery(_QUESTION, _ITEMS, _TRAIL, _SNAPSHOTS, _FRONTIERS),
    CATEGORY_FILTER.name: CategoryQuery(_QUESTION, ("block", "door", "table"), most=10),
    ANSWERER.name: AnswerQuery(_QUESTION, _ITEMS, _TRAIL, _SNAPSHOTS, must_answer=True),
    EXPLORATION_PLANNER.name: ChecklistQuery(_QUESTION, _ITEMS, _TRAIL, _SNAPSHOTS, _FRONTIERS),
    FRONTIER_CHOOSER.name: FrontierQuery(_QUESTION, _ITEMS, _TRAIL, _SNAPSHOTS[:1], _FRONTIERS),
    RECORDER.name: RecordQuery(
        _QUESTION,
        _TRAIL,
        manager="On the brown table is a block. There is a door to a dark room.",
        answerer="Snapshot 1 shows the block, but too far away to be sure of its colour.",
        chooser="Frontier 0 leads to the dark room; the plan says to look at the table first, so it can wait.",
    ),
}
"""Questions by the name of the role."""
