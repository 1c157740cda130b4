"""Judges single commands of text games by rules (STMA, section 4.3). It knows no plan but the command before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from stma_ros.domains.cooking.repetition import changed_nothing, instead_of, visited_in_vain
from stma_ros.domains.cooking.situation import Container, Opening, Situation
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, Criterion, Verdict

_SHOWN = 8  # allowed commands that a refusal names

Check = Callable[[str, Situation], str]


class TextCritic:
    """A CriticRole."""

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        if query.action not in query.allowed_actions:
            return _rejected(Criterion.VALIDITY, _not_allowed(query.action, query.allowed_actions))
        situation = Situation(query.temporal, query.spatial, query.observation, query.allowed_actions)
        if query.action.skill == words.SKILL_GIVE_UP:
            reason = _hope(situation)
            return _rejected(Criterion.ALIGNMENT, reason) if reason else CritiqueAnswer(Verdict.ACCEPTED)
        command = query.action.arguments[0].casefold()
        for criterion, check in _CHECKS:
            reason = check(command, situation)
            if reason:
                return _rejected(criterion, reason)
        reason = _aside(command, situation, query.subgoal.casefold())
        return _rejected(Criterion.ALIGNMENT, reason) if reason else CritiqueAnswer(Verdict.ACCEPTED)


def _rejected(criterion: Criterion, reason: str) -> CritiqueAnswer:
    return CritiqueAnswer(Verdict.REJECTED, criterion, reason)


def _not_allowed(action: Action, allowed: Iterable[Action]) -> str:
    same = [str(item) for item in allowed if str(item).split()[:1] == str(action).split()[:1]]
    listed = ", ".join(same[:_SHOWN]) or "another command"
    return f"{str(action)!r} is not possible now; possible: {listed}."


def _hope(situation: Situation) -> str:
    """Why giving up is too early."""
    for name in situation.lacking:
        room = situation.places.get(name, "")
        if situation.way_to(room) is not None:
            return f"{name} was seen in the {room}; fetch it."
    if situation.sought and (situation.openings or situation.containers):
        return "Not everything was explored yet; look on."
    rules = situation.rules
    doable = [rules.command(step.verb, step.food) for step in situation.todo]
    doable += [rules.prepare] if situation.is_ready else []
    here = [command for command in doable if command in situation.commands]
    begin = here or sorted({moves[0] for moves in _aims(situation) if moves})
    return f"Not everything that can be done is done; go on with: {begin[0]}." if begin else ""


def _temporal(command: str, situation: Situation) -> str:
    """Against what was done before."""
    rules = situation.rules
    if command == rules.read and situation.recipe is not None:
        return "The recipe is known already; follow it."
    if command.partition(" ")[0] in rules.idle and command != rules.read:
        return f"{command!r} tells nothing that the beliefs do not hold."
    if command != rules.read and changed_nothing(command, situation):
        return f"{command!r} changed nothing the last time, and all is as it was then."
    other = instead_of(command, situation)
    if other and not any(moves[:1] == (command,) for moves in _aims(situation)):
        return f"{command!r} was done again and again, and nothing came of it; try {other!r}."
    return ""


def _safety(command: str, situation: Situation) -> str:
    """What cannot be undone: food is spoilt by cooking it wrongly or twice, by cutting it wrongly, and by eating it."""
    rules, recipe = situation.rules, situation.recipe
    verb, _, rest = command.partition(" ")
    if verb == rules.eat.split()[0] and command != rules.eat:
        return f"{rest} would be gone; only the meal is to be eaten."
    food, _, tool = rest.rpartition(" with ")
    cooking = bool(food) and tool in rules.appliances.values()
    if not (rules.cuts(verb) or cooking):
        return ""
    if recipe is None:
        return f"The recipe is not known yet: {command!r} may spoil {food}."
    wanted = {rules.command(step.verb, step.food) for step in situation.todo}
    if command in wanted:
        return ""
    if any(command == rules.command(step.verb, step.food) for step in recipe.steps):
        return f"{food} is {rules.results.get(verb, 'cooked')} already; once more would spoil it."
    return f"The recipe does not ask for {command!r}; it would spoil {food}. Still to do: {_listed(wanted)}."


def _spatial(command: str, situation: Situation) -> str:
    """Ways that lead nowhere it makes sense to go."""
    verb, _, target = command.partition(" ")
    if verb == "go":
        return _idle_way(command, situation, f"Going {target} leads to nothing that is needed.")
    if verb == "open" and any(way.door == target for way in situation.scene.exits):
        return _idle_way(command, situation, f"Behind the {target} is nothing that is needed.")
    return ""


def _idle_way(command: str, situation: Situation, reason: str) -> str:
    if not situation.routes:
        return ""  # nothing is known of where ways lead
    if situation.sought and not (situation.openings or situation.containers):
        return ""  # it is where it was not seen, or came there later: any way may lead to it
    aims = [moves for moves in _aims(situation) if moves and moves[0] in situation.commands]
    if not aims or any(moves[:1] == (command,) for moves in aims):
        return ""
    return f"{reason} Sensible ways begin with: {_listed({moves[0] for moves in aims})}."


def _aims(situation: Situation) -> tuple[tuple[str, ...], ...]:
    """The ways to everything that could be wanted, but for rooms that it was looked for in again and again."""
    rules = situation.rules
    wanted = [*situation.lacking, *(rules.tool(s.verb) for s in situation.todo if not rules.cuts(s.verb))]
    if situation.recipe is None or situation.is_ready:
        wanted.append(rules.book)
    rooms = (situation.places.get(name, "") for name in wanted)
    ways = (situation.way_to(room) for room in rooms if not visited_in_vain(room, situation))
    looks = (
        *(opening.moves for opening in situation.openings),
        *(box.moves for box in situation.containers),
    )
    return (*(way for way in ways if way), *(looks if situation.sought else ()))


def _alignment(command: str, situation: Situation) -> str:
    """Whether it serves what the recipe asks for."""
    rules = situation.rules
    verb, _, rest = command.partition(" ")
    if command == rules.prepare:
        return "" if situation.is_ready else f"Not everything is ready: {_missing(situation)}."
    if verb == "take":
        name = rest.partition(" from ")[0]
        if name not in situation.lacking:
            return f"{name} is not needed." if situation.recipe else "What is needed is not known yet."
        return ""
    if verb in ("go", "open"):
        at_hand = [name for name in situation.lacking if situation.scene.thing(name)]
        if at_hand:
            return f"{at_hand[0]} is here and is needed; take it first."
        is_box = verb == "open" and situation.scene.thing(rest) is not None
        remembered = any(situation.hidden_in(name) == rest for name in situation.lacking)
        if is_box and not remembered and not (situation.sought and rules.likelihood_inside(rest)):
            return f"What is needed is not in the {rest}."
        return ""
    if verb in ("drop", "put", "insert", "close", "lock", "unlock"):
        return f"{command!r} brings the meal no nearer."
    return ""


def _aside(command: str, situation: Situation, subgoal: str) -> str:
    """Whether a move has nothing to do with its own subgoal, where that says what is to be looked at."""
    if command.partition(" ")[0] not in ("go", "open"):
        return ""
    looks: Iterable[Opening | Container] = (*situation.openings, *situation.containers)
    begin = {look.moves[0] for look in looks if look.moves and _names(subgoal, str(look))}
    if begin and command not in begin:
        return f"{command!r} does not serve to {subgoal}; that begins with: {_listed(begin)}."
    if not begin:
        for room, direction, beyond in situation.taken:
            if _names(subgoal, str(Opening(room, direction, "", ()))):
                return f"There is no need to {subgoal}: the {beyond} is there."
    return ""


def _names(subgoal: str, place: str) -> bool:
    return re.search(rf"\b{re.escape(place)}\b", subgoal) is not None


def _missing(situation: Situation) -> str:
    steps = [f"{step.verb} the {step.food}" for step in situation.todo]
    undoable = (f"{direction} (which cannot be done)" for direction in situation.undoable)
    missing = [*(f"take the {name}" for name in situation.lacking), *steps, *undoable]
    return _listed(missing or ["the recipe is not known"])


def _listed(items: Iterable[str]) -> str:
    return ", ".join(sorted(items)) or "nothing"


_CHECKS: tuple[tuple[Criterion, Check], ...] = (
    (Criterion.TEMPORAL, _temporal),
    (Criterion.SAFETY, _safety),
    (Criterion.SPATIAL, _spatial),
    (Criterion.ALIGNMENT, _alignment),
)
