"""The words that facts and actions are made of: one place for their writers and readers."""

from __future__ import annotations

from typing import Final

# Predicates: the subject is the id of an object, room or frontier.
IS_A: Final = "is a"  # -> a category (object), a kind of room (room; no such fact while unknown), or FRONTIER
IN_ROOM: Final = "in room"  # -> id of a room
IN: Final = "in"  # -> id of the object that it is inside of
ON: Final = "on"  # -> id of the object that carries it
NEAR: Final = "near"  # -> id of an object; with ROBOT as the subject: within the arm's reach
STATE: Final = "state"  # -> one of the states below
COLOUR: Final = "colour"  # -> a basic colour word (memory/semantic.yaml)
UNKNOWN_AREA: Final = "unknown area"  # -> decimal text: never-seen floor within view of the frontier [m^2]

FRONTIER: Final = "frontier"  # what a frontier "is a"
ROBOT: Final = "robot"  # the robot as a subject

# States of things that open.
STATE_OPEN: Final = "open"
STATE_CLOSED: Final = "closed"
STATE_UNKNOWN: Final = "unknown"
STATE_NOT_OPENABLE: Final = "not openable"  # it was tried
STATE_MISSING: Final = "missing"  # nothing was there when it was approached

# Skills of the body ...
SKILL_NAVIGATE: Final = "navigate"  # (object): stand in front of it
SKILL_OPEN: Final = "open"  # (container): from nearby
SKILL_EXPLORE: Final = "explore"  # (frontier): go there and look
SKILL_LOOK_AROUND: Final = "look_around"  # (): a full turn on the spot
SKILL_OBSERVE: Final = "observe"  # (): one frame, no motion; always understood, costs no command
# ... and actions of the agent itself, which end the task and reach no world.
SKILL_REPORT: Final = "report"  # (object): this is the answer
SKILL_GIVE_UP: Final = "give_up"  # (): it is nowhere, or it cannot be done

TARGETED: Final = (SKILL_NAVIGATE, SKILL_OPEN, SKILL_EXPLORE, SKILL_REPORT)
"""The skills whose first argument says what they are done to."""

MOTIONS: Final = (SKILL_NAVIGATE, SKILL_EXPLORE)
"""The skills that take the base elsewhere."""
