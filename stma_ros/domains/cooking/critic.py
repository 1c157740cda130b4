"""Judges single commands of text games by rules (STMA, section 4.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from stma_ros.domains.cooking.game_state import Container, ExitRoute, GameState
from stma_ros.domains.cooking.repetition import better_exit, had_no_effect, was_visited_in_vain
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, Criterion, Verdict

_MAX_SUGGESTED = 8  # allowed commands in the feedback

Check = Callable[[str, GameState], str]


class TextCritic:
    """A CriticRole for cooking games. Each check returns feedback for the planner; empty = the criterion is met."""

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        """Returns the verdict by the first criterion that is not met, or acceptance."""
        if query.action not in query.allowed_actions:
            return _rejected(Criterion.VALIDITY, _not_allowed(query.action, query.allowed_actions))
        game_state = GameState(query.temporal, query.spatial, query.observation, query.allowed_actions)
        if query.action.skill == words.SKILL_GIVE_UP:
            reason = _giving_up(game_state)
            return _rejected(Criterion.ALIGNMENT, reason) if reason else CritiqueAnswer(Verdict.ACCEPTED)
        command = query.action.arguments[0].casefold()
        for criterion, check in _CHECKS:
            reason = check(command, game_state)
            if reason:
                return _rejected(criterion, reason)
        reason = _subgoal(command, game_state, query.subgoal.casefold())
        return _rejected(Criterion.ALIGNMENT, reason) if reason else CritiqueAnswer(Verdict.ACCEPTED)


def _rejected(criterion: Criterion, reason: str) -> CritiqueAnswer:
    return CritiqueAnswer(Verdict.REJECTED, criterion, reason)


def _not_allowed(action: Action, allowed: Iterable[Action]) -> str:
    similar = [str(item) for item in allowed if str(item).split()[:1] == str(action).split()[:1]]
    listed = ", ".join(similar[:_MAX_SUGGESTED]) or "another command"
    return f"{str(action)!r} is not possible now; possible: {listed}."


def _giving_up(game_state: GameState) -> str:
    """Returns feedback if giving up is too early."""
    for name in game_state.to_collect:
        room = game_state.places.get(name, "")
        if game_state.route_to(room) is not None:
            return f"{name} was seen in the {room}; fetch it."
    if game_state.search_targets and (game_state.unexplored_exits or game_state.containers):
        return "Not everything was explored yet; look on."
    rules = game_state.rules
    doable = [rules.command(step.verb, step.food) for step in game_state.todo]
    doable += [rules.prepare] if game_state.is_ready else []
    here = [command for command in doable if command in game_state.commands]
    begin = here or sorted({moves[0] for moves in _useful_routes(game_state) if moves})
    return f"Not everything that can be done is done; go on with: {begin[0]}." if begin else ""


def _temporal(command: str, game_state: GameState) -> str:
    """Returns feedback if the history speaks against the command."""
    rules = game_state.rules
    if command == rules.read and game_state.recipe is not None:
        return "The recipe is known already; follow it."
    if command.partition(" ")[0] in rules.idle and command != rules.read:
        return f"{command!r} tells nothing that the beliefs do not hold."
    if command != rules.read and had_no_effect(command, game_state):
        return f"{command!r} changed nothing the last time, and all is as it was then."
    other = better_exit(command, game_state)
    if other and not any(moves[:1] == (command,) for moves in _useful_routes(game_state)):
        return f"{command!r} was done again and again, and nothing came of it; try {other!r}."
    return ""


def _safety(command: str, game_state: GameState) -> str:
    """Returns feedback if the command spoils food: by cooking or cutting it wrongly or twice, or by eating it."""
    rules, recipe = game_state.rules, game_state.recipe
    verb, _, rest = command.partition(" ")
    if verb == rules.eat.split()[0] and command != rules.eat:
        return f"{rest} would be gone; only the meal is to be eaten."
    food, _, tool = rest.rpartition(" with ")
    cooking = bool(food) and tool in rules.appliances.values()
    if not (rules.cuts(verb) or cooking):
        return ""
    if recipe is None:
        return f"The recipe is not known yet: {command!r} may spoil {food}."
    wanted = {rules.command(step.verb, step.food) for step in game_state.todo}
    if command in wanted:
        return ""
    if any(command == rules.command(step.verb, step.food) for step in recipe.steps):
        return f"{food} is {rules.results.get(verb, 'cooked')} already; once more would spoil it."
    return f"The recipe does not ask for {command!r}; it would spoil {food}. Still to do: {_listed(wanted)}."


def _spatial(command: str, game_state: GameState) -> str:
    """Returns feedback if a move leads nowhere useful."""
    verb, _, target = command.partition(" ")
    if verb == "go":
        return _useless_move(command, game_state, f"Going {target} leads to nothing that is needed.")
    if verb == "open" and any(exit_.door == target for exit_ in game_state.scene.exits):
        return _useless_move(command, game_state, f"Behind the {target} is nothing that is needed.")
    return ""


def _useless_move(command: str, game_state: GameState, reason: str) -> str:
    """Returns this reason, with better commands, if a move is not the beginning of a useful route."""
    if not game_state.routes:
        return ""  # no route is known
    if game_state.search_targets and not (game_state.unexplored_exits or game_state.containers):
        return ""  # the target was overlooked or was moved: any exit may lead to it
    useful = [moves for moves in _useful_routes(game_state) if moves and moves[0] in game_state.commands]
    if not useful or any(moves[:1] == (command,) for moves in useful):
        return ""
    return f"{reason} Sensible ways begin with: {_listed({moves[0] for moves in useful})}."


def _useful_routes(game_state: GameState) -> tuple[tuple[str, ...], ...]:
    """Returns the routes to all places that may be needed, without rooms that were visited in vain."""
    rules = game_state.rules
    wanted = [
        *game_state.to_collect,
        *(rules.tool(s.verb) for s in game_state.todo if not rules.cuts(s.verb)),
    ]
    if game_state.recipe is None or game_state.is_ready:
        wanted.append(rules.book)
    rooms = (game_state.places.get(name, "") for name in wanted)
    routes = (game_state.route_to(room) for room in rooms if not was_visited_in_vain(room, game_state))
    searches = (
        *(route.moves for route in game_state.unexplored_exits),
        *(container.moves for container in game_state.containers),
    )
    return (*filter(None, routes), *(searches if game_state.search_targets else ()))


def _alignment(command: str, game_state: GameState) -> str:
    """Returns feedback if the command does not serve the recipe."""
    rules = game_state.rules
    verb, _, rest = command.partition(" ")
    if command == rules.prepare:
        return "" if game_state.is_ready else f"Not everything is ready: {_missing(game_state)}."
    if verb == "take":
        name = rest.partition(" from ")[0]
        if name not in game_state.to_collect:
            return f"{name} is not needed." if game_state.recipe else "What is needed is not known yet."
        return ""
    if verb in ("go", "open"):
        at_hand = [name for name in game_state.to_collect if game_state.scene.find_object(name)]
        if at_hand:
            return f"{at_hand[0]} is here and is needed; take it first."
        is_container = verb == "open" and game_state.scene.find_object(rest) is not None
        remembered = any(game_state.hidden_in(name) == rest for name in game_state.to_collect)
        if (
            is_container
            and not remembered
            and not (game_state.search_targets and rules.likelihood_inside(rest))
        ):
            return f"What is needed is not in the {rest}."
        return ""
    if verb in ("drop", "put", "insert", "close", "lock", "unlock"):
        return f"{command!r} brings the meal no nearer."
    return ""


def _subgoal(command: str, game_state: GameState, subgoal: str) -> str:
    """Returns feedback if the subgoal names a place to search and the move does not lead there."""
    if command.partition(" ")[0] not in ("go", "open"):
        return ""
    places: Iterable[ExitRoute | Container] = (*game_state.unexplored_exits, *game_state.containers)
    begin = {place.moves[0] for place in places if place.moves and _names(subgoal, str(place))}
    if begin and command not in begin:
        return f"{command!r} does not serve to {subgoal}; that begins with: {_listed(begin)}."
    if not begin:
        for room, direction, behind in game_state.explored_exits:
            if _names(subgoal, str(ExitRoute(room, direction, "", ()))):
                return f"There is no need to {subgoal}: the {behind} is there."
    return ""


def _names(subgoal: str, place: str) -> bool:
    return re.search(rf"\b{re.escape(place)}\b", subgoal) is not None


def _missing(game_state: GameState) -> str:
    steps = [f"{step.verb} the {step.food}" for step in game_state.todo]
    undoable = (f"{direction} (which cannot be done)" for direction in game_state.impossible_steps)
    missing = [*(f"take the {name}" for name in game_state.to_collect), *steps, *undoable]
    return _listed(missing or ["the recipe is not known"])


def _listed(items: Iterable[str]) -> str:
    return ", ".join(sorted(items)) or "nothing"


_CHECKS: tuple[tuple[Criterion, Check], ...] = (
    (Criterion.TEMPORAL, _temporal),
    (Criterion.SAFETY, _safety),
    (Criterion.SPATIAL, _spatial),
    (Criterion.ALIGNMENT, _alignment),
)
