"""Judges single commands of text games by rules (STMA, section 4.3), from the history and the command before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from stma_ros.domains.cooking.game_state import Container, GameState, Opening
from stma_ros.domains.cooking.repetition import changed_nothing, instead_of, visited_in_vain
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, Criterion, Verdict

_SHOWN = 8  # allowed commands that a refusal names

Check = Callable[[str, GameState], str]


class TextCritic:
    """A CriticRole."""

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        if query.action not in query.allowed_actions:
            return _rejected(Criterion.VALIDITY, _not_allowed(query.action, query.allowed_actions))
        game_state = GameState(query.temporal, query.spatial, query.observation, query.allowed_actions)
        if query.action.skill == words.SKILL_GIVE_UP:
            reason = _hope(game_state)
            return _rejected(Criterion.ALIGNMENT, reason) if reason else CritiqueAnswer(Verdict.ACCEPTED)
        command = query.action.arguments[0].casefold()
        for criterion, check in _CHECKS:
            reason = check(command, game_state)
            if reason:
                return _rejected(criterion, reason)
        reason = _aside(command, game_state, query.subgoal.casefold())
        return _rejected(Criterion.ALIGNMENT, reason) if reason else CritiqueAnswer(Verdict.ACCEPTED)


def _rejected(criterion: Criterion, reason: str) -> CritiqueAnswer:
    return CritiqueAnswer(Verdict.REJECTED, criterion, reason)


def _not_allowed(action: Action, allowed: Iterable[Action]) -> str:
    same = [str(item) for item in allowed if str(item).split()[:1] == str(action).split()[:1]]
    listed = ", ".join(same[:_SHOWN]) or "another command"
    return f"{str(action)!r} is not possible now; possible: {listed}."


def _hope(game_state: GameState) -> str:
    """Returns feedback if giving up is too early."""
    for name in game_state.lacking:
        room = game_state.places.get(name, "")
        if game_state.way_to(room) is not None:
            return f"{name} was seen in the {room}; fetch it."
    if game_state.sought and (game_state.openings or game_state.containers):
        return "Not everything was explored yet; look on."
    rules = game_state.rules
    doable = [rules.command(step.verb, step.food) for step in game_state.todo]
    doable += [rules.prepare] if game_state.is_ready else []
    here = [command for command in doable if command in game_state.commands]
    begin = here or sorted({moves[0] for moves in _aims(game_state) if moves})
    return f"Not everything that can be done is done; go on with: {begin[0]}." if begin else ""


def _temporal(command: str, game_state: GameState) -> str:
    """Returns feedback if the history speaks against the command."""
    rules = game_state.rules
    if command == rules.read and game_state.recipe is not None:
        return "The recipe is known already; follow it."
    if command.partition(" ")[0] in rules.idle and command != rules.read:
        return f"{command!r} tells nothing that the beliefs do not hold."
    if command != rules.read and changed_nothing(command, game_state):
        return f"{command!r} changed nothing the last time, and all is as it was then."
    other = instead_of(command, game_state)
    if other and not any(moves[:1] == (command,) for moves in _aims(game_state)):
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
        return _idle_way(command, game_state, f"Going {target} leads to nothing that is needed.")
    if verb == "open" and any(way.door == target for way in game_state.scene.exits):
        return _idle_way(command, game_state, f"Behind the {target} is nothing that is needed.")
    return ""


def _idle_way(command: str, game_state: GameState, reason: str) -> str:
    if not game_state.routes:
        return ""  # nothing is known of where ways lead
    if game_state.sought and not (game_state.openings or game_state.containers):
        return ""  # it is where it was not seen, or came there later: any way may lead to it
    aims = [moves for moves in _aims(game_state) if moves and moves[0] in game_state.commands]
    if not aims or any(moves[:1] == (command,) for moves in aims):
        return ""
    return f"{reason} Sensible ways begin with: {_listed({moves[0] for moves in aims})}."


def _aims(game_state: GameState) -> tuple[tuple[str, ...], ...]:
    """Returns the ways to everything that may be needed, without rooms that were searched in vain."""
    rules = game_state.rules
    wanted = [*game_state.lacking, *(rules.tool(s.verb) for s in game_state.todo if not rules.cuts(s.verb))]
    if game_state.recipe is None or game_state.is_ready:
        wanted.append(rules.book)
    rooms = (game_state.places.get(name, "") for name in wanted)
    ways = (game_state.way_to(room) for room in rooms if not visited_in_vain(room, game_state))
    looks = (
        *(opening.moves for opening in game_state.openings),
        *(box.moves for box in game_state.containers),
    )
    return (*(way for way in ways if way), *(looks if game_state.sought else ()))


def _alignment(command: str, game_state: GameState) -> str:
    """Returns feedback if the command does not serve the recipe."""
    rules = game_state.rules
    verb, _, rest = command.partition(" ")
    if command == rules.prepare:
        return "" if game_state.is_ready else f"Not everything is ready: {_missing(game_state)}."
    if verb == "take":
        name = rest.partition(" from ")[0]
        if name not in game_state.lacking:
            return f"{name} is not needed." if game_state.recipe else "What is needed is not known yet."
        return ""
    if verb in ("go", "open"):
        at_hand = [name for name in game_state.lacking if game_state.scene.thing(name)]
        if at_hand:
            return f"{at_hand[0]} is here and is needed; take it first."
        is_box = verb == "open" and game_state.scene.thing(rest) is not None
        remembered = any(game_state.hidden_in(name) == rest for name in game_state.lacking)
        if is_box and not remembered and not (game_state.sought and rules.likelihood_inside(rest)):
            return f"What is needed is not in the {rest}."
        return ""
    if verb in ("drop", "put", "insert", "close", "lock", "unlock"):
        return f"{command!r} brings the meal no nearer."
    return ""


def _aside(command: str, game_state: GameState, subgoal: str) -> str:
    """Whether a move does not serve its own subgoal, if that names what is to be looked at."""
    if command.partition(" ")[0] not in ("go", "open"):
        return ""
    looks: Iterable[Opening | Container] = (*game_state.openings, *game_state.containers)
    begin = {look.moves[0] for look in looks if look.moves and _names(subgoal, str(look))}
    if begin and command not in begin:
        return f"{command!r} does not serve to {subgoal}; that begins with: {_listed(begin)}."
    if not begin:
        for room, direction, beyond in game_state.taken:
            if _names(subgoal, str(Opening(room, direction, "", ()))):
                return f"There is no need to {subgoal}: the {beyond} is there."
    return ""


def _names(subgoal: str, place: str) -> bool:
    return re.search(rf"\b{re.escape(place)}\b", subgoal) is not None


def _missing(game_state: GameState) -> str:
    steps = [f"{step.verb} the {step.food}" for step in game_state.todo]
    undoable = (f"{direction} (which cannot be done)" for direction in game_state.undoable)
    missing = [*(f"take the {name}" for name in game_state.lacking), *steps, *undoable]
    return _listed(missing or ["the recipe is not known"])


def _listed(items: Iterable[str]) -> str:
    return ", ".join(sorted(items)) or "nothing"


_CHECKS: tuple[tuple[Criterion, Check], ...] = (
    (Criterion.TEMPORAL, _temporal),
    (Criterion.SAFETY, _safety),
    (Criterion.SPATIAL, _spatial),
    (Criterion.ALIGNMENT, _alignment),
)
