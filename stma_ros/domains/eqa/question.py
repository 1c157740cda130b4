"""Typed questions about a home: what is asked, about which thing, where, and what an answer looks like."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, StmaError


class Category(str, enum.Enum):
    """Categories of questions of OpenEQA (Majumdar et al., CVPR 2024, section 3), in the spelling of its file."""

    OBJECT_RECOGNITION = "object recognition"
    ATTRIBUTE_RECOGNITION = "attribute recognition"
    OBJECT_STATE_RECOGNITION = "object state recognition"
    OBJECT_LOCALIZATION = "object localization"
    SPATIAL_UNDERSTANDING = "spatial understanding"
    FUNCTIONAL_REASONING = "functional reasoning"
    WORLD_KNOWLEDGE = "world knowledge"


class ExpressCategory(str, enum.Enum):
    """Categories of questions of EXPRESS-Bench, in the spelling of its file."""

    STATE = "state"
    KNOWLEDGE = "knowledge"
    LOCATION = "location"
    ATTRIBUTE = "attribute"
    COUNTING = "counting"
    EXISTENCE = "existence"
    OBJECT = "object"


class QuestionKind(str, enum.Enum):
    """What evidence answers a question."""

    EXISTENCE = "existence"
    """Whether there is a target, anywhere or at the places: "Is there milk in the fridge?"."""
    COUNT = "count"
    """The number of targets at the places: "How many chairs are in the kitchen?"."""
    ATTRIBUTE = "attribute"
    """An attribute of the target: "What colour is the sofa?", "Is the sofa red?"."""
    STATE = "state"
    """A state of the target: "Is the stove on?", "Is the door open or closed?"."""
    WHERE = "where"
    """The place of the target: "Where did I leave my keys?"."""
    ROOM_OF = "room of"
    """The room or floor of the target: "Which room is the piano in?"."""
    WHAT_IS = "what is"
    """Which thing is at the places: "What is on the dining table?", "What is the red object on the bed?"."""
    WHICH = "which"
    """Which of several targets fits: "Which chair is closest to the window?"."""
    RELATION = "relation"
    """Whether the target is at the places: "Is the black chair on the table?"."""
    SPACE = "space"
    """Whether the landmark or the room has free space: "Is there room on the desk to work?"."""
    FUNCTION = "function"
    """What serves a purpose, where, or whether it can be done: "Where can I take a nap?"."""
    ROOM_KIND = "room kind"
    """What kind of room or home it is: "Which room is this?"."""
    KNOWLEDGE = "knowledge"
    """What general knowledge adds to what is seen: "Which company made the laptop?"."""


class AnswerForm(str, enum.Enum):
    """What an answer looks like."""

    YES_NO = "yes or no"
    CHOICE = "one of the options"
    NUMBER = "number"
    VALUE = "value of the attribute"
    PLACE = "place"
    ROOM = "room"
    OBJECT = "object"
    FREE = "free text"


class Relation(str, enum.Enum):
    """How a thing lies to a landmark."""

    IN = "in"
    ON = "on"
    NEAR = "near"
    UNDER = "under"
    ABOVE = "above"
    BEHIND = "behind"
    IN_FRONT_OF = "in front of"
    LEFT_OF = "left of"
    RIGHT_OF = "right of"
    BETWEEN = "between"
    OPPOSITE = "opposite"
    AROUND = "around"
    SAME_ROOM = "in the same room as"
    RELATIVE_TO = "relative to"
    """How it lies to the landmark is what is asked: "Where is the sink relative to the stove?"."""
    PART_OF = "part of"
    """The thing belongs to the landmark: "the handle of the door"."""
    WITH = "with"
    """The thing has or holds the landmark: "the desk with the monitor"."""

    @property
    def predicate(self) -> str:
        """The predicate of facts that can hold this relation: `vocabulary.IN`, `ON` or, for all others, `NEAR`."""
        return self.value if self in (Relation.IN, Relation.ON) else words.NEAR


class Quantifier(str, enum.Enum):
    """Of how many of the things of a phrase something is said."""

    ALL = "all"
    """Of each of them: "both lamps"."""
    ANY = "any"
    """Of one of them at least: "one of the lamps"."""
    NO = "no"
    """Of none of them: "no lamp", "nothing"."""


@dataclass(frozen=True)
class Amount:
    """A number of things: at least `least`, and at most `most`; None = any number more."""

    least: int
    most: int | None = None

    def includes(self, number: int) -> bool:
        """Whether so many things are of this amount."""
        return self.least <= number and (self.most is None or number <= self.most)


@dataclass(frozen=True)
class ThingPhrase:
    """A thing as a question names it.

    Attributes:
        text: the noun phrase without its determiner: "small black office chairs".
        category: canonical name of its kind (CategoryKnowledge.canonical): "office chair"; empty for a thing without a
            kind ("the red object").
        colours: basic colour words.
        materials: words for materials: "wooden".
        size: descriptions.SMALL, LARGE, or empty.
        modifiers: all other words before the kind: "round", "second".
        plural: whether several things are meant.
        quantifier: of how many of them something is said; None = it does not say so.
        amount: how many there are said to be; None = no number is said.
        unread: what is said of it and no rule takes account of: "that i bought".
    """

    text: str
    category: str = ""
    colours: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()
    size: str = ""
    modifiers: tuple[str, ...] = ()
    plural: bool = False
    quantifier: Quantifier | None = None
    amount: Amount | None = None
    unread: tuple[str, ...] = ()

    @property
    def description(self) -> Description:
        """The thing as memory finds it, without materials and modifiers, which perception does not tell."""
        return Description(self.category, self.colours, self.size)


@dataclass(frozen=True)
class PlacePhrase:
    """A place as a question names it.

    Attributes:
        relation: how a thing lies to the landmarks.
        landmarks: one thing; two of BETWEEN, unless a plural names both ("between the beds").
    """

    relation: Relation
    landmarks: tuple[ThingPhrase, ...]


@dataclass(frozen=True)
class TypedQuestion:
    """A question about a home.

    A place may belong to the target or to the landmark before it: "the cup on the shelf next to the printer" leaves
    open what is next to the printer. `places` keeps the order of the words.

    Attributes:
        text: the question as it was asked, without spaces at its ends.
        kind: what evidence answers it.
        category: its category in OpenEQA.
        answer_form: what an answer looks like.
        target: the thing that it is about; None if it names none ("What is on the table?").
        places: where the target is, or is asked to be, outside rooms.
        room: canonical name of a kind of room that it names; empty if it names none.
        attribute: "colour", "material", "shape", "size", "pattern" or another noun for an attribute; ATTRIBUTE only.
        state: the state that it asks about, in the words of `types.vocabulary` where there is one (STATE_OPEN, ...), of
            STATE; the state that the target must have, of EXISTENCE and WHAT_IS ("What is switched on in the
            kitchen?"); the value of "Is the sofa red?", of ATTRIBUTE.
        options: the answers that it offers: ("open", "closed").
        purpose: verb phrase of what is to be done: "take a nap"; FUNCTION and SPACE only.
        excluded: what does not count: "What is on the bed, apart from pillows?".
        context: what is said before the clause that asks: "i am thirsty".
        negated: whether "yes" means that the state or relation does not hold.
        unread: what it says, apart from its things, and no rule takes account of: "or is the oven on".
    """

    text: str
    kind: QuestionKind
    category: Category
    answer_form: AnswerForm
    target: ThingPhrase | None = None
    places: tuple[PlacePhrase, ...] = ()
    room: str = ""
    attribute: str = ""
    state: str = ""
    options: tuple[str, ...] = ()
    purpose: str = ""
    excluded: ThingPhrase | None = None
    context: str = ""
    negated: bool = False
    unread: tuple[str, ...] = ()

    @property
    def relation(self) -> Relation | None:
        """The relation to the first landmark; None without one."""
        return self.places[0].relation if self.places else None

    @property
    def landmark(self) -> ThingPhrase | None:
        """The first landmark; None without one."""
        return self.places[0].landmarks[0] if self.places else None

    @property
    def express_category(self) -> ExpressCategory:
        """Its category in EXPRESS-Bench."""
        return _EXPRESS_CATEGORIES[self.kind]


_EXPRESS_CATEGORIES = {
    QuestionKind.EXISTENCE: ExpressCategory.EXISTENCE,
    QuestionKind.COUNT: ExpressCategory.COUNTING,
    QuestionKind.ATTRIBUTE: ExpressCategory.ATTRIBUTE,
    QuestionKind.STATE: ExpressCategory.STATE,
    QuestionKind.WHERE: ExpressCategory.LOCATION,
    QuestionKind.ROOM_OF: ExpressCategory.LOCATION,
    QuestionKind.WHAT_IS: ExpressCategory.OBJECT,
    QuestionKind.WHICH: ExpressCategory.OBJECT,
    QuestionKind.RELATION: ExpressCategory.LOCATION,
    QuestionKind.SPACE: ExpressCategory.STATE,
    QuestionKind.FUNCTION: ExpressCategory.KNOWLEDGE,
    QuestionKind.ROOM_KIND: ExpressCategory.KNOWLEDGE,
    QuestionKind.KNOWLEDGE: ExpressCategory.KNOWLEDGE,
}


class QuestionNotUnderstoodError(StmaError):
    """A text is no question, or none that can be typed; the message names the reason."""

    code = ErrorCode.TASK_NOT_UNDERSTOOD

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"the question {text!r} was not understood: {reason}")
        self.reason = reason
