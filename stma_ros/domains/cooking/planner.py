"""Plans in text games by rules: do what can be done here, fetch what is known, search where it is most promising."""

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

_PROPOSALS = 2  # of one action in a row
_DETOUR = 1  # [commands] within which a known errand is done before looking on


@dataclass(frozen=True)
class _Idea:
    subgoal: str
    commands: tuple[str, ...]
    why: str


class TextPlanner:
    """A PlannerRole. explore: returns where to search, best first."""

    def __init__(self, explore: Exploration = promising) -> None:
        self._explore = explore

    def answer(self, query: PlanQuery) -> PlanAnswer:
        game_state = GameState(query.temporal, query.spatial, query.observation, query.allowed_actions)
        refusals = Counter(str(item).casefold() for item in query.rejected)
        ideas = [
            idea
            for idea in self._ideas(game_state)
            if idea.commands[:1] and idea.commands[0] in game_state.commands
        ]
        # The critic may err, and asking costs no command: what it refused once is proposed once more, and what it
        # refused again when nothing else is left.
        best = min(ideas, key=lambda idea: refusals[idea.commands[0]] // _PROPOSALS, default=None)
        if best is None:
            why = _cannot(game_state) or "Nothing that is known and allowed leads any farther."
            return PlanAnswer("give up", (GIVE_UP,), why)
        return PlanAnswer(best.subgoal, tuple(map(game_state.spell, best.commands)), best.why)

    def _ideas(self, game_state: GameState) -> Iterator[_Idea]:
        """Yields plans, best first."""
        if game_state.is_stuck:
            return
        if game_state.recipe is None:
            yield from self._find_recipe(game_state)
            yield from self._look(game_state)
        else:
            yield from self._follow_recipe(game_state)

    def _find_recipe(self, game_state: GameState) -> Iterator[_Idea]:
        rules = game_state.rules
        yield _Idea("read the recipe", (rules.read,), f"The {rules.book} is here.")
        way = game_state.way_to(game_state.places.get(rules.book, ""))
        if way:
            yield _Idea("read the recipe", (*way, rules.read), f"The {rules.book} was seen.")

    def _follow_recipe(self, game_state: GameState) -> Iterator[_Idea]:
        needed = self._needed(game_state)
        yield _Idea(
            f"follow the recipe here: {needed}",
            doable_here(game_state),
            "Everything that this needs is here.",
        )
        go = _Idea(
            f"go where it can be done: {needed}",
            round_trip(game_state),
            "All of it is at places that are known.",
        )
        if not game_state.sought:
            yield go
            yield from self._look(game_state)
            return
        near = nearest_visit(game_state)
        if 0 < len(near) <= _DETOUR:
            yield _Idea(f"fetch what lies near: {needed}", near, "It is needed, and hardly a detour.")
        yield from self._look(game_state)
        yield go

    @staticmethod
    def _needed(game_state: GameState) -> str:
        """Returns the needed objects by name: a subgoal's names are looked up in the spatial memory (STMA, algorithm
        1)."""
        rules = game_state.rules
        steps = (f"{step.verb} the {step.food} with {rules.tool(step.verb)}" for step in game_state.todo)
        return ", ".join((*game_state.lacking, *steps)) or rules.prepare

    def _look(self, game_state: GameState) -> Iterator[_Idea]:
        sought = ", ".join(game_state.sought) or "what is needed"
        for option in self._explore(game_state):
            moves = up_to_visit(option.moves, game_state)
            yield _Idea(f"look {option.name} for {sought}", moves, f"{sought} may be there.")
        for opening in game_state.ways_on:
            yield _Idea(
                f"walk on {opening.direction}", opening.moves, "Nothing that is known leads any farther."
            )


def _cannot(game_state: GameState) -> str:
    return f"Nobody here knows how to {', '.join(game_state.undoable)}." if game_state.undoable else ""
