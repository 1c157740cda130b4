"""The actions of VirtualHome: what each needs, and what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.worlds.programs import effects
from stma_ros.worlds.programs import preconditions as needs
from stma_ros.worlds.programs.effects import Change
from stma_ros.worlds.programs.home_graph import INSIDE, ON
from stma_ros.worlds.programs.preconditions import Check, Lack
from stma_ros.worlds.programs.situation import Turn


@dataclass(frozen=True)
class Action:
    """Attributes:
    things: number of things that it acts on.
    needs: return what is lacking, or None.
    change: what it does to the graph.
    """

    things: int
    needs: tuple[Check, ...]
    change: Change

    def lack(self, turn: Turn) -> Lack | None:
        """Returns the first reason why it is not possible; None if it is."""
        return next((lack for check in self.needs if (lack := check(turn)) is not None), None)


_SEATS = {"couch": 4, "bed": 4, "loveseat": 2, "sofa": 4, "pianobench": 2, "bench": 2}
_BEDS = {"couch": 2, "bathtub": 2, "bed": 3, "loveseat": 2, "sofa": 2}
_SQUEEZABLE = (
    "cleaning_solution",
    "tooth_paste",
    "shampoo",
    "food_peanut_butter",
    "dish_soap",
    "soap",
    "towel",
    "rag",
    "paper",
    "sponge",
    "food_lemon",
)

_OPENABLE = needs.able("CAN_OPEN", also=("desk", "window"), lack="{} cannot be opened or closed")
_SWITCHED = needs.able("HAS_SWITCH", lack="{} has no switch")
_PLUGGED = needs.able("HAS_PLUG", lack="{} has no plug")
_WALK = Action(1, (needs.upright, needs.in_a_room), effects.walk)
_CLEAN = Action(1, (needs.near,), effects.becomes("CLEAN", "DIRTY"))
_LOOK = Action(1, (needs.faced,), effects.nothing)
_MOVE = Action(
    1,
    (needs.able("MOVABLE", also=("chair", "curtain")), needs.near, needs.not_enclosed, needs.hand_free),
    effects.nothing,
)
_DROP = Action(1, (needs.holds_it,), effects.drop)

ACTIONS: Mapping[str, Action] = {
    "WALK": _WALK,
    "RUN": _WALK,
    "FIND": Action(1, (needs.near_or_reachable,), effects.find),
    "GRAB": Action(
        1,
        (
            needs.able("GRABBABLE", also=("water", "child")),
            needs.somewhere,
            needs.near,
            needs.not_enclosed,
            needs.hand_free,
        ),
        effects.grab,
    ),
    "PUTBACK": Action(2, (needs.holds_it, needs.near_place, needs.place_apart), effects.put(ON)),
    "PUTIN": Action(
        2, (needs.holds_it, needs.near_place, needs.place_apart, needs.place_open), effects.put(INSIDE)
    ),
    "PUTOBJBACK": Action(1, (needs.holds_it, needs.taken_before), effects.put_back),
    "DROP": _DROP,
    "RELEASE": _DROP,
    "OPEN": Action(
        1,
        (_OPENABLE, needs.near, needs.hand_free, needs.has_state("CLOSED"), needs.has_not_state("ON")),
        effects.becomes("OPEN", "CLOSED"),
    ),
    "CLOSE": Action(1, (_OPENABLE, needs.near, needs.has_state("OPEN")), effects.becomes("CLOSED", "OPEN")),
    "SWITCHON": Action(
        1,
        (_SWITCHED, needs.near, needs.has_state("OFF"), needs.has_not_state("PLUGGED_OUT")),
        effects.becomes("ON", "OFF"),
    ),
    "SWITCHOFF": Action(1, (_SWITCHED, needs.near, needs.has_state("ON")), effects.becomes("OFF", "ON")),
    "PLUGIN": Action(
        1,
        (_PLUGGED, needs.near, needs.hand_free, needs.has_state("PLUGGED_OUT")),
        effects.becomes("PLUGGED_IN", "PLUGGED_OUT"),
    ),
    "PLUGOUT": Action(
        1,
        (_PLUGGED, needs.near, needs.hand_free, needs.has_state("PLUGGED_IN")),
        effects.becomes("PLUGGED_OUT", "PLUGGED_IN"),
    ),
    "WASH": _CLEAN,
    "RINSE": _CLEAN,
    "SCRUB": _CLEAN,
    "WIPE": Action(1, (needs.near, needs.holds_something), effects.becomes("CLEAN", "DIRTY")),
    "POUR": Action(
        2,
        (
            needs.able("POURABLE", "DRINKABLE"),
            needs.receives,
            needs.holds_it,
            needs.near_place,
            needs.place_apart,
        ),
        effects.pour,
    ),
    "PUTON": Action(1, (needs.able("CLOTHES"), needs.holds_it), effects.wear),
    "PUTOFF": Action(1, (needs.able("CLOTHES"), needs.worn), effects.take_off),
    "SIT": Action(
        1,
        (needs.able("SITTABLE"), needs.near, needs.upright, needs.has_room_for_a_person(_SEATS)),
        effects.sit,
    ),
    "LIE": Action(1, (needs.able("LIEABLE"), needs.near, needs.has_room_for_a_person(_BEDS)), effects.lie),
    "STANDUP": Action(0, (needs.seated,), effects.stand_up),
    "SLEEP": Action(0, (needs.seated,), effects.nothing),
    "WAKEUP": Action(0, (needs.seated,), effects.nothing),
    "TURNTO": Action(1, (), effects.turn_to),
    "LOOKAT": _LOOK,
    "POINTAT": _LOOK,
    "WATCH": Action(
        1, (needs.able("LOOKABLE"), needs.in_this_room, needs.faced, needs.not_enclosed), effects.nothing
    ),
    "DRINK": Action(1, (needs.able("DRINKABLE", "RECIPIENT"), needs.holds_it), effects.nothing),
    "EAT": Action(1, (needs.near, needs.food), effects.nothing),
    "CUT": Action(
        1,
        (needs.able("EATABLE"), needs.able("CUTTABLE"), needs.near, needs.hand_free, needs.knife),
        effects.nothing,
    ),
    "READ": Action(1, (needs.able("READABLE"), needs.holds_it), effects.nothing),
    "TYPE": Action(1, (needs.able("HAS_SWITCH", also=("keyboard",)), needs.near), effects.nothing),
    "TOUCH": Action(1, (needs.near, needs.not_enclosed), effects.nothing),
    "SQUEEZE": Action(
        1, (needs.able("CLOTHES", also=_SQUEEZABLE), needs.near, needs.hand_free), effects.nothing
    ),
    # Levers and buttons are pushed, too, so it need not be movable.
    "PUSH": Action(1, (needs.near, needs.not_enclosed, needs.hand_free), effects.nothing),
    "PULL": _MOVE,
    "MOVE": _MOVE,
    "GREET": Action(1, (needs.able("PERSON"),), effects.nothing),
}
"""What can be done, by the name that programs use."""
