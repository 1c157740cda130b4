"""Reads questions about a home into typed questions."""

from __future__ import annotations

import re
from dataclasses import replace

from stma_ros.domains.eqa.categories import category_of
from stma_ros.domains.eqa.form_words import PUT
from stma_ros.domains.eqa.forms import FORMS, Form
from stma_ros.domains.eqa.noun_phrase import LocatedThing, NounPhrases
from stma_ros.domains.eqa.places import split_places, starts_with_place
from stma_ros.domains.eqa.question import (
    AnswerForm,
    Category,
    PlacePhrase,
    QuestionKind,
    QuestionNotUnderstoodError,
    ThingPhrase,
    TypedQuestion,
)
from stma_ros.domains.eqa.states import Predicate, read_adjective, read_state, read_value
from stma_ros.domains.eqa.wording import Wording, split_wording
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.vocabulary import OPPOSITE_STATE

MAX_CHARACTERS = 1000
"""Length of the longest question that is read."""

_NAMES_TARGET = frozenset(
    (
        QuestionKind.EXISTENCE,
        QuestionKind.COUNT,
        QuestionKind.ATTRIBUTE,
        QuestionKind.STATE,
        QuestionKind.WHERE,
        QuestionKind.ROOM_OF,
        QuestionKind.RELATION,
    )
)
_PRONOUN = re.compile(
    r"(?:it|they|them)\b(?: (?:somewhere|anywhere))?|(?:one|that|this|these|those)(?: (?:somewhere|anywhere))?$"
)
_ANTECEDENT = re.compile(
    r"\b(?:looking|searching) for (?P<x>.+)|\bthere (?:is|are) (?P<y>.+)|\b(?:lost|misplaced|can not find) (?P<z>.+)"
)
_EXCEPTION = re.compile(
    r",? (?:apart from|aside from|except(?: for)?|other than|besides) (?P<thing>(?:(?:a|an|the|any) )?[\w -]+)$"
)
_OPTIONS = re.compile(r"(?P<clause>(?:which|what) [^,]+), (?P<one>[^,]+) or (?P<other>[^,]+)")
_JOINED = re.compile(
    r",? (?:and|but|or(?! (?:is|are|was|were) (?:it|they)\b))(?: (?:then|also|please))* "
    r"(?:(?:is|are|was|were|do|does|did|has|have|if|whether|what|which|where|who|how|why)\b"
    r"|(?:can|could|will|would|should) (?:i|we|you|it)\b"
    r"|\w+(?: \w+)? (?:it|them|me|us)\b).*$"
)
"""A second question or request in one clause with the first: "and turn it off"; not "or is it closed" of a choice."""
_SAYS_NOTHING = re.compile(r"(?:here|there|now|inside|altogether|in (?:all|total)|at home)(?: now)?")
"""Ends of questions that do not change what is asked."""
_BARE_PURPOSE = re.compile(r"(?:do (?:that|this|it|so)|use|do|take|that|this)\b(?! (?:to|for)\b)")
_WISH = re.compile(r"\b(?:i|we) (?:want|would like|need|have) to (?P<purpose>.+)")
_SOMETHING_IS = re.compile(
    r"(?P<thing>something(?: .+?)?) (?:is|was|has been)(?: left)? (?P<state>.+?)"
    r"(?: it is (?:not|no) (?P<excluded>.+))?$"
)
_USE = re.compile(r"^used? (?:to|for) ")
_RELATIVE = re.compile(r" (?:that|which) (?:is|are) ")
_PUT = re.compile(rf"{PUT} ")
_NAMES_THING = re.compile(r"(?:a|an|the|my|another|more|some|any|one|two) ")
_ATTRIBUTE_NAMES = (
    ("colour", "colour"),
    ("material", "material"),
    ("pattern", "pattern"),
    ("texture", "pattern"),
    ("brand", "brand"),
)
_SIZE_NAMES = ("size", "height", "length", "width")


class QuestionParser:
    """Reads questions in English.

    It knows the forms of questions, prepositions, states and attributes. Names of things need not be known.
    """

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        """Takes the knowledge of categories, which gives canonical names, colours and kinds of rooms."""
        self._knowledge = knowledge
        self._phrases = NounPhrases(knowledge)

    def parse(self, text: str) -> TypedQuestion:
        """Returns what a text asks.

        Raises:
            QuestionNotUnderstoodError: the text is empty or too long, or no clause of it asks anything.
        """
        text = text.strip()
        if not text:
            raise QuestionNotUnderstoodError(text, "it is empty; ask something such as 'Where is the clock?'")
        if len(text) > MAX_CHARACTERS:
            reason = (
                f"it has {len(text)} characters, and {MAX_CHARACTERS} are read at most; ask it in fewer words"
            )
            raise QuestionNotUnderstoodError(text[:40] + "...", reason)
        wording = split_wording(text)
        if wording is None:
            raise QuestionNotUnderstoodError(
                text, "it asks nothing; begin with a question word, or with a verb such as 'is' or 'can'"
            )
        question = self._typed(text, wording)
        if question.kind in _NAMES_TARGET and question.target is None:
            raise QuestionNotUnderstoodError(text, "it does not say which thing it is about; name the thing")
        return replace(question, category=category_of(question, wording, self._knowledge))

    def _typed(self, text: str, wording: Wording) -> TypedQuestion:
        clause, unread = _without_second_question(wording.clause)
        excluded: ThingPhrase | None = None
        options: tuple[str, ...] = ()
        if (exception := _EXCEPTION.search(clause)) is not None:
            clause, excluded = clause[: exception.start()], self._phrases.thing(exception["thing"])
            if not self._is_read(exception["thing"]):
                unread = (*unread, exception[0].strip(" ,"))
        if (offered := _OPTIONS.fullmatch(clause)) is not None:
            clause, options = offered["clause"], (offered["one"].strip(), offered["other"].strip())
        for form in FORMS:
            match = form.pattern.fullmatch(clause)
            question = self._filled(text, form, match, wording) if match is not None else None
            if question is not None and options:
                kind = QuestionKind.WHICH if question.kind is QuestionKind.WHAT_IS else question.kind
                question = replace(question, kind=kind, answer_form=AnswerForm.CHOICE, options=options)
            if question is not None:
                question = replace(question, excluded=excluded, unread=(*question.unread, *unread))
                return self._with_context(_without_else(question), wording)
        raise QuestionNotUnderstoodError(text, "no form of questions fits it; say it in a simpler way")

    def _filled(self, text: str, form: Form, match: re.Match[str], wording: Wording) -> TypedQuestion | None:
        """Returns the typed question of a form; None if a group is not what the form takes it for."""
        groups = {name.rstrip("23"): value.strip() for name, value in match.groupdict().items() if value}
        place = groups.get("place", "")
        rest = groups.get("rest", "")
        if place and not starts_with_place(place):
            return None
        counted = self._counted(groups["x"], rest) if form.kind is QuestionKind.COUNT and rest else None
        if counted is not None:
            groups["x"], rest = counted.thing, ""
        if starts_with_place(rest):
            place = rest
        if "holder" in groups:
            place = f"in {groups['holder']}"
        if "part" in groups:
            place = f"with {groups['part']}"
        if "near" in groups:
            place = f"near {groups['near']}"
        if "from" in groups:
            place = f"between {groups['from']} and {groups['to']}"
        question = TypedQuestion(
            text,
            form.kind,
            Category.WORLD_KNOWLEDGE,
            form.answer_form,
            purpose=groups.get("purpose", ""),
            context=wording.context,
            unread=() if starts_with_place(rest) or _SAYS_NOTHING.fullmatch(rest or "here") else (rest,),
        )
        if "predicate" in groups and form.kind is QuestionKind.RELATION:
            predicate = " ".join(filter(None, (groups["predicate"], groups.get("said"))))
            return self._with_predicate(question, predicate, wording)
        thing, state = groups.get("x", "a door" if "from" in groups else ""), ""
        if counted is not None and not counted.attribute:
            state = _state(counted)
        if "state" in groups:
            said = read_state(f"{thing or 'something'} {groups['state']}")
            if said is None or said.value not in OPPOSITE_STATE:
                return None
            thing, state = said.thing, _state(said)
        if (
            form.kind is QuestionKind.EXISTENCE
            and (said := read_state(_RELATIVE.sub(" ", thing))) is not None
        ):
            thing, state = said.thing, _state(said)
            if not state:
                question = replace(question, unread=(*question.unread, f"not {said.value}"))
        compared = groups.get("predicate", "")
        if compared and not split_places(compared)[1]:
            return replace(question, target=self._phrases.thing(thing), attribute="size")
        located = self._located(thing, place or compared, wording)
        if counted is not None and counted.attribute and located.thing is not None:
            colours = (*located.thing.colours, self._knowledge.colour(counted.value))
            located = replace(located, thing=replace(located.thing, colours=colours))
        if question.purpose:
            located = self._with_purpose(located, question)
            question = replace(question, purpose=_purpose(question.purpose, wording.context))
        if form.kind is QuestionKind.ATTRIBUTE or form.attribute:
            question = replace(question, attribute=form.attribute or _attribute(groups["attribute"]))
            located = _of_first_landmark(located)
        return replace(_in(question, located), state=state)

    def _counted(self, thing: str, said: str) -> Predicate | None:
        """Returns the state or colour of the things that are counted: of "windows", "open in the kitchen"."""
        state = read_state(f"{thing} {said}")
        if state is not None and state.value in OPPOSITE_STATE and not state.options:
            return state
        value = read_value(f"{thing} {said}", self._knowledge)
        is_colour = (
            value is not None and value.attribute == "colour" and bool(self._knowledge.colour(value.value))
        )
        return value if value is not None and is_colour and not (value.negated or value.options) else None

    def _is_read(self, exception: str) -> bool:
        """Whether rules take account of all words of a thing that is excepted."""
        read = self._phrases.read(exception)
        return read.thing is not None and _is_plain(read.thing) and not (read.places or read.room)

    def _is_plain_place(self, place: str) -> bool:
        """Whether rules take account of all words of a place that a question offers."""
        read = self._phrases.read(place)
        return not read.unread and all(_is_plain(mark) for each in read.places for mark in each.landmarks)

    def _with_context(self, question: TypedQuestion, wording: Wording) -> TypedQuestion:
        """Returns "what is it" with the thing that was said to be there: "Something is switched on in the kitchen."."""
        said = _SOMETHING_IS.search(wording.context)
        if question.kind is not QuestionKind.WHAT_IS or question.places or said is None:
            return question
        state = read_state(f"{said['thing']} {said['state']}")
        if state is None:
            return question
        located = self._phrases.read(state.thing)
        excluded = self._phrases.thing(said["excluded"]) if said["excluded"] else question.excluded
        return replace(_in(question, located), state=state.value, excluded=excluded)

    def _with_purpose(self, located: LocatedThing, question: TypedQuestion) -> LocatedThing:
        """Adds the places of what is to be done, and the thing that it is done with: "put a couch in this room"."""
        put = _PUT.match(question.purpose)
        done = self._phrases.read(question.purpose[put.end() :] if put else question.purpose)
        thing = located.thing
        if thing is None and (
            put or (question.kind is QuestionKind.SPACE and _NAMES_THING.match(question.purpose))
        ):
            thing = replace(done.thing, unread=()) if done.thing is not None else None
        places = located.places or tuple(map(_without_unread, done.places))
        return LocatedThing(thing, places, located.room or done.room, (*located.unread, *done.unread))

    def _located(self, thing: str, place: str, wording: Wording) -> LocatedThing:
        """Returns the target with its places; a pronoun stands for the thing named before it."""
        pronoun = _PRONOUN.match(thing)
        if pronoun is not None:
            named = _ANTECEDENT.search(wording.context)
            antecedent = next(filter(None, named.groups()), "") if named is not None else ""
            thing = f"{antecedent} {thing[pronoun.end() :]}".strip()
        return self._phrases.read(f"{thing} {place}".strip())

    def _with_predicate(self, question: TypedQuestion, predicate: str, wording: Wording) -> TypedQuestion:
        """Returns the question "is X ...?" as one for a state, an attribute, or a place."""
        value = read_value(predicate, self._knowledge) or read_state(predicate)
        if value is None and not split_places(predicate)[1]:
            value = read_adjective(predicate, self._knowledge)
        if value is None:
            first, either, second = predicate.partition(" or ")
            thing, denied, place = first.partition(" not ")
            is_denied = bool(denied) and starts_with_place(place)
            if is_denied:
                first = f"{thing} {place}"
            located = self._located(first, "", wording)
            if not (located.places or located.room):
                return replace(question, kind=QuestionKind.KNOWLEDGE, target=located.thing)
            options = _place_options(first, second) if either else ()
            if options and not self._is_plain_place(options[1]):
                question = replace(question, unread=(*question.unread, options[1]))
            return replace(
                _in(question, located),
                answer_form=AnswerForm.CHOICE if options else AnswerForm.YES_NO,
                options=options,
                negated=is_denied,
            )
        located = self._located(value.thing, "", wording)
        question = replace(
            _in(question, located),
            answer_form=AnswerForm.CHOICE if value.options else AnswerForm.YES_NO,
            options=value.options,
            negated=value.negated,
            state=value.value,
        )
        if value.attribute:
            return replace(question, kind=QuestionKind.ATTRIBUTE, attribute=value.attribute)
        return replace(question, kind=QuestionKind.STATE)


def _is_plain(phrase: ThingPhrase) -> bool:
    """Whether rules take account of all words of a phrase."""
    said_more = phrase.modifiers or phrase.materials or phrase.size or phrase.unread
    return bool(phrase.category) and not said_more


def _in(question: TypedQuestion, located: LocatedThing) -> TypedQuestion:
    """Returns a question about a thing at its places."""
    unread = (*question.unread, *located.unread)
    return replace(question, target=located.thing, places=located.places, room=located.room, unread=unread)


def _state(said: Predicate) -> str:
    """Returns the state that is said of a thing, "closed" for "not open"; empty if it is only said what it is not."""
    return OPPOSITE_STATE.get(said.value, "") if said.negated else said.value


def _without_else(question: TypedQuestion) -> TypedQuestion:
    """Returns "anything else ... besides the mug" as the same without "else"."""
    if question.excluded is None or question.target is None:
        return question
    unread = tuple(word for word in question.target.unread if word != "else")
    return replace(question, target=replace(question.target, unread=unread))


def _without_second_question(clause: str) -> tuple[str, tuple[str, ...]]:
    """Returns a clause without what it asks besides, and that, if there is any."""
    joined = _JOINED.search(clause)
    return (clause, ()) if joined is None else (clause[: joined.start()], (joined[0].strip(" ,"),))


def _without_unread(place: PlacePhrase) -> PlacePhrase:
    """Returns a place of a purpose, whose further words say what for: "at the table if nobody brings a chair"."""
    return replace(place, landmarks=tuple(replace(mark, unread=()) for mark in place.landmarks))


def _purpose(purpose: str, context: str) -> str:
    """Returns "cut bread" for "I want to cut bread. What should I use?", or what is said before if it names no wish."""
    wish = _WISH.search(context)
    if _BARE_PURPOSE.match(purpose):
        purpose = wish["purpose"] if wish is not None else context or purpose
    return _USE.sub("", purpose)


def _of_first_landmark(located: LocatedThing) -> LocatedThing:
    """Returns the poster of "what is written on the poster" as the thing whose attribute is asked."""
    if located.thing is not None or not located.places:
        return located
    first, *others = located.places
    return replace(located, thing=first.landmarks[0], places=tuple(others))


def _place_options(first: str, second: str) -> tuple[str, ...]:
    """Returns the places of "the mug in the kitchen" or "in the office"; empty if the second one is none."""
    _, places, _ = split_places(first)
    _, others, _ = split_places(second)
    if not places or second == "not":
        return ()
    relation, phrase = places[-1]
    if others and starts_with_place(second):
        return f"{relation.value} {phrase}", f"{others[0][0].value} {others[0][1]}"
    return f"{relation.value} {phrase}", f"{relation.value} {second}"


def _attribute(text: str) -> str:
    """Returns the name of an attribute: "colour" for "main colours"."""
    for part, name in _ATTRIBUTE_NAMES:
        if part in text:
            return name
    name = text.rpartition(" of ")[2]
    return "size" if name in _SIZE_NAMES else name
