"""Policy by rules that only explore: they try directions, and know no story."""

from __future__ import annotations

from stma_ros.domains.adventure.aims import Aim, read_aim
from stma_ros.domains.adventure.exploration import Candidate, aim_of, candidates
from stma_ros.domains.adventure.history import read_history
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import PolicyQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_LOOK = Action(words.SKILL_COMMAND, ("look",))
_GIVE_UP = Action(words.SKILL_GIVE_UP)


class AdventurePolicy:
    """A PolicyRole for text adventures.

    It reads rooms and exits out of the temporal belief's text, tries the nearest direction that was not tried yet,
    first those that a description names, and opens what a reply says to be closed and in the way. It takes nothing and
    solves nothing, and gives up only when nothing is left to be tried.
    """

    def answer(self, query: PolicyQuery) -> PlanAnswer:
        """Returns the next action."""
        explored = read_history(query.temporal.text)
        if explored.here is None and _is_possible(_LOOK, query):
            subgoal = "look around" if query.subgoals and not query.temporal.subgoal else ""
            return PlanAnswer(subgoal, (_LOOK,), "It is not known where this is.")
        possible = [each for each in candidates(explored) if _is_possible(_action(each), query)]
        present = read_aim(query.temporal.subgoal) if query.subgoals else None
        for candidate in possible:
            if present is not None and _is_meant(present, candidate):
                return PlanAnswer("", (_action(candidate),), "It leads to the subgoal.")
        if not possible:
            subgoal = "give up" if query.subgoals else ""
            return PlanAnswer(
                subgoal, (_GIVE_UP,), "Every direction of every room that can be reached was tried."
            )
        best = possible[0]
        why = f"{best.direction} was not tried yet in {best.place.title}."
        subgoal = str(aim_of(best, explored)) if query.subgoals else ""
        return PlanAnswer(subgoal, (_action(best),), why)


def _is_possible(action: Action, query: PolicyQuery) -> bool:
    return action in query.allowed and action not in query.rejected


def _action(candidate: Candidate) -> Action:
    return Action(words.SKILL_COMMAND, (candidate.command,))


def _is_meant(aim: Aim, candidate: Candidate) -> bool:
    return aim.direction == candidate.direction and aim.fits(candidate.place)
