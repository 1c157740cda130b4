"""Removes the matrix of an indirect request: "it would be lovely if", "what I want is for", "your job is to".

English has no end of such beginnings. They are read by their parts: who wants it and how (attitudes), followed by a
complement, which is either what the robot is to do or what is to become of a thing.
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.attitudes import (
    ADVERB,
    BENEFIT,
    CONTENT,
    GOOD,
    NORMATIVE,
    SPEAKER,
    TROUBLE,
    WANT,
    WISHED,
)
from stma_ros.domains.household.language.judgements import DEGREE, FOR_ME
from stma_ros.domains.household.language.patterns import (
    ACTION,
    BASE,
    ENSURE,
    GERUND,
    OBJECT_START,
    OTHER_PEOPLE,
    PARTICIPLE,
)
from stma_ros.domains.household.language.unread import UnreadError

_ADVERBS = rf"(?: {ADVERB})*"
_WILL = r"(?:would|could|should|might|may|will|shall|must|can|do|does)"
_NOW = r"(?: (?:now|next|first|today|here|right now|at the moment|of you|from you|for you|most|for today))*"

_MODIFIERS = r"(?: (?:please|kindly|maybe|perhaps|possibly|just|also|quickly|now))*"
_PARTICLES = r"(?: (?:up|out|on|off|away|down|back|for|in|over|sure|where|that))*"
_WHETHER_YOU = (
    rf"(?:if|whether) you (?:could|can|would|will|might){_MODIFIERS} (?:\w+{_PARTICLES} (?:the|my|our|his|her|him|their"
    r"|me|us|both|all|each|every|two|three|four|five|it|them|this|that|these|those|one of|i|we|you)"
    rf"|(?:bring|fetch|get|find|put|place|take){_PARTICLES} (?:an?|one|some|any))\b"
)
"""Asks for something certain, unlike "whether you can open doors"."""

_PERSONAL = (
    # "we would love it", "I was hoping"
    rf"{SPEAKER}{_ADVERBS}(?: {_WILL})?{_ADVERBS} {WANT}(?: it| you)?{DEGREE}{_ADVERBS}",
    # "I am counting on you"
    rf"{SPEAKER}{_ADVERBS} (?:(?:am|are){_ADVERBS} (?:counting|relying|depending|banking) on|(?:(?:will|would|can) )?"
    rf"leave (?:it|that|this) (?:up )?to|(?:am|are) leaving (?:it|that|this) (?:up )?to)",
    # "mum asked if you could"
    rf"{OTHER_PEOPLE}{_ADVERBS} (?:asked|asks|wondered|wonders|was wondering|wants? to know|would like to know)"
    rf"(?: (?:me|us))?(?: to ask(?: you)?)?(?= {_WHETHER_YOU})",
    # "you would save me a trip"
    rf"you{_ADVERBS} (?:would|could|will|can|might){_ADVERBS} (?:{BENEFIT}|be{_ADVERBS} (?:helping|saving"
    rf"|sparing)(?: (?!by |if )\w+){{1,5}}?|be{_ADVERBS} {GOOD}){FOR_ME}{DEGREE}(?= (?:by|if)\b)",
    r"let us have",
    # "I would thank you to"
    rf"{SPEAKER}{_ADVERBS} (?:would thank|authori[sz]e|permit|instruct|direct|command|implore|entreat|beseech|invite"
    r"|challenge|dare|nominate|appoint|call (?:up)?on|appeal to|empower)(?= you to\b)",
    # "I would rather"
    rf"{SPEAKER} would (?:much |far )?(?:rather|sooner)",
    # "I would sleep better"
    r"(?:i|we) (?:would|could) (?:\w+ )?(?:sleep|feel|rest|relax|breathe|cope|work|concentrate)(?: (?:so|much|a lot"
    r"|far))* (?:better|easier|more (?:easily|soundly|calmly))(?: tonight)?",
    # "nothing would please me more than"
    r"nothing would (?:please|delight|help|suit) (?:me|us)(?: (?:more|better))? than|nothing would make (?:me|us)"
    r" happier than|there is nothing (?:i|we) would (?:like|love|want)(?: (?:more|better))? than",
    # "if only"
    r"if only",
    # "I would be so happy"
    rf"{SPEAKER}{_ADVERBS} (?:would|will|could|might){_ADVERBS} (?:be|feel){_ADVERBS} {CONTENT}{DEGREE}",
)
_IMPERSONAL = (
    # "it would be great of you", "it would really help me a lot", "it would make my day"
    rf"(?:it|that|this){_ADVERBS} (?:would|could|might|may|will){_ADVERBS} (?:(?:be|seem|sound"
    rf"|feel){_ADVERBS} {GOOD}"
    rf"|{BENEFIT})(?: me| us|"
    rf" things)?{DEGREE}{FOR_ME}",
    # "you would do me a favour"
    r"you would (?:be doing|do) (?:me|us) a (?:\w+ )?favou?r",
    r"(?:what|all) you (?:can|could|should|might|need to|have to) do(?: for (?:me|us)| now| next| to help)* is",
    # "what would really help is"
    rf"what{_ADVERBS} (?:would|could|might){_ADVERBS} (?:be{_ADVERBS} {GOOD}|{BENEFIT}){DEGREE} is",
    # "it would not hurt"
    rf"it (?:would|will|could) not(?: {ADVERB})* (?:hurt|harm|be (?:a )?bad(?: idea)?|be wrong|go amiss"
    rf"|do any harm)",
    # "it is important"
    rf"it is{_ADVERBS} {NORMATIVE}{FOR_ME}",
    r"(?:high |about )?time(?: now)?",
    rf"it is (?:your|my|our) (?:\w+ )?(?:turn|{WISHED})",
    # "my wish is", "your next job is", "the thing to do is"
    rf"(?:the|my|our|your|one|a|another)(?: \w+)? {WISHED}(?: (?:here|now|today|of mine|i have|for you))? (?:is"
    rf"|would be)",
    r"(?:the|one|a)(?: \w+)? thing (?:to do|for you to do|left(?: to do| for you(?: to do)?)?|remaining|outstanding"
    r"|(?:that )?you (?:can|could|should|must"
    r"|need to) do(?: for (?:me|us))?|i (?:want|need|would like)(?: you to do|"
    r" done| to see)?|to remember)"
    rf"{_NOW} (?:is|would be)",
    # "what I want is", "all we need to do is", "what needs doing is"
    rf"(?:what|all)(?: that)? (?:i|we|you){_ADVERBS}(?: {_WILL})?{_ADVERBS} (?:{WANT}|have|ought|had better|am"
    r" after|am looking for)(?:"
    rf" you)?{_ADVERBS}"
    rf"(?: to (?:do|see|have|happen|ask(?: of you)?|be done|get done))?(?: do)?{_NOW} (?:is|was|would be)",
    r"(?:what|all|(?:the|one|another)(?: \w+)? (?:thing|job|task)(?: that| which)?) (?:still |also )*"
    r"(?:needs?|has|is left|remains|ought|should|must)(?: to)?"
    rf"(?: doing| be done| do| happen| to be done)?{_NOW} is",
)
_WISHES = (*_PERSONAL, *_IMPERSONAL)
"""Beginnings whose complement is wanted, whatever it is. After personal ones, "to" is about the speaker."""

_INQUIRIES = (
    # "would it be possible", "would not it be nice", "is it too much trouble"
    rf"(?:would|might|could|will|is)(?: not)? it(?: not)?{_ADVERBS}(?: be)?{_ADVERBS} (?:{GOOD}"
    rf"|{TROUBLE}){FOR_ME}",
    r"(?:would|do) you mind",
    r"(?:would|will|does) it (?:bother|trouble|inconvenience|annoy|kill|hurt) you(?: (?:too |very |that )?much"
    r"| terribly| a lot)?",
    r"what (?:do|would) you (?:say|think)(?: to| of| about)?|how (?:do|would) you feel about|how about|what"
    r" about|fancy|feel like",
    r"(?:can|could|may|might) (?:i|we)(?: please| possibly| just| maybe| perhaps)* (?:get|have)",
)
"""Questions whose complement is wanted, unless it is a statement with "that"."""

_APPEALS = (
    r"(?:(?:is|would) there (?:be )?)?(?:any|a|some) (?:chance|way|possibility|hope|means)(?: at all)?(?: of| for)?",
    r"do you (?:think|suppose|reckon)(?: it is possible)?",
    r"(?:can|could|may|might) (?:i|we)(?: please| possibly| just| maybe| perhaps)* (?:ask|get|have|trouble"
    r"|bother|persuade|convince|prevail (?:up)?on|impose (?:up)?on|call (?:up)?on|rely on|count on|interest"
    r"|request|suggest|propose|invite|leave it (?:up )?to)(?: you)?",
    r"ask",
    r"how would you like|allow me to (?:ask|request|trouble)|(?:i|we) (?:am|are) (?:looking|searching) for",
    r"(?:(?:i|we) (?:want|would like|would love|need|hope|expect) to|let (?:me|us)) (?:see|find|catch)",
    r"it is (?:all |entirely )?(?:up to|down to|on) you",
    # "I am leaving you in charge of", "you are responsible for"
    r"(?:(?:i|we) (?:am |are |will |hereby )*(?:put|putting|leave|leaving|place|placing|make|making) you"
    r"|you are(?: now| hereby)*)"
    r" (?:in charge of|responsible for)",
    r"(?:i|we) (?:am |are |will |hereby )*(?:task|tasking|charge|charging|trust|trusting|entrust|entrusting|assign"
    r"|assigning) you with",
    r"(?:try(?: your best| hard)?|do your best|be sure|arrange|aim)",
    ENSURE,
)
"""Beginnings whose complement is wanted only if it is what the robot is to do."""

_EFFORTS = (
    r"(?:double-check|double check|arrange(?: it| things)?|(?:fix|set|have) (?:it|things)(?: up)?|make(?: it)?"
    r"|organi[sz]e it"
    r"|manage it|work it|do (?:something|what you can)|get it (?:sorted|organi[sz]ed|done|arranged)|let)"
)
"""Imperatives that ask for an outcome, apart from "make sure"."""

_YOU = (
    r"(?:(?:(?:some|any)(?:one|body) (?:would|could|can|to)|(?:for |to ask )?you(?: please| kindly| just|"
    r" also)* to|(?:that |if |whether |when |so that )?you(?: (?:could|can|would|will|might|may|should|must|were"
    r" to|manage to|managed to|were able to|are able to|have to|need to|get to|got to|try to|do|be so kind as"
    r" to|just|please|also|quickly|kindly))*)(?: please| kindly| just| also| quickly)* )"
)
_THING = (
    r"(?P<x>(?!(?:you|i|we|me|us|to|not|no|nothing|nobody|what|where|who|how|why|that|there|if|whether|for|sure"
    r"|certain|it (?:is|would))\b)"
    r".+?)(?<!that)(?<!which)(?<!who)"
)
_HAVING = (
    r"(?:to|of|about|by)? ?(?:have|having|see|seeing|get|getting|find|finding|keep|keeping|know|knowing)"
)
_CONDITION = r"(?:if |when )"
_BECOME = (
    r"(?P<become>(?:(?:should|could|can|would|may|might|must|ought to|needs? to|has to|have to|had to|is to|are to"
    r"|were to) )?(?:to |all |both |back |finally |always )*(?:be|is|are|was|were|being|gets?|got|getting|ends? up"
    r"|ended up|ending up|goes|go|went|going|stays?|stayed|staying|remains?|stood|stands?|comes?|came|coming|(?:finds?"
    r"|found|made|makes?) (?:its|their) way|lived?|lives|landed|lands?|sat|sits?|lies?|lay|moved?|moves|moving|belongs?"
    r"|hung|hangs?)(?: finally| back| all| both)?) (?P<rest>(?!not\b).+)"
)
_OUTCOMES = (
    rf"(?:{'|'.join(_WISHES)})(?: that)? (?:{_CONDITION}|that |for |{_HAVING} |about )?{_THING} {_BECOME}",
    rf"(?:{'|'.join(_INQUIRIES)}) (?:{_CONDITION}|for |{_HAVING} )?{_THING} {_BECOME}",
    rf"do you (?:think|suppose|reckon)(?: that)? {_THING} (?P<become>(?:could|can|might) (?:please |maybe )?be)"
    rf" (?P<rest>(?!(?:left|kept|stored|found|stuck|hidden|lost)\b){PARTICIPLE}\b.+)",
    rf"(?:{'|'.join(_APPEALS)}) {_THING} (?P<become>(?:being|getting|going|ending up|moving|coming)) (?P<rest>.+)",
    rf"(?:{_EFFORTS}|{ENSURE}) (?:so )?(?:that |for |about )?{_THING} {_BECOME}",
)
_POSSESSIONS = (
    r"do you (?:think|suppose|reckon)(?: that)? (?:i|we) (?:could|can|might|may) (?:have|get|borrow) (?P<x>.+)",
    r"(?:is there )?(?:any|a) (?:chance|way|possibility)(?: that)? (?:i|we) (?:could|can|might|may) (?:have|get"
    r"|borrow) (?P<x>.+)",
    rf"(?:{'|'.join((*_WISHES, *_INQUIRIES))}) (?:if (?:i|we) (?:had|could have|got|saw|found|could see|could get)"
    r"|(?:to|of)? ?(?:have|having|see|seeing|get|getting)) (?P<x>(?!to\b).+)",
)
_COPULAS = frozenset(
    [
        "be",
        "is",
        "are",
        "was",
        "were",
        "being",
        "got",
        "gets",
        "get",
        "getting",
        "up",
        "stay",
        "stays",
        "stayed",
        "staying",
        "remain",
        "remains",
    ]
)

_PAST = "(?:" + "|".join(verbs.PASTS) + ")"
_DONE_SINCE = re.compile(
    rf"(?:^|[.,;:] ){OTHER_PEOPLE} (?:asked|asks|wondered|wonders|was wondering|wants to know)\b[^.;:]*? {_WHETHER_YOU}"
    rf"[^.;:]*?(?: ?[.,;]| and| so| but)(?: (?:and|so|but|then|now|luckily|,))*"
    rf" (?P<done>(?:i|we|he|she|they|{OTHER_PEOPLE}) (?:(?:have|has|had|just|already|then|also|finally) )*"
    rf"(?:did|done|got|{_PAST}|{PARTICIPLE})\b)"
)
_TO = r"to (?:please |kindly |just |also |quickly )*"
_PLEASED = (
    r"(?!(?:it|that|this) (?:would|could|might|will) (?:\w+ )?(?:please|delight|thrill) (?:me"
    r"|us)(?: (?!you\b)\w+)* to )"
)
"""What would please the speaker to do is not for the robot: "it would please me to find it there"."""
REQUEST = re.compile(
    rf"{_PLEASED}(?:(?:{'|'.join((*_WISHES, *_INQUIRIES, *_APPEALS))})(?: that)? {_YOU}"
    rf"|(?:{'|'.join((*_IMPERSONAL, *_INQUIRIES, *_APPEALS))}) (?:{_TO}(?!have (?!a (?:\w+ )?look))|(?<= is )"
    rf"|(?<= be )))(?={ACTION})"
    rf"|(?:{'|'.join((*_WISHES, *_INQUIRIES))}) if you (?:just |please )?(?P<did>{PARTICIPLE}|{_PAST})(?="
    rf" {OBJECT_START} )"
    rf"|(?!{SPEAKER}{_ADVERBS} (?:likes?|loves?|prefers?|enjoys?|hates?) (?:you |your )?{GERUND}\b)"
    rf"(?:{'|'.join((*_WISHES, *_INQUIRIES, *_APPEALS))}) (?:you |your |by (?:first )?)?(?P<doing>{GERUND}"
    rf"|coming(?= back\b))"
    rf"(?= (?:{OBJECT_START}|water|some|hold|ahold|back|to {BASE}) )"
)
"""The matrix of a request whose complement is what the robot is to do."""

_BELIEF = re.compile(rf"{SPEAKER}{_ADVERBS} (?:(?:would|do|am|are) )?(?:expect|hope|hoping|trust|suppose)")
"""Of something that was named before, this tells where it may be."""

_HABIT = re.compile(
    rf"{SPEAKER}{_ADVERBS} (?:likes?|loves?|prefers?|enjoys?|hates?|appreciates?) (?:it )?(?:when|if)\b"
)
"""Tells what is liked at any time: "I like it when the window is open"."""

_OUTCOME = tuple(map(re.compile, _OUTCOMES))
_POSSESSION = tuple(map(re.compile, _POSSESSIONS))
_PROTASIS = re.compile(
    r"(?P<start>^|[.;:] |, )if (?P<wish>(?!possible|you\b|i may\b|not\b)[^.,;:]+? (?:could|would|can|were|was"
    r"|might|is|are)\b[^.,;:]+?) ?,"
    rf" (?P<good>(?:that|it|this) would(?: {ADVERB})* (?:be(?: {ADVERB})* {GOOD}|suit|help|please|delight)(?:"
    rf" me| us)?{DEGREE}|(?:i|we)"
    rf" would(?: {ADVERB})* be(?: {ADVERB})* {CONTENT})(?=\s*(?:[.,;:]|$))"
)


def check(text: str) -> None:
    """Raises UnreadError for what others asked and people have done: "mum asked if you could close it, so i did"."""
    match = _DONE_SINCE.search(text)
    if match:
        raise UnreadError(match["done"], "tells that it is done", "Say only what is to be done.")


def with_matrix_first(text: str) -> str:
    """Returns "it would be nice if the lamp could be off" for "if the lamp could be off, it would be nice"."""
    return _PROTASIS.sub(r"\g<start>it would be nice if \g<wish>", text)


def outcome(clause: str) -> str:
    """Returns what is to become of a thing by an indirect request; empty for other clauses.

    It is a simpler request: "the mug should be on the table", "i want the mug".
    """
    if _HABIT.match(clause):
        return ""
    for pattern in _OUTCOME:
        match = pattern.fullmatch(clause)
        if match and not (match["x"] in ("it", "they") and _BELIEF.match(clause)):
            becomes = match["become"].split()
            verb = "be" if _COPULAS & set(becomes) else "go"
            return f"{match['x']} should {verb} {match['rest']}"
    for pattern in _POSSESSION:
        match = pattern.fullmatch(clause)
        if match:
            return f"i want {match['x']}"
    return ""
