"""Removes sentences in which people tell of themselves: "I'm not supposed to be on my feet before Monday."

Such a sentence may negate, limit or name a time as a request does. It tells nothing about requests if a person or a
part of one is its subject, if it names no thing of a household, if it asks for nothing and takes nothing back
(second_thoughts), and if nothing after it depends on it.
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import people, second_thoughts, typos, verbs
from stma_ros.domains.household.language.frames import FRAME_WORDS
from stma_ros.domains.household.language.patterns import BASE, I_WANT, STATE
from stma_ros.domains.household.language.pleasantries import ADDRESSEE, is_pleasantry
from stma_ros.domains.household.language.quantities import NUMBER
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import plural

_EVENT = (
    r"(?:it|that|this) (?:is|was|has been)(?: (?:already|almost|nearly|just|only|so|rather|quite|very|really|too|been|a"
    r"|an|the|one|such))* (?:(?:long|busy|trying|hard|rough|tough|hectic|late|early|exhausting|awful|terrible|bad"
    r"|stressful|full|big|great|special) )*(?:day|morning|evening|afternoon|night|week|month|year|weekend"
    r"|time for (?:my|our|his|her|their|the \w+'s) [a-z]+"
    r"|of (?:those|these)|late|early|dark outside|bedtime|lunchtime|dinnertime|noon|midnight|my birthday|my turn to)\b"
    r"|there (?:is|are) (?:still |just |only |always |simply )*(?:so |too |very )*(?:much|many|a lot|lots|plenty|loads"
    r"|no (?:end|time|rest)|a few things|some things|things|guests|people|visitors|company)\b"
    r"|there (?:is|are) (?:never|hardly|barely|rarely) (?:enough|any|a) (?:quiet |dull |free )?(?:time|peace|rest|sleep"
    r"|minute|moment|day|money|energy)\b"
    r"|if (?:i|we|he|she) (?:do|does|am|are|is) not [^,]+, (?=(?:i|we|he|she) (?:will|would|shall|am|is) )"
    r"|(?:in|at) (?:my|our) (?:day|time|age|state|condition|youth|family|house)s? ,? ?(?=i |we |one )"
)
_ADVERB = r"(?:(?:[a-z]+ly|just|also|still|now|never|always|often|even|soon|once|all|both) )*"
_VERB = (
    r"(?:am|is|are|was|were|has|have|had|will|would|can|could|come|arrive|get|go|start|keep|do|does|did|may|might"
    r"|must|should|[a-z]+(?:ed|s)|taught"
    r"|came|went|got|slept|woke|fell|broke|hurt|spent|felt|kept|grew|ran|drove|flew|wrote|read|ate|drank|held|thought"
    r"|knew|began|had|made|took|let|met|paid|forbade|became|lost|said|told|sat|stood|lay|rang|wore|won|caught|ache"
    r"|hurt|shake|swell)"
)
_TELLS = re.compile(
    rf"(?:(?:well|oh|you see|and|but|so|now|also|plus),? )*(?:{people.SUBJECT} {_ADVERB}{_VERB}"
    rf"|(?:i|we) {_ADVERB}[a-z]+|{_EVENT})\b.*"
)
_NO_SUBJECT = (
    rf"(?:{BASE}|please|do|let|make|see|help|go|come|what|where|which|who|why|how|if|not|no|nothing|nobody|none|all"
    rf"|both"
    rf"|some(?:one|body)|any(?:one|body)|every|each|today|tomorrow|tonight|later|yesterday|{NUMBER})"
)
_OF_A_THING = (
    r"(?:(?:belongs?|goes|lives?|fits?|stands?|sits?|lies?|hangs?|stays?|should|must|ought|may|might|could|would|has to"
    r"|have to|dirty|broken|empty|full|there|upstairs|downstairs|away)\b"
    rf"|(?:is|are|was|were|left|still|be) (?:[a-z]+ )?{STATE}\b)"
)
_HAPPENS = re.compile(
    rf"(?:(?:well|oh|and|but|so|now),? )*(?:(?:the|my|our|his|her|this|an?) )?(?!{_NO_SUBJECT}\b)(?:[a-z'-]+ ){{1,3}}?"
    rf"{_ADVERB}(?:is|are|was|were|has|have|had|will(?= not\b)|does(?= not\b)|do(?= not\b)|did(?= not\b)|made?|take"
    rf"|took"
    rf"|came|began|went|(?!{BASE}s?\b)[a-z]{{2,}}(?:ed|s))\b(?! (?:not )?(?:to|supposed|meant|due) )"
    rf"(?!.*\b{_OF_A_THING}).+"
)
"""An event, or a saying: "our shift ends at six". It must not be about a thing that has no known name."""
_SETTING = re.compile(
    r"\bon the phone\b|\b(?:at|by) (?:the|my|our) (?:front )?door\b|\b(?:in|to|into|out of|at) (?:the |my |our )?(?:bed"
    r"|bath|shower|garden|office|desk|hall)\b(?! of\b)|\bat the table\b|\b(?:his|her|their|my|our) (?:homework)\b"
)
"""Where people are, and what it is time for, is told of them."""
_SPEAKS_OF_REQUEST = re.compile(
    r"\b(?:you|your|yours|it|them|they|these|those|that|one|ones|none|same|rest|others|another|instead|elsewhere|please"
    r"|if|unless|whether|otherwise|except|only(?! just\b)|or|until(?= you\b)|wait|later|mind|jok(?:e|ing)|kidding"
    r"|mistak(?:e|en)"
    r"|wrong|cancel|stop|done|wants?|wish(?:es)?|wishing|needs?(?! (?:to (?:be|go|rest|sleep|leave|get (?:up|going"
    r"|ready"
    r"|dressed))\b|doing|rest|sleep|a (?:rest|break|nap)))|prefers?|requires?|would (?:like|love|appreciate)"
    r"|would rather(?! not\b)|insists?|demands?|suggests?|recommends?|proposes?|expects?|lost|left|leaves?|forgot"
    r"|forgotten|means?|meant|miss(?:ing)?|misplaced|mislaid|finds?|found|search(?:ing)?|looking for|hunting|seen"
    r"|seeking|(?:can|could"
    r"|will) (?:manage|cope|do|handle|see to)|where|which|what(?! (?:needs|has to|i|we|he|she)\b))\b"
)
"""The speaker may mean what is asked for, or ask for something."""
_DUMMY = re.compile(
    rf"(?:^|(?<=, )|(?<=\band )|(?<=\bbut )|(?<=\bso )|(?<=\bbecause ))(?:{_EVENT}|there (?:is|are))|\bsay(?:s"
    rf"|ing)? that"
    r" (?=i |we )|\bthat (?=i |we )|\b(?:leave|leaves|leaving|left) (?:(?:his|her|my|their) side|him|her|the (?:house"
    r"|baby|children|kids)|home|work|for|in|at)\b|\bone of (?:those|these)\b|\b(?:more|better|longer|older) than\b"
    rf"|\b{people.NAME}\b|\bwhat (?:they|it) (?:once )?(?:was|were|used to be)\b|\bcan(?= not\b| (?:barely|hardly"
    rf"|scarcely|only)\b)"
    r"|\bused to\b|\bup (?:until|till|to)\b"
)
_ACTS_ON_SOMETHING = re.compile(
    rf"(?:, |\band |\bso |\bbut )(?:then |just |now )*(?:{BASE}|go|come|help|make|see|check|try|do"
    rf"|give)\b(?! not\b)|\b(?:{BASE}|{'|'.join(verbs.SAME_IN_THE_PAST)}) (?:(?:up|out|off|on|down|away|back"
    rf"|over) )?(?:the|an?|my|our|all"
    rf"|both|some|every|any|two|three)\b(?! (?:[a-z]+ )?(?:{people.PEOPLE}|{people.BODY}|rest|nap|break|breather|seat"
    r"|bath|shower"
    r"|walk|look|eye|call|train|bus|plane|taxi|day|night|week|weekend|holiday|exam|test|class|lesson|shift|house))"
)
_COMES_BEFORE = re.compile(rf"(?!{I_WANT}\b){people.SUBJECT} (?:[a-z'-]+ )+(?:(?<!at )first|beforehand)")
"""Tells what has to happen before the request: "the dog goes out first"."""
_REFERS = re.compile(r"\b(?:it|them|they|these|those|ones|one(?! of\b)|his|her|their|he|she|him)\b")
_REMEDY_FOR = re.compile(
    r"^(?:and |so |please |can you |could you |would you )*(?:help (?:me|us)$|(?:do|fix|change|see to|take care"
    r" of) (?:it|that|this|something)\b)"
)
_THERE = re.compile(r"\bthere(?: \.)?$")
_DUMMY_IT = re.compile(
    r"\bif it (?:is|was|would)\b|\b(?:these|those|here) are (?:your|my|the|our|what)\b|\b(?:would|could|might|will|is"
    r"|was) (?:not )?it (?:not )?(?:be|is|possible|too|all right|ok|okay|an?|please|suit|help|bother|trouble)\b"
    r"|\bit (?:would|will|might|could|is) (?:really |also |so |very )*(?:be|help|mean|make|time|please|suit|save"
    r"|important|good|best|nice|great|necessary)\b|\b(?:leave|leaving) it (?:up )?to you\b|\bappreciate it if\b"
)
_NOUN = re.compile(
    r"\b(?:the|my|our|his|her|their|an?|some|any) ([a-z'-]{3,}(?: (?!before\b|after\b|until\b|when\b)[a-z'-]{4,})?)"
)
_NOT_IN_HOUSEHOLD = frozenset(
    ("house", "home", "flat", "apartment", "place", "room", "back", "side", "food", "dinner")
)
_BEFORE_REQUEST = re.compile(
    r" ?,? (?:and )?so (?=(?:please|kindly|could|can|would|will|i (?:would like|need|want) you|i would be|you)\b)"
)


_BEGINNING = re.compile(
    rf"(?P<link>(?:and )?then ,? ?)|(?P<name>(?:my |dear |old )*{ADDRESSEE}) ?, ?|(?P<said>[^,]+?) ?, ?(?=\w)"
)


def without_small_talk(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text without sentences in which people only tell of themselves.

    Args:
        text: the text.
        knowledge: of categories.

    Raises:
        UnreadError: something has to happen before a request.
    """
    sentences = text.split(" . ")
    kept: list[str] = []
    for index, sentence in enumerate(sentences):
        link, told = _without_beginning(sentence)
        if _COMES_BEFORE.fullmatch(told.strip(" .")):
            raise UnreadError(told.strip(" ."))
        said, *request = _BEFORE_REQUEST.split(told, maxsplit=1)
        rest = [*request, *sentences[index + 1 :]]
        following = next((other for other in rest if other.strip(" .")), "")
        others = " . ".join((*kept, *rest))
        if not (
            _tells_of_people(said.strip(" ."), knowledge) and _is_apart(said, following, others, knowledge)
        ):
            kept.append(sentence)
        elif request:
            kept.append(link + request[0])
        elif link and rest:
            sentences[index + 1] = link + rest[0]
    return " . ".join(kept) or text


def _without_beginning(sentence: str) -> tuple[str, str]:
    """Returns what links a sentence to those before it, and the rest without greetings."""
    heading, colon, told = sentence.rpartition(" : ")
    link = heading + colon
    while (match := _BEGINNING.match(told)) and (
        match["link"] or match["name"] or is_pleasantry(match["said"])
    ):
        link += match["link"] or ""
        told = told[match.end() :]
    return link, told


def _tells_of_people(sentence: str, knowledge: CategoryKnowledge) -> bool:
    """Whether a sentence tells only of people, and of no thing that a request may be about."""
    said = _SETTING.sub("", _DUMMY.sub("", sentence))
    return (
        bool(_TELLS.fullmatch(sentence) or _is_event(sentence, knowledge))
        and not is_pleasantry(sentence)
        and not second_thoughts.are_in(sentence)
        and not _SPEAKS_OF_REQUEST.search(said)
        and not _ACTS_ON_SOMETHING.search(said)
        and not _names_thing(said, knowledge)
    )


def _is_event(sentence: str, knowledge: CategoryKnowledge) -> bool:
    return bool(_HAPPENS.fullmatch(sentence)) and not typos.unknown_words(sentence, knowledge)


def _is_of_household(word: str, knowledge: CategoryKnowledge) -> bool:
    is_thing = knowledge.is_known(knowledge.canonical(word))
    return word not in _NOT_IN_HOUSEHOLD and (is_thing or word in knowledge.colours)


def _is_apart(sentence: str, following: str, others: str, knowledge: CategoryKnowledge) -> bool:
    """Whether nothing else that is said depends on a sentence.

    Args:
        sentence: the sentence.
        following: the one after it.
        others: all that is said besides.
        knowledge: of categories.
    """
    following = _DUMMY_IT.sub("", following)
    reference = _REFERS.search(following)
    there = _THERE.search(following) if _SETTING.search(sentence) else None
    if (
        _REMEDY_FOR.search(following)
        or (reference and not _names_thing(following[: reference.start()], knowledge))
        or (there and not _names_place(following[: there.start()], knowledge))
    ):
        return False
    named = {word for noun in _NOUN.findall(sentence) for word in noun.split()} - _NOT_IN_HOUSEHOLD
    return not any(
        re.search(rf"\b(?:{re.escape(word)}|{re.escape(plural(word))})\b", others)
        for word in named - FRAME_WORDS - {*verbs.BASES}
    )


def _names_thing(text: str, knowledge: CategoryKnowledge) -> bool:
    return any(_is_of_household(word, knowledge) for word in re.findall(r"[a-z'-]+", text))


def _names_place(text: str, knowledge: CategoryKnowledge) -> bool:
    names = map(knowledge.canonical, re.findall(r"[a-z'-]+", text))
    return any(knowledge.is_receptacle(name) or knowledge.is_room(name) for name in names)
