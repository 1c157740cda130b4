"""Judges whether an action is a hazard to people, animals, things or the robot, by rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_SETS: Mapping[str, str] = {
    "living": "is_living",
    "devices": "is_device",
    "taps": "is_tap",
    "vessels": "is_vessel",
    "containers": "is_container",
    "furniture": "is_furniture",
    "surfaces": "is_surface",
}
"""Names of sets of the category knowledge, and the methods that ask for them."""


@dataclass(frozen=True)
class HazardRule:
    """One rule. An empty condition always holds; a place without a thing to be looked at meets no other.

    Attributes:
        name: of the rule.
        skills: of the actions that it refuses.
        reason: feedback to the planner, with the places {target}, {held}, {holder} and {content}.
        target: kinds of the action's target.
        target_state: its state.
        held: kinds of the thing in the hand.
        held_state: its state.
        holder: kinds of what the target is in or on.
        holder_state: its state.
        content: kinds of a thing in or on the target.
    """

    name: str
    skills: tuple[str, ...]
    reason: str
    target: tuple[str, ...] = ()
    target_state: str = ""
    held: tuple[str, ...] = ()
    held_state: str = ""
    holder: tuple[str, ...] = ()
    holder_state: str = ""
    content: tuple[str, ...] = ()


def feedback(item: Action, view: BeliefIndex, rules: Iterable[HazardRule]) -> str:
    """Returns the reason of the first rule that the action breaks; empty = none."""
    target = view.objects.get(item.arguments[0]) if item.arguments else None
    for rule in rules:
        if item.skill not in rule.skills:
            continue
        things = _met(rule, target, view)
        if things is not None:
            return rule.reason.format(**things)
    return ""


def premature(item: Action, useful: Iterable[Action], view: BeliefIndex, rules: Iterable[HazardRule]) -> str:
    """Returns feedback to an action that switches on what has to be emptied first; empty = none.

    Args:
        item: the action.
        useful: actions that serve the task, of which one may be a hazard as soon as the device is on.
        view: index of the spatial belief.
        rules: of hazards.
    """
    device = view.objects.get(item.arguments[0]) if item.arguments else None
    if item.skill != words.SKILL_SWITCH_ON or device is None:
        return ""
    heats = any(
        words.SKILL_PICK in rule.skills
        and rule.holder_state == words.STATE_ON
        and _is_kind(device, rule.holder, view.knowledge)
        for rule in rules
    )
    picked = (other.arguments[0] for other in useful if other.skill == words.SKILL_PICK and heats)
    left = next(
        (name for name in picked if name in view.objects and view.objects[name].holder == device.id), ""
    )
    return (
        f"{left} is to be taken out of {device.id}; first {Action(words.SKILL_PICK, (left,))}."
        if left
        else ""
    )


def _met(rule: HazardRule, target: KnownObject | None, view: BeliefIndex) -> Mapping[str, str] | None:
    """Returns the ids of the things that meet the rule's conditions, by place; None if one is not met."""
    held = view.objects.get(view.held)
    holder = view.objects.get(target.holder) if target is not None else None
    things = {"target": target, "held": held, "holder": holder}
    for place, kinds, state in (
        ("target", rule.target, rule.target_state),
        ("held", rule.held, rule.held_state),
        ("holder", rule.holder, rule.holder_state),
    ):
        thing = things[place]
        if (kinds or state) and (thing is None or not _is_such(thing, kinds, state, view.knowledge)):
            return None
    names = {place: thing.id if thing is not None else "" for place, thing in things.items()}
    if not rule.content:
        return {**names, "content": ""}
    inside = (thing for thing in view.objects.values() if target is not None and thing.holder == target.id)
    content = next((thing.id for thing in inside if _is_kind(thing, rule.content, view.knowledge)), "")
    return {**names, "content": content} if content else None


def _is_such(thing: KnownObject, kinds: Sequence[str], state: str, knowledge: CategoryKnowledge) -> bool:
    if kinds and not _is_kind(thing, kinds, knowledge):
        return False
    return not state or thing.state(words.STATE_DIMENSION.get(state, state)) == state


def _is_kind(thing: KnownObject, kinds: Sequence[str], knowledge: CategoryKnowledge) -> bool:
    return any(
        getattr(knowledge, _SETS[kind])(thing.category)
        if kind in _SETS
        else knowledge.is_kind(thing.category, kind)
        for kind in kinds
    )
