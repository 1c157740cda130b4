"""Rules for the frontier chooser: the frontier that the plan names, or else the most promising one."""

from __future__ import annotations

import math

from stma_ros.domains.eqa.aims import read_aim
from stma_ros.domains.eqa.branches import anchors_of, best_match
from stma_ros.domains.eqa.frontier_values import FrontierValue, frontier_values
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.exploration import FrontierQuery
from stma_ros.roles.frontier_chooser import ChosenFrontier
from stma_ros.types.exploration import ItemState


class SymbolicFrontierChooser:
    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)

    def answer(self, query: FrontierQuery) -> ChosenFrontier:
        if not query.frontiers:
            return ChosenFrontier(None, "There is no way on.")
        aim = read_aim(self._parser, query.question, self._knowledge)
        values = frontier_values(query.frontiers, aim, self._knowledge)
        followed = next((item for item in query.items if item.state == ItemState.IN_PROGRESS), None)
        anchors = None if followed is None else anchors_of(followed.text)
        planned = None if anchors is None else best_match(anchors, values)
        if planned is not None:
            return ChosenFrontier(planned.number, f"I follow the plan, on past {_past(planned)}.")
        best = max(values, key=lambda value: value.value)
        return ChosenFrontier(best.number, f"I go on past {_past(best)}, which is the most promising way.")


class NearestFrontierChooser:
    """Chooses the frontier with the shortest way, whatever the question."""

    def answer(self, query: FrontierQuery) -> ChosenFrontier:
        if not query.frontiers:
            return ChosenFrontier(None, "There is no way on.")
        lengths = [math.inf if math.isnan(each.length) else each.length for each in query.frontiers]
        return ChosenFrontier(lengths.index(min(lengths)), "It is the nearest way on.")


def _past(value: FrontierValue) -> str:
    return " and ".join(f"the {kind}" for kind in value.anchors) or "the bare floor"
