"""Stand-ins for vision-language models in the roles of an exploring agent.

They read the text of a question and the pixels of its pictures. Things are patches of a strong colour, as for the
stand-in of the scene graph expert.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from stma_ros.models.images import Picture
from stma_ros.roles.answerer import EARLIER, EXPLORED, LAST, AnswerReply
from stma_ros.roles.category_filter import CategoriesReply
from stma_ros.roles.checklist_format import checklist_text, parse_checklist
from stma_ros.roles.exploration import FRONTIERS, NONE, PLAN, SNAPSHOTS, TRAIL
from stma_ros.roles.exploration_planner import ChecklistReply
from stma_ros.roles.frontier_chooser import NextStepReply
from stma_ros.roles.frontier_manager import FrontiersReply
from stma_ros.roles.recorder import MAX_WORDS, NOTHING_NEW, EntryReply
from stma_ros.roles.snapshot_manager import SnapshotsReply
from stma_ros.testing.model_server import scene_graph
from stma_ros.testing.model_server.sections import UnreadableQuestionError, required, sections
from stma_ros.types.exploration import ChecklistItem, ItemState

MAX_KEPT = 10
"""Most snapshots that the manager keeps."""

_HEADINGS = (
    "Question: ",
    "Branches: ",
    "Purpose: ",
    "Foresight: ",
    f"{TRAIL}:\n",
    f"{SNAPSHOTS}:",
    f"{PLAN}:\n",
    f"{FRONTIERS}:",
    f"{EARLIER}: ",
    "Exploration: ",
)
_RECORD_HEADINGS = ("Question: ", f"{TRAIL}:\n", "Manager:\n", "Answerer:\n", "Chooser:\n")
_LABEL = re.compile(
    r"^(?:Snapshot|Frontier) (?P<number>\d+)"
    r"(?: \((?:(?P<length>[\d.]+) m away|way unknown)(?:, [\d.]+ m² unknown)?\))?:"
    r"(?P<missing> no picture)?$",
    re.MULTILINE,
)
_COLOUR = re.compile(r"\bcolou?rs?\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True)
class _Shown:
    """A snapshot or a frontier in a question.

    Attributes:
        number: number in its label.
        picture: its picture; None = it has none.
        length: length of the way there [m]; infinite if it is not said.
    """

    number: int
    picture: Picture | None
    length: float


@dataclass(frozen=True)
class _Question:
    """A question whose pictures are assigned to its labels. parts: its sections by heading."""

    parts: Mapping[str, str]
    snapshots: tuple[_Shown, ...]
    frontiers: tuple[_Shown, ...]


def _read(question: str, pictures: Sequence[Picture]) -> _Question:
    """Parses a question.

    Raises:
        UnreadableQuestionError: a section is missing, or there is not one picture for each label.
    """
    parts = sections(question, _HEADINGS)
    required(parts, "Question")
    left = list(pictures)
    snapshots, frontiers = (
        tuple(_shown(label, left) for label in _LABEL.finditer(text))
        for text in (required(parts, SNAPSHOTS), parts.get(FRONTIERS, NONE))
    )
    if left:
        raise UnreadableQuestionError(f"{len(left)} pictures have no label")
    return _Question(parts, snapshots, frontiers)


def _shown(label: re.Match[str], pictures: list[Picture]) -> _Shown:
    """Returns what a label stands for, and takes its picture from the list."""
    if not label["missing"] and not pictures:
        raise UnreadableQuestionError(f"{label[0]!r} has no picture")
    length = float("inf") if label["length"] is None else float(label["length"])
    return _Shown(int(label["number"]), None if label["missing"] else pictures.pop(0), length)


def _things(picture: Picture | None) -> list[str]:
    """Returns the names of the things in a picture, largest first."""
    if picture is None:
        return []
    return [item.name for item in scene_graph.build("", (picture,)).objects]


def keep_snapshots(question: str, pictures: Sequence[Picture]) -> SnapshotsReply:
    """Returns the reply of the snapshot manager: the newest pictures, and of equal ones the newest."""
    newest = {
        shown.picture.key: shown.number
        for shown in _read(question, pictures).snapshots
        if shown.picture is not None
    }
    keep = sorted(newest.values())[-MAX_KEPT:]
    things = dict.fromkeys(name for picture in pictures for name in _things(picture))
    seen = f"The pictures show: {', '.join(things)}." if things else "The pictures show no things."
    return SnapshotsReply(reasoning="The newest pictures may matter.", seen=seen, keep=keep)


def keep_frontiers(question: str, pictures: Sequence[Picture]) -> FrontiersReply:
    """Returns the reply of the frontier manager: all frontiers."""
    frontiers = _read(question, pictures).frontiers
    return FrontiersReply(
        reasoning="Each leads to something new.", keep=[shown.number for shown in frontiers]
    )


def filter_categories(question: str) -> CategoriesReply:
    """Returns the reply of the category filter: the kinds of things that the question names, or else all."""
    parts = sections(question, ("Question: ", "At most: ", "Seen: "))
    seen = required(parts, "Seen").split(", ")
    named = [name for name in seen if name in required(parts, "Question").casefold()]
    return CategoriesReply(reasoning="The question names them.", categories=named or seen)


def answer(question: str, pictures: Sequence[Picture]) -> AnswerReply:
    """Returns the reply of the answerer: nothing before the exploration ends, then a colour if one is asked for."""
    read = _read(question, pictures)
    state = read.parts.get("Exploration", "")
    if LAST not in state:
        missing = "nothing of it was found" if EXPLORED in state else "more may be found"
        return AnswerReply(
            reasoning=f"It is not sure: {missing}.", answer="", evidence=[], sure=False, closer=[]
        )
    if _COLOUR.search(read.parts["Question"]):
        for shown in reversed(read.snapshots):
            for name in _things(shown.picture):
                reasoning = f"The newest picture with a thing shows a {name}."
                return AnswerReply(reasoning, name.split()[0], [shown.number], sure=False, closer=[])
    return AnswerReply(reasoning="No picture tells.", answer="", evidence=[], sure=False, closer=[])


def plan(question: str, pictures: Sequence[Picture]) -> ChecklistReply:
    """Returns the reply of the exploration planner: the last checklist, with its first open item in progress."""
    read = _read(question, pictures)
    last = read.parts.get(PLAN, "")
    items = parse_checklist(last) if last else _first_items("Branches" not in read.parts)
    is_open = [item.state != ItemState.COMPLETED for item in items]
    at = is_open.index(True) if any(is_open) else len(items)
    updated = [
        item
        if item.state == ItemState.COMPLETED
        else replace(item, state=ItemState.IN_PROGRESS if position == at else ItemState.PENDING)
        for position, item in enumerate(items)
    ]
    text = f"<update-checklist>\n<branches>\n{checklist_text(updated)}\n</branches>\n</update-checklist>"
    return ChecklistReply(reasoning="The first open item comes next.", checklist=text)


def _first_items(branches: bool) -> tuple[ChecklistItem, ...]:
    where = ("the nearest", "the widest") if branches else ("an",)
    searches = (f"Explore {which} unknown place, since the answer may be there" for which in where)
    return tuple(ChecklistItem(text=text) for text in (*searches, "Look at what answers the question"))


def choose(question: str, pictures: Sequence[Picture]) -> NextStepReply:
    """Returns the reply of the frontier chooser: the nearest frontier."""
    frontiers = _read(question, pictures).frontiers
    if not frontiers:
        return NextStepReply(reasoning="No frontier is left.", frontier=None)
    nearest = min(frontiers, key=lambda shown: shown.length)
    return NextStepReply(reasoning="It is the nearest.", frontier=nearest.number)


def record(question: str) -> EntryReply:
    """Returns the reply of the recorder: the first sentences of what was said at the step."""
    parts = sections(question, _RECORD_HEADINGS)
    required(parts, "Question")
    said = (_SENTENCE_END.split(parts[name].strip())[0] for name in ("Manager", "Chooser") if name in parts)
    words = " ".join(said).split()[:MAX_WORDS]
    return EntryReply(entry=" ".join(words) or NOTHING_NEW)
