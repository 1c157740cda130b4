"""Plans in text games by rules.

The planner does all steps that are possible in this room, then fetches objects with a known place, then searches the
most promising place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.cooking.exploration import Exploration, promising
from stma_ros.domains.cooking.game_state import GameState
from stma_ros.domains.cooking.subplans import doable_here, nearest_visit, round_trip, up_to_visit
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

GIVE_UP = Action(words.SKILL_GIVE_UP)

_MAX_PROPOSALS = 2  # of an action that the critic rejects, before other actions are preferred
_DETOUR = 1  # [commands] to an object or appliance that is visited before the search goes on


@dataclass(frozen=True)
class _Candidate:
    subgoal: str
    commands: tuple[str, ...]
    why: str


class TextPlanner:
    """A PlannerRole for cooking games."""

    def __init__(self, explore: Exploration = promising) -> None:
        """Creates a planner.

        Args:
            explore: returns the places to search, best first.
        """
        self._explore = explore

    def answer(self, query: PlanQuery) -> PlanAnswer:
        """Returns the best plan; it gives up if no command is useful."""
        game_state = GameState(query.temporal, query.spatial, query.observation, query.allowed_actions)
        rejections = Counter(str(item).casefold() for item in query.rejected)
        plans = [
            plan
            for plan in self._candidates(game_state)
            if plan.commands[:1] and plan.commands[0] in game_state.commands
        ]
        # The critic may err, and asking it costs no command. A rejected action is therefore proposed once more, and
        # after a second rejection only if there is no other.
        best = min(plans, key=lambda plan: rejections[plan.commands[0]] // _MAX_PROPOSALS, default=None)
        if best is None:
            why = _impossible_steps(game_state) or "Nothing that is known and allowed leads any farther."
            return PlanAnswer("give up", (GIVE_UP,), why)
        return PlanAnswer(best.subgoal, tuple(map(game_state.spell, best.commands)), best.why)

    def _candidates(self, game_state: GameState) -> Iterator[_Candidate]:
        """Yields plans, best first."""
        if game_state.is_stuck:
            return
        if game_state.recipe is None:
            yield from self._find_recipe(game_state)
            yield from self._search(game_state)
        else:
            yield from self._follow_recipe(game_state)

    def _find_recipe(self, game_state: GameState) -> Iterator[_Candidate]:
        rules = game_state.rules
        yield _Candidate("read the recipe", (rules.read,), f"The {rules.book} is here.")
        route = game_state.route_to(game_state.places.get(rules.book, ""))
        if route:
            yield _Candidate("read the recipe", (*route, rules.read), f"The {rules.book} was seen.")

    def _follow_recipe(self, game_state: GameState) -> Iterator[_Candidate]:
        needed = self._needed(game_state)
        yield _Candidate(
            f"follow the recipe here: {needed}",
            doable_here(game_state),
            "Everything that this needs is here.",
        )
        go = _Candidate(
            f"go where it can be done: {needed}",
            round_trip(game_state),
            "All of it is at places that are known.",
        )
        if not game_state.search_targets:
            yield go
            yield from self._search(game_state)
            return
        near = nearest_visit(game_state)
        if 0 < len(near) <= _DETOUR:
            yield _Candidate(f"fetch what lies near: {needed}", near, "It is needed, and hardly a detour.")
        yield from self._search(game_state)
        yield go

    @staticmethod
    def _needed(game_state: GameState) -> str:
        """Returns the names of the needed objects, which the subgoal contains for the retrieval (STMA, algorithm 1)."""
        rules = game_state.rules
        steps = (f"{step.verb} the {step.food} with {rules.tool(step.verb)}" for step in game_state.todo)
        return ", ".join((*game_state.to_collect, *steps)) or rules.prepare

    def _search(self, game_state: GameState) -> Iterator[_Candidate]:
        targets = ", ".join(game_state.search_targets) or "what is needed"
        for option in self._explore(game_state):
            moves = up_to_visit(option.moves, game_state)
            yield _Candidate(f"look {option.name} for {targets}", moves, f"{targets} may be there.")
        for route in game_state.exits_by_last_use:
            yield _Candidate(
                f"walk on {route.direction}", route.moves, "Nothing that is known leads any farther."
            )


def _impossible_steps(game_state: GameState) -> str:
    return (
        f"Nobody here knows how to {', '.join(game_state.impossible_steps)}."
        if game_state.impossible_steps
        else ""
    )
