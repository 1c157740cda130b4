"""Reads from a turn of the interpreter what the agent sees, and what only scorers see.

`look` and `inventory` are said to a copy of the story, where they cost no turn. But there they are turns all the same,
after which things happen that have not happened in the story: a thief appears, a lamp goes out. So both are said twice,
and only the lines count with which both replies begin: a story describes first, and tells what happens afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from stma_ros.types.sensing import EpisodeState
from stma_ros.worlds.jericho.ending import looks_like_ending, verdict
from stma_ros.worlds.jericho.interpreter import Trial, Turn
from stma_ros.worlds.jericho.status_line import (
    Points,
    points_of_reply,
    room_of_status,
    score_of_status,
    split_screen,
)

TRIALS = (("look", "look"), ("inventory", "inventory"), ("score",), ("quit",))
"""The commands that are tried after each command. `quit` ends a story at once only if it is over: otherwise it asks."""

_CARRYING = re.compile(r"\b(?:carrying|holding|you have|empty[- ]handed|possess\w*)\b", re.IGNORECASE)
_NOT_TRIED = Trial((), False)


@dataclass(frozen=True)
class Reading:
    """The state of a story after a turn.

    Attributes:
        reply: The story's reply, without status line and prompt.
        description: Description of the surroundings; empty if `look` does not give one.
        inventory: The carried objects; empty if `inventory` does not give them.
        room: The room, for scorers: its name and, where the interpreter knows it, its number, since rooms of a maze
            have the same name. Empty if it is unknown.
        score: The score.
        max_score: The largest possible score; 0 if it is unknown.
        episode: Whether the story is over.
    """

    reply: str
    description: str = ""
    inventory: str = ""
    room: str = ""
    score: float = 0.0
    max_score: float = 0.0
    episode: EpisodeState = EpisodeState.RUNNING


def read_turn(turn: Turn, before: Reading) -> Reading:
    """Reads a turn.

    Args:
        turn: The turn.
        before: The reading of the turn before, for values that the story does not state now.
    """
    screen = split_screen(turn.text)
    looks, inventories, scored, quits = turn.trials or (_NOT_TRIED,) * len(TRIALS)
    is_over = turn.has_quit or (quits.has_quit and looks_like_ending(screen.reply))
    stated = _stated_points(turn, is_over, scored)
    score = before.score if stated.score is None else float(stated.score)
    max_score = before.max_score if stated.max_score is None else float(stated.max_score)
    # Before version 4, a status line comes with the next command: here, with the first that was tried.
    shown = screen.status if screen.status and not _status_is_late(turn) else _status_of(looks)
    name = str(turn.status.get("room", "")) or room_of_status(shown, stated.score)
    return Reading(
        reply=screen.reply,
        description=_description(looks, name),
        inventory=_inventory(inventories),
        room=_room(turn, name) or before.room,
        score=score,
        max_score=max_score,
        episode=_episode(turn, is_over, screen.reply, score, max_score),
    )


def _status_is_late(turn: Turn) -> bool:
    return "room_number" in turn.status


def _status_of(trial: Trial) -> str:
    return split_screen(trial.texts[0]).status if trial.texts else ""


def _room(turn: Turn, name: str) -> str:
    number = turn.status.get("room_number")
    return name if number is None or not name else f"{name} ({number})"


def _stated_points(turn: Turn, is_over: bool, scored: Trial) -> Points:
    """Returns score and largest score: by the interpreter, else by the status line, else by the reply to `score`.

    When a story is over, its status line is that of the turn before, and its last reply tells the score.
    """
    screen = split_screen(turn.text)
    reply = screen.reply if is_over else "".join(split_screen(text).reply for text in scored.texts)
    said = points_of_reply(reply)
    score = turn.status.get("score")
    if score is None and not is_over:
        score = score_of_status(screen.status)
    return Points(
        said.score if score is None else score,
        turn.status.get("max_score") or said.max_score,
    )


def _episode(turn: Turn, is_over: bool, reply: str, score: float, max_score: float) -> EpisodeState:
    if turn.status.get("won"):
        return EpisodeState.WON
    if turn.status.get("lost"):
        return EpisodeState.LOST
    return verdict(reply, score, max_score) if is_over else EpisodeState.RUNNING


def _description(looks: Trial, room: str) -> str:
    """Returns what both replies to `look` describe, if they are descriptions: these begin with the name of the room."""
    described = _common_beginning(looks.texts)
    is_description = bool(room) and described.casefold().startswith(room.casefold())
    return described if is_description else ""


def _inventory(inventories: Trial) -> str:
    carried = _common_beginning(inventories.texts)
    return carried if _CARRYING.search(carried) else ""


def _common_beginning(texts: Sequence[str]) -> str:
    """Returns the lines with which the replies of all texts begin."""
    lines = [split_screen(text).reply.splitlines() for text in texts]
    same = takewhile(lambda row: len(set(row)) == 1, zip(*lines, strict=False))
    return "\n".join(row[0] for row in same).strip()
