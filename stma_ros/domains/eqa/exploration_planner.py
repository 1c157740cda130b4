"""Rules for the high-level planner: parallel predictions of where the evidence is, of which one is followed until it is
refuted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stma_ros.domains.eqa.aims import Aim, read_aim
from stma_ros.domains.eqa.branches import anchors_of, best_match, branch_text
from stma_ros.domains.eqa.frontier_values import FrontierValue, frontier_values
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.eqa.search_order import search_costs
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.exploration_planner import ChecklistAnswer, ChecklistQuery
from stma_ros.types.exploration import ChecklistItem, ItemState

PIVOT = 0.8
"""The search is begun elsewhere when that shortens the expected way to this share."""

MAX_BRANCHES = 6
"""Predictions in a checklist that are not eliminated."""

MAX_ELIMINATED = 12
"""Eliminated ones that are kept, the newest."""


class SymbolicExplorationPlanner:
    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)

    def answer(self, query: ChecklistQuery) -> ChecklistAnswer:
        aim = read_aim(self._parser, query.question, self._knowledge)
        later = _later_items(aim, query.items)
        if not query.branches:
            return ChecklistAnswer(
                _begun(later), "The plan is as it was." if query.items else "A first plan."
            )
        values = frontier_values(query.frontiers, aim, self._knowledge)
        costs = search_costs(values)
        best = min(costs, key=lambda number: costs[number], default=None)
        current = next((item for item in query.items if _is_open(item, ItemState.IN_PROGRESS)), None)
        eliminated = [item for item in query.items if _is_branch(item) and item.state == ItemState.COMPLETED]
        followed = None if current is None else best_match(anchors_of(current.text) or frozenset(), values)
        reasoning = "I follow what I predicted."
        if current is not None and followed is None:
            eliminated.append(_eliminated(current, "there is no way on any more"))
        elif current is not None and followed is not None and _is_long(followed, costs):
            reason = f"it shows {_room(followed)}, and the search is shorter elsewhere"
            eliminated.append(_eliminated(current, reason))
            followed = None
        if followed is None and best is not None:
            followed = values[best]
            reasoning = "I begin where the whole search is shortest."
        branches = _branches(values, followed, aim)
        return ChecklistAnswer((*eliminated[-MAX_ELIMINATED:], *branches, *later), reasoning)


def _is_long(followed: FrontierValue, costs: Mapping[int, float]) -> bool:
    """Whether a search that begins with the followed way is much longer than the best one."""
    return min(costs.values()) < PIVOT * costs.get(followed.number, math.inf)


def _branches(
    values: Sequence[FrontierValue], followed: FrontierValue | None, aim: Aim
) -> list[ChecklistItem]:
    """Returns an item for each way on, the followed one first; ways that look alike share one."""
    order = sorted(values, key=lambda value: (value is not followed, -value.value))
    what = f"the {aim.room}" if aim.room else f"the {aim.kinds[0]}" if aim.kinds else "what is asked"
    items: dict[str, ChecklistItem] = {}
    for value in order[:MAX_BRANCHES]:
        state = ItemState.IN_PROGRESS if value is followed else ItemState.PENDING
        text = branch_text(value, what)
        items.setdefault(text, ChecklistItem(text=text, state=state))
    return list(items.values())


def _later_items(aim: Aim, items: Sequence[ChecklistItem]) -> tuple[ChecklistItem, ...]:
    """Returns the items after the branches: those of the last checklist, or the first ones."""
    kept = tuple(item for item in items if not _is_branch(item))
    if kept:
        return kept
    texts = [f"Get to the {aim.room}"] if aim.room else []
    texts += [f"Find the {kind}" for kind in aim.kinds[:2]]
    return tuple(ChecklistItem(text=text) for text in (*texts, "Answer the question"))


def _begun(items: tuple[ChecklistItem, ...]) -> tuple[ChecklistItem, ...]:
    """Returns a list of subgoals with the first one under way."""
    first = next((k for k, item in enumerate(items) if item.state != ItemState.COMPLETED), None)
    return tuple(
        replace(item, state=ItemState.IN_PROGRESS) if k == first else item for k, item in enumerate(items)
    )


def _is_branch(item: ChecklistItem) -> bool:
    return anchors_of(item.text) is not None


def _is_open(item: ChecklistItem, state: ItemState) -> bool:
    return _is_branch(item) and item.state == state


def _eliminated(item: ChecklistItem, reason: str) -> ChecklistItem:
    return replace(item, state=ItemState.COMPLETED, reason=reason)


def _room(value: FrontierValue) -> str:
    return f"a {value.room}" if value.room else "no telling furniture"
