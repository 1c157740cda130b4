"""Normalises answers: one spelling of words, numbers, colours and names of things."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains import noun_words
from stma_ros.domains.eqa.wording import normalised
from stma_ros.memory.category_knowledge import CategoryKnowledge

_SYNONYMS = (
    ("floor", "ground"),
    ("hallway", "corridor", "hall", "passage"),
    ("entrance", "entryway", "entry", "foyer"),
    ("door", "doorway"),
    ("stove", "stovetop", "gas stove"),
    ("vacuum cleaner", "vacuum", "hoover"),
    ("bathroom", "restroom", "washroom", "lavatory"),
    ("living room", "lounge", "sitting room"),
    ("blackboard", "chalkboard"),
    ("curtain", "drape"),
    ("blind", "shade"),
    ("picture", "painting", "photo", "photograph", "artwork", "picture frame"),
    ("rug", "carpet", "mat"),
    ("radiator", "heater"),
    ("stair", "staircase", "stairway", "step", "stairs"),
    ("air conditioner", "air conditioning unit", "ac", "ac unit", "air conditioning", "air con"),
    ("monitor", "screen", "display"),
    ("railing", "banister", "bannister", "handrail"),
    ("wood", "wooden", "timber"),
    ("metal", "metallic", "steel"),
    ("cloth", "fabric", "textile"),
    ("big", "large", "huge"),
    ("small", "little", "tiny"),
    ("circular", "round", "circle"),
    ("rectangular", "rectangle"),
    ("child", "kid"),
    ("corner", "nook"),
    ("middle", "centre"),
    ("clean", "tidy", "neat"),
    ("messy", "untidy", "cluttered"),
    ("upstairs", "upper floor", "second floor"),
    ("downstairs", "lower floor", "first floor", "ground floor"),
)
"""Words that people use for each other, besides the vocabulary's synonyms; the first one stands for all."""

_OPPOSITES = (
    ("open", "closed"),
    ("on", "off"),
    ("full", "empty"),
    ("clean", "dirty"),
    ("clean", "messy"),
    ("left", "right"),
    ("upstairs", "downstairs"),
    ("front", "back"),
    ("big", "small"),
    ("old", "new"),
    ("dry", "wet"),
    ("locked", "unlocked"),
    ("light", "dark"),
    ("raised", "lowered"),
    ("hot", "cold"),
    ("inside", "outside"),
)
_KINDS = {"desk": "table", "workbench": "table", "recycling bin": "bin"}
"""The wider word of a narrower one, besides the vocabulary's kinds."""

_CANONICAL = {word: words[0] for words in _SYNONYMS for word in words}
_SHUT = {"shut": "closed", "close": "closed", "opened": "open", "filled": "full"}
_LONGEST_NAME = 3  # words of a name in the vocabulary
_SAID_FOR_FORM = (
    "a an the my your our its his her their this that these those some any it is are was were be been there they them"
    " he she i you we one ones of and or to for with from as at by in on do does did has have had can could will would"
    " just also very quite kind type sort color coloured look looks like appears seems think located placed kept"
    " sitting standing lying hanging hung stored positioned found see seen which who what where so if not no yes"
)
_STOP_WORDS = frozenset(_SAID_FOR_FORM.split())
_NO = re.compile(r"^(?:no|nope|not|none|neither|never)\b")
_YES = re.compile(r"^(?:yes|yeah|yep|yup|sure|certainly|of course|correct|true)\b")
_NEGATION = re.compile(r"\b(?:not|no|none|nothing|never|nobody|without|neither)\b")
_NUMBERS = {word: str(number) for word, number in noun_words.NUMBERS.items() if " " not in word}
_LEADS = re.compile(
    r"^(?:(?:the answer is|i think|i believe|i would say|it looks like|it seems(?: like| that)?|it appears(?: that)?"
    r"|there (?:is|are)|it is|they are|you can|that is)\b[ ,:]*"
    r"|(?:yes|yeah|yep|no|nope)\b(?:[,.;:!]+ *|$| (?=(?:there|it|they|the|this|that|you|i|we|because|but|not)\b)))+"
)
_DENIAL = re.compile(
    r"^(?:no )?(?:there (?:is|are) (?:no|not)\b|no \w+|(?:i|we) (?:found|see|saw|know) no\b"
    r"|(?:i|we) (?:can|could|did|do) not (?:find|see)\b)"
)
_EMPTY = re.compile(
    r"^(?:(?:nothing|none|no (?:thing|object|item)s?)\b.*|(?:(?:the|it|they|is|are|all) ?|\w+ is )*empty)$"
)
_NOT_KNOWN = (
    r"not (?:(?:really|yet|quite|entirely|exactly) )?(?:known?|sure|certain|clear|visible|tell|say|determine|find out)"
    r"|not (?:be|been) (?:known|seen|told|determined)|not see(?: (?:it|that|if|whether|what|where|how|which)\b.*)?$"
    r"|have not seen (?:the|it|that|enough)|unknown|unclear|unsure|uncertain|no (?:way (?:to|of)|idea|clue)"
    r"|(?:hard|difficult|impossible) to (?:say|tell|know|see)"
)
_DOUBT = re.compile(
    r"^(?!(?:yes|no)\b *[,.;:!])"  # "no, it is not visible" is an answer
    rf"(?:(?!\bbut\b)[^.;!?])*?\b(?:{_NOT_KNOWN})\b(?:(?!\bbut\b).)*(?:\bbut\b[ ,]*|$)"
)


@dataclass(frozen=True)
class AnswerText:
    """What an answer says.

    Attributes:
        plain: the answer in one spelling, without articles and opening words; for comparison word for word.
        concepts: canonical names of things and other words that carry meaning.
        numbers: numbers in digits.
        colours: basic colours.
        says_yes: True for yes, False for no, None for an answer that says neither.
        negated: whether it holds a negation anywhere.
        says_nothing: whether it says that there is nothing.
        denies: whether it says that there is no such thing.
    """

    plain: str
    concepts: frozenset[str]
    numbers: frozenset[str]
    colours: frozenset[str]
    says_yes: bool | None
    negated: bool
    says_nothing: bool
    denies: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said."""
        return not self.plain and self.says_yes is None


def read_answer(text: str, knowledge: CategoryKnowledge) -> AnswerText:
    """Returns what an answer says, with the synonyms of a vocabulary."""
    spelled = normalised(text).strip(" .!?")
    words = [
        word if word == "one" and index else _NUMBERS.get(word, word)  # "the white one" is no number
        for index, word in enumerate(_plain(_LEADS.sub("", spelled)).split())
    ]
    names = _names(words, knowledge)
    meant = frozenset(name for name in names if name not in _STOP_WORDS)
    says_nothing = _EMPTY.match(_plain(_LEADS.sub("", spelled))) is not None
    return AnswerText(
        plain=" ".join(name for name in names if name not in ("a", "an", "the")),
        concepts=meant or frozenset(names),  # "on" alone is a state
        numbers=frozenset(filter(str.isdigit, (_NUMBERS.get(word, word) for word in words))),
        colours=frozenset(filter(None, map(knowledge.colour, words))),
        says_yes=False if _NO.match(spelled) else True if _YES.match(spelled) else None,
        negated=_NEGATION.search(_plain(spelled)) is not None,
        says_nothing=says_nothing,
        denies=_DENIAL.match(_plain(spelled)) is not None and not says_nothing,
    )


def without_lead(text: str) -> str:
    """Returns an answer in one spelling without words such as "yes, there is"."""
    return _LEADS.sub("", normalised(text)).rstrip(" .!")


def without_doubt(text: str) -> str:
    """Returns an answer in one spelling without a doubt before it: "it is red" of "I am not sure, but it is red";
    empty for one that only says that the answer is not known."""
    return _DOUBT.sub("", normalised(text)).strip(" .!?")


def _plain(text: str) -> str:
    """Returns a text without punctuation."""
    return re.sub(r"\s+", " ", re.sub(r"[^\w' -]", " ", text)).strip()


def concept(name: str, knowledge: CategoryKnowledge) -> str:
    """Returns the canonical name of a thing or another word."""
    if name in _CANONICAL:
        return _CANONICAL[name]
    if name in _SHUT:
        return _SHUT[name]
    colour = knowledge.colour(name)
    canonical = knowledge.canonical(name)
    return colour or _CANONICAL.get(canonical, canonical)


def is_same_concept(one: str, other: str, knowledge: CategoryKnowledge) -> bool:
    """Whether two concepts can mean the same thing: a coffee table is a table."""
    if one == other or knowledge.are_related(one, other):
        return True
    return _KINDS.get(one) == other or _KINDS.get(other) == one


def contradict(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one set of concepts says the opposite of something in the other, and does not say that, too."""
    return any(
        (a in one and b in other and a not in other and b not in one)
        or (b in one and a in other and b not in other and a not in one)
        for a, b in _OPPOSITES
    )


def _names(words: list[str], knowledge: CategoryKnowledge) -> list[str]:
    """Returns the words with the longest known names in one piece and in their canonical form."""
    names, start = [], 0
    while start < len(words):
        for end in range(min(len(words), start + _LONGEST_NAME), start, -1):
            name = " ".join(words[start:end])
            is_name = name in _CANONICAL or knowledge.is_known(knowledge.canonical(name))
            if end == start + 1 or is_name:
                names.append(concept(name, knowledge) if is_name or name not in _STOP_WORDS else name)
                start = end
                break
    return names
