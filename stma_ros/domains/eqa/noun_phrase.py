"""Reads noun phrases of questions: "the small black chairs between the beds in the kids' room"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from stma_ros.domains import noun_words
from stma_ros.domains.eqa.determiners import DETERMINER, read_determiners
from stma_ros.domains.eqa.places import split_places
from stma_ros.domains.eqa.question import PlacePhrase, Quantifier, Relation, ThingPhrase
from stma_ros.domains.noun_words import without_colour_suffix
from stma_ros.memory.category_knowledge import CategoryKnowledge

_GENERIC = re.compile(r"^(?:(?:object|thing|item)s?|stuff|furniture|ones?|(?:any|some|every|no)thing)$")
_SOMETHING_RED = re.compile(r"^(?P<thing>(?:any|some|no)thing) (?P<adjectives>\w+(?: \w+)?)$")
_ELSE = re.compile(r"^(?P<thing>(?:any|some|no)(?:thing|one|body)) (?P<word>else)\b")
_PERSON = re.compile(r"^(?:any|some|every|no)(?:one|body)$|^people$|^persons$")
_FLOOR = re.compile(r" (?:(?:up|down)stairs|outside|inside)(?= |$)")
_PRONOUN = re.compile(r"^(?:it|them|they|me|you|us|each other|one another|this|that)$")
_AND = re.compile(r" and (?:the |a |an |my )?|, ")
_HERE = re.compile(
    r"^(?:(?:this|the|here|there|current|whole|entire) )*(?:room|scene|place|space|house|home|building|apartment|flat"
    r"|images?|video)(?: (?:up|down)stairs| or not)?$"
)
_CLAUSE = re.compile(
    r" (?:\w+er than|more \w+ than|than|that|which|who|where|when|so|if|to|for|aside|besides?|while|until"
    r"|living(?! room)|running|sleeping|burning|here|there|standing|is|are|was|were|has|have)\b.*$"
)
_NO_CLAUSE = re.compile(r" (?:right )?(?:here|there|standing|is|are|was|were)")
"""The end of a noun phrase that tells nothing of the thing."""
_JOINING = frozenset(
    (
        "or",
        "nor",
        "not",
        "without",
        "none",
        "neither",
        "no",
        "of",
        "the",
        "a",
        "an",
        "most",
        "few",
        "half",
        "but",
        "i",
    )
)
"""Words that are no adjectives: where one of them stands before the name of a kind, more is said than which thing of
the kind is meant."""
_PIECE_OF = ["piece", "of"]
_WITHIN = frozenset((Relation.IN, Relation.ON, Relation.UNDER, Relation.ABOVE))


@dataclass(frozen=True)
class LocatedThing:
    """A thing with the places that its noun phrase names.

    Attributes:
        thing: None if the phrase begins with a place.
        places: outside rooms, in the order of the words.
        room: canonical name of the room; empty if none is named.
        unread: words that tell which room of its kind is meant.
    """

    thing: ThingPhrase | None
    places: tuple[PlacePhrase, ...] = ()
    room: str = ""
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class NounPhrases:
    """Reads noun phrases, in the spelling of `wording.normalised`, with knowledge of categories."""

    knowledge: CategoryKnowledge

    def read(self, text: str) -> LocatedThing:
        """Returns the thing that a noun phrase names, with its places."""
        name, places, side = split_places(text)
        thing = self.thing(name)
        found: list[PlacePhrase] = []
        room, unread = "", ""
        for relation, phrase in places:
            named = self.room(phrase)
            if named and relation in (Relation.IN, Relation.PART_OF, Relation.ON):
                room = room or named
                unread = unread or self._limits_of_room(phrase)
            elif not (_HERE.match(phrase) or _PRONOUN.match(phrase)) and (
                landmarks := self._landmarks(phrase, relation)
            ):
                if (
                    relation in _WITHIN and len(landmarks) == 1
                ):  # what is on the bathroom shelf is in the bathroom
                    landmark, named = self._split_room(landmarks[0])
                    landmarks, room = (landmark,), room or named
                found.append(PlacePhrase(relation, landmarks))
        if side:
            thing, found = _on_side(side, thing, found)
        if thing is not None and not room:
            thing, room = self._split_room(thing)
        return LocatedThing(thing, tuple(found), room, (unread,) if unread else ())

    def thing(self, text: str) -> ThingPhrase | None:
        """Returns the thing of a noun phrase without places; None for an empty one."""
        determined = read_determiners(text.strip())
        other = _ELSE.match(determined.name)
        name = _ELSE.sub(r"\g<thing>", determined.name)
        clause = _CLAUSE.search(name)
        name = name if clause is None else name[: clause.start()].strip()
        name = _SOMETHING_RED.sub(r"\g<adjectives> \g<thing>", name)
        words = [without_colour_suffix(word) for word in re.sub(r"[^\w' -]", " ", name).split()]
        if not words:
            return None
        start = len(words) - 1 if _GENERIC.match(words[-1]) else self._name_start(words)
        before, category = words[:start], self.knowledge.canonical(" ".join(words[start:]))
        if _GENERIC.match(words[-1]):
            category = ""
        elif _PERSON.match(words[-1]):
            category = "person"
        sizes = [noun_words.SIZES[word] for word in before if word in noun_words.SIZES]
        colours = tuple(dict.fromkeys(filter(None, map(self.knowledge.colour, before))))
        materials = tuple(
            word for word in before if word in noun_words.MATERIALS and not self.knowledge.colour(word)
        )
        others = tuple(
            word
            for word in before
            if not (
                self.knowledge.colour(word) or word in materials or word in noun_words.SIZES or word == "and"
            )
        )
        plural = determined.counted or (
            words[-1].endswith("s")
            and not words[-1].endswith(("ss", "us", "is"))
            and self.knowledge.canonical(words[-1]) != words[-1]
        )
        says_more = clause is not None and not _NO_CLAUSE.fullmatch(clause[0])
        unread = (clause[0].strip(),) if clause is not None and says_more else ()
        return ThingPhrase(
            text=" ".join(words),
            category=category,
            colours=colours,
            materials=materials,
            size=sizes[0] if sizes else "",
            modifiers=others,
            plural=plural,
            quantifier=_quantifier(words[-1]) or determined.quantifier,
            amount=determined.amount,
            unread=(*determined.unread, *((other["word"],) if other else ()), *unread, *self._joined(before)),
        )

    def _joined(self, before: list[str]) -> tuple[str, ...]:
        """Returns the words before the name of a kind if they name more than its looks: the lamp of "lamp and tv"."""
        rest = before[2:] if before[:2] == _PIECE_OF else before
        ands = (number for number, word in enumerate(rest) if word == "and")
        joins = any(not all(map(self._is_adjective, rest[k - 1 : k] + rest[k + 1 : k + 2])) for k in ands)
        return (" ".join(before),) if joins or not _JOINING.isdisjoint(rest) else ()

    def _name_start(self, words: list[str]) -> int:
        """Returns the index at which the name of the kind begins; adjectives stand before it."""
        known = [
            start
            for start in range(len(words))
            if self.knowledge.is_known(self.knowledge.canonical(" ".join(words[start:])))
        ]
        if known:
            return known[0]
        start = 0
        while start < len(words) - 1 and self._is_adjective(words[start]):
            start += 1
        return start

    def _is_adjective(self, word: str) -> bool:
        return bool(
            self.knowledge.colour(word)
            or word in noun_words.SIZES
            or word in noun_words.MATERIALS
            or word in noun_words.LIMITING_ADJECTIVES
            or word in noun_words.DROPPED_ADJECTIVES
            or noun_words.COMPARING.fullmatch(word)
            or word == "and"
        )

    def _landmarks(self, text: str, relation: Relation) -> tuple[ThingPhrase, ...]:
        names = _AND.split(text) if relation is Relation.BETWEEN else [text]
        return tuple(filter(None, (self.thing(split_places(name)[0]) for name in names)))

    def room(self, text: str) -> str:
        """Returns the canonical name of the room that a noun phrase names; empty if it names none."""
        words = _FLOOR.sub("", DETERMINER.sub("", text + " ")).split()
        for start in range(len(words)):
            name = self.knowledge.canonical(" ".join(words[start:]))
            if self.knowledge.is_room(name):
                return name
        kind = [word for word in words[:-1] if not self._is_adjective(word)]
        return (
            " ".join((*kind, "room"))
            if words[-1:] == ["room"] and len(kind) == 1 and not _HERE.match(text)
            else ""
        )

    def _limits_of_room(self, text: str) -> str:
        """Returns the words of a room's noun phrase besides the name of its kind: "guest" of "the guest bedroom"."""
        words = DETERMINER.sub("", text + " ").split()
        spans = ((start, end) for start in range(len(words)) for end in range(len(words), start, -1))
        name = next(
            (span for span in spans if self.knowledge.is_room(" ".join(words[slice(*span)]))), (0, len(words))
        )
        others = (*words[: name[0]], *words[name[1] :])
        return " ".join(word for word in others if word not in noun_words.DROPPED_ADJECTIVES)

    def _split_room(self, thing: ThingPhrase) -> tuple[ThingPhrase, str]:
        """Splits "bedroom light" into the lamp and its room; "kitchen knife" and "office chair" are kinds."""
        said = " ".join(thing.modifiers)
        if self.knowledge.is_room(said) and not self._is_carried(thing.category):
            text = thing.text.replace(f"{said} ", "", 1)
            return replace(thing, text=text, modifiers=()), self.knowledge.canonical(said)
        words = thing.text.split()
        for end in range(len(words) - 1, 0, -1):
            room = " ".join(words[:end])
            if self.knowledge.is_room(room) and not thing.category.startswith(f"{room} "):
                name = " ".join(words[end:])
                rest = self.thing(name)
                if rest is None or self._is_carried(name):
                    break
                return rest, self.knowledge.canonical(room)
        return thing, ""

    def _is_carried(self, name: str) -> bool:
        """Whether a thing of this name may be in any room, whatever room stands before its name."""
        return self.knowledge.is_portable(name) and not self.knowledge.is_device(name)


def _quantifier(noun: str) -> Quantifier | None:
    """Returns the quantifier in "nothing" or "everybody"; None for other nouns."""
    if noun.startswith("no") and (_GENERIC.match(noun) or _PERSON.match(noun)):
        return Quantifier.NO
    return Quantifier.ALL if noun in ("everything", "everyone", "everybody") else None


def _on_side(
    side: str, thing: ThingPhrase | None, places: list[PlacePhrase]
) -> tuple[ThingPhrase | None, list[PlacePhrase]]:
    """Adds the side to the last thing that is named: "the lamp on the table on the left"."""
    if places and places[-1].landmarks:
        last = places[-1]
        *others, landmark = last.landmarks
        sided = replace(landmark, modifiers=(*landmark.modifiers, side))
        return thing, [*places[:-1], replace(last, landmarks=(*others, sided))]
    return (replace(thing, modifiers=(*thing.modifiers, side)) if thing is not None else None), places
