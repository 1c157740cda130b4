"""The vocabulary of facts and actions, shared by their writers and readers."""

from __future__ import annotations

from typing import Final

# Predicates: the subject is the id of an object, room or frontier.
IS_A: Final = "is a"  # -> a category (object), a kind of room (room; no such fact while unknown), or FRONTIER
MAY_BE: Final = "may be"  # -> another category or kind of room than it is taken for; confidence: how likely
SEEMS: Final = "seems to be"  # -> a category; another look must tell whether there is such a thing
IN_ROOM: Final = "in room"  # -> id of a room
IN: Final = "in"  # -> id of the object that contains it; in text worlds also of a room
ON: Final = "on"  # -> id of the object that supports it
NEAR: Final = "near"  # -> id of an object; with ROBOT as the subject: within the arm's reach
AWAY_FROM: Final = "away from"  # in goals: neither in nor on nor near it
HELD_BY: Final = "held by"  # -> ROBOT: it is in the hand
# Where the robot first took an object from during the task; the subject is in the hand or was put down elsewhere.
TAKEN_OUT_OF: Final = "taken out of"  # -> id of the object that contained it
TAKEN_OFF: Final = "taken off"  # -> id of the object that supported it
TAKEN_FROM: Final = "taken from"  # -> id of the room
TAKEN_FROM_BESIDE: Final = "taken from beside"  # -> id of an object near which it was, in or on nothing
STATE: Final = "state"  # -> one of the states below
COLOUR: Final = "colour"  # -> a basic colour word (CategoryKnowledge.colours)
MAY_HAVE_COLOUR: Final = "may have colour"  # -> another such word, which part of the views say
SIZE: Final = "size"  # -> decimal text: its longest side [m]
UNKNOWN_AREA: Final = "unknown area"  # -> decimal text: unseen floor within view of the frontier [m^2]

# Predicates of text worlds, where rooms have names; a direction follows the space.
EXIT: Final = "exit "  # "exit north" -> the room it leads to, or UNEXPLORED
DOOR: Final = "door "  # "door north" -> the door in that exit
FARTHER: Final = "farther "  # "farther north" -> a room beyond the next one that way

UNEXPLORED: Final = "unexplored"  # object of EXIT for an exit that was not taken
OPPOSITE: Final = {
    "north": "south",
    "south": "north",
    "east": "west",
    "west": "east",
    "up": "down",
    "down": "up",
}
FRONTIER: Final = "frontier"  # object of IS_A for frontiers
ROBOT: Final = "robot"  # the robot as a subject or object

# States of objects that open.
STATE_OPEN: Final = "open"
STATE_CLOSED: Final = "closed"
STATE_UNKNOWN: Final = "unknown"
STATE_NOT_OPENABLE: Final = "not openable"  # opening it failed
# States of devices.
STATE_ON: Final = "on"
STATE_OFF: Final = "off"
# States of vessels and places.
STATE_FULL: Final = "full"  # a vessel holds a liquid; a place had no room for another object
STATE_EMPTY: Final = "empty"
# States of any object.
STATE_MISSING: Final = "missing"  # it is no longer where it was, and has not been seen elsewhere since

OPPOSITE_STATE: Final = {
    STATE_OPEN: STATE_CLOSED,
    STATE_CLOSED: STATE_OPEN,
    STATE_ON: STATE_OFF,
    STATE_OFF: STATE_ON,
    STATE_FULL: STATE_EMPTY,
    STATE_EMPTY: STATE_FULL,
}
STATE_DIMENSION: Final = {
    STATE_OPEN: "openness",
    STATE_CLOSED: "openness",
    STATE_UNKNOWN: "openness",
    STATE_NOT_OPENABLE: "openness",
    STATE_ON: "power",
    STATE_OFF: "power",
    STATE_FULL: "filling",
    STATE_EMPTY: "filling",
    STATE_MISSING: "presence",
    **dict.fromkeys(("plugged in", "plugged out"), "plug"),
    **dict.fromkeys(("clean", "dirty"), "cleanliness"),
    **dict.fromkeys(("raw", "fried", "roasted", "grilled", "burned"), "doneness"),
    **dict.fromkeys(("uncut", "chopped", "sliced", "diced"), "cut"),
}
"""Dimension of each state. An object has one state in each: a new one replaces that of the same dimension only."""

# Skills of the robot.
SKILL_NAVIGATE: Final = "navigate"  # (object): stand in front of it
SKILL_OPEN: Final = "open"  # (openable): from nearby
SKILL_CLOSE: Final = "close"  # (openable): from nearby
SKILL_PICK: Final = "pick"  # (portable): take it into the empty hand, from nearby
SKILL_PLACE_ON: Final = "place_on"  # (surface): put what is in the hand onto it, from nearby
SKILL_PLACE_IN: Final = (
    "place_in"  # (receptacle): put what is in the hand into it, from nearby; it must be open
)
SKILL_PLACE_NEXT_TO: Final = "place_next_to"  # (standing): put what is in the hand on the floor beside it
SKILL_SWITCH_ON: Final = "switch_on"  # (device): from nearby
SKILL_SWITCH_OFF: Final = "switch_off"  # (device): from nearby
SKILL_FILL: Final = "fill"  # (tap): fill the vessel in the hand there
SKILL_EMPTY: Final = "empty"  # (tap): pour out the vessel in the hand there
SKILL_EXPLORE: Final = "explore"  # (frontier, object or snapshot): go there and look
SKILL_LOOK_AROUND: Final = "look_around"  # (): a full turn on the spot
SKILL_COMMAND: Final = "command"  # (command): an admissible command of a text world, word for word
SKILL_OBSERVE: Final = "observe"  # (): one frame, no motion; always supported, costs no command
# Actions of the agent's memory; they are not sent to the world.
SKILL_RETRIEVE: Final = "retrieve"  # (id, ...): show closed subgoals whole again
# Actions of the agent that end the task; they are not sent to the world.
SKILL_REPORT: Final = "report"  # (object): the answer to the task, after all other goals
SKILL_FINISH: Final = "finish"  # (): all goals are achieved
SKILL_FINISH_UNVERIFIED: Final = "finish_unverified"  # (): all goals are believed to be achieved; a guess
SKILL_ANSWER: Final = "answer"  # (): the question is answered
SKILL_GIVE_UP: Final = "give_up"  # (): the object cannot be found, or the task cannot be done

ENDINGS: Final = (SKILL_REPORT, SKILL_FINISH, SKILL_FINISH_UNVERIFIED, SKILL_ANSWER, SKILL_GIVE_UP)
"""Skills that end a task."""

MANIPULATIONS: Final = (
    SKILL_OPEN,
    SKILL_CLOSE,
    SKILL_PICK,
    SKILL_PLACE_ON,
    SKILL_PLACE_IN,
    SKILL_PLACE_NEXT_TO,
    SKILL_SWITCH_ON,
    SKILL_SWITCH_OFF,
    SKILL_FILL,
    SKILL_EMPTY,
)
"""Skills of the arm, which need the robot to be near their one argument."""

PLACINGS: Final = (SKILL_PLACE_ON, SKILL_PLACE_IN, SKILL_PLACE_NEXT_TO)
"""Skills that put down what is in the hand."""

RELATION_AFTER: Final = {SKILL_PLACE_ON: ON, SKILL_PLACE_IN: IN, SKILL_PLACE_NEXT_TO: NEAR}
"""The relation of what was put down to the target of the skill."""

TARGETED: Final = (SKILL_NAVIGATE, SKILL_EXPLORE, SKILL_REPORT, *MANIPULATIONS)
"""Skills whose first argument is their target."""

MOTIONS: Final = (SKILL_NAVIGATE, SKILL_EXPLORE)
"""Skills that move the base to another place."""
