"""Rules that rewrite indirect requests, which are not imperatives, toward imperatives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.attitudes import ADVERB, GOOD
from stma_ros.domains.household.language.patterns import (
    ADVERBS,
    ENSURE,
    GERUND,
    I_WANT,
    MODAL,
    OBJECT_START,
    PARTICIPLE,
    PERSON,
    PREPOSITION,
    SHORT_X,
    STATE,
    STAY,
    CategoryTemplate,
    Rule,
    X,
    desired_to_imperative,
    gerund_to_imperative,
)
from stma_ros.domains.household.language.statements import STATEMENTS, place_of
from stma_ros.memory.category_knowledge import CategoryKnowledge

_BASE = "(?:" + "|".join(verbs.BASES) + ")"
_ROOM = (
    r"(?:\w+ )?room|kitchen|bedroom|bathroom|hallway|office|study|garage|garden|lounge|hall|corridor|nursery"
)
_POLITE = (
    r"(?:would|could|can|will|might|may|is|are|am|was|were|be|it|there|that|i|we|you|do|does|any|a|the"
    r"|chance|possible"
    r"|possibility|way|so|very|much|really|kind|good|nice|greatly|too|please|kindly|how|what|if|mind"
    r"|bother|object|terribly"
    r"|think|thinking|thought|about|of|for|to|care|like|love|appreciate|happy|glad|grateful|up|see|at|all"
    r"|now|maybe|ever"
    r"|wondering|hoping|feel|fancy|should|have|help|me|out|start|begin|by)"
)


def _to_want(match: re.Match[str]) -> str | None:
    """Returns "i want x" if x is an object rather than an activity, otherwise None."""
    x = match["x"]
    is_activity = re.search(rf"\b(?:{GERUND}|{PARTICIPLE})\b", x)
    return None if is_activity else f"i want {x}"


def _to_furnish(match: re.Match[str], knowledge: CategoryKnowledge) -> str | None:
    """Returns the imperative that puts things onto the furniture that lacks them: "the sofa could use a blanket"."""
    category = knowledge.canonical(match["y"].partition(" ")[2])
    if not (knowledge.is_furniture(category) and knowledge.is_surface(category)):
        return None
    return f"put {match['x']} {place_of(match['y'], knowledge)}"


INDIRECT_REQUESTS: Sequence[Rule] = (
    # with the subject left out
    (
        r"(?P<x>(?:need|want|fancy|could (?:use|do with)|would (?:like|love)|must have|looking for"
        r"|searching for|trying to find"
        r"|in need of|longing for|am after|require|wish) .+)",
        lambda m: f"i am {m['x']}" if re.match(r"\w+ing\b|in need", m["x"]) else f"i {m['x']}",
    ),
    (rf"(?:come|return|be|hurry|run)(?: back| here| over| to me)* with {X}", "bring me {x}"),
    *STATEMENTS,
    # a wish for an object
    (
        r"(?P<x>(?:a|an|some|my|the|all|both|two|three|four|another|one of) .+?) (?:would|will|could"
        rf"|might)(?: {ADVERB})*"
        rf" (?:be(?: {ADVERB})* {GOOD}|do(?: (?:nicely|well|fine|too|me|us|good))?|help|come in \w+|hit the spot"
        rf"|go down \w+)(?: \w+)?",
        _to_want,
    ),
    (
        rf"would it be (?:too much|possible|all right|ok|okay|alright) (?:to (?:ask for|have|get)|if i"
        rf" (?:had|asked for)) {X}",
        "i want {x}",
    ),
    (
        rf"(?:(?:may|can|could|might) (?:i|we)|let (?:me|us)) (?:please )?(?:borrow|ask for|request|beg"
        rf" for) {X}",
        "i want {x}",
    ),
    (
        rf"{X} is (?:what|all|the (?:only )?thing) (?:that )?(?:i|we) (?:want|need|would like)(?: now)?",
        "i want {x}",
    ),
    (
        r"(?:(?:is there )?any chance of|how about|what about|may i have|(?:who|can anyone) has|i will"
        r" have) (?P<x>(?:a|an|some|the|my|two|three) .+)",
        _to_want,
    ),
    (
        rf"(?:i|we) would (?:be|feel) (?:\w+ ){{0,2}}?(?:happier|better|safer|calmer|easier(?: in (?:my|our)"
        r" minds?)?|more at ease|happiest|glad|happy|grateful|pleased"
        rf"|more comfortable)(?: if| with)? {SHORT_X} (?:were |was |is )?(?P<rest>(?:{STATE}"
        rf"|{PREPOSITION} .+))",
        desired_to_imperative,
    ),
    (
        rf"it is (?:high |about |well past )?time (?:i|we) (?:had|got) {SHORT_X}"
        rf" (?P<rest>(?:{STATE}|{PARTICIPLE})\b.*)",
        desired_to_imperative,
    ),
    (
        r"it would (?:\w+ )?(?:please|delight|thrill) (?:me|us)(?: (?:no end|a lot|very much|so much|greatly"
        r"|immensely))? to"
        rf" (?:find|see|have|come (?:back|home) to) {SHORT_X} (?P<rest>{STATE}|(?!from|off|out){PREPOSITION} .+)",
        desired_to_imperative,
    ),
    # a room that lacks an object
    (
        rf"(?P<y>(?:the|my|our) (?:{_ROOM})) (?:needs?|wants?|lacks?|is (?:missing|short of|in need of)"
        rf"|could (?:use|do with)|should"
        r" (?:have|get)) (?:its |their )?(?P<x>(?!\w+ing\b).+?)(?: back| again)?",
        "bring {x} to {y}",
    ),
    (
        r"(?P<y>(?:the|my|our) (?:\w+ )?\w+) (?:needs?|wants?|could (?:use|do with)|should (?:have|get))"
        r" (?P<x>(?:a|an|some|two"
        r"|three|four|the|my)\b(?!.* (?:on|in) (?:it|them|there)$).+?)(?: on (?:it|them|there))?",
        CategoryTemplate(_to_furnish),
    ),
    # the verb at the end
    (
        r"(?P<x>(?:the|my|our|all|every|both|this|that|a"
        r"|an) .+)(?<! needs)(?<! need)(?<! has)(?<! have)(?<! ought)(?<! wants)"
        rf" to (?P<verb>{_BASE})(?P<rest>(?: on|"
        rf" off| up| away)?)",
        "{verb} {x} {rest}",
    ),
    (
        r"(?P<x>(?:the|my|our|all|every|both|this|that) .+)(?<! is)(?<! are)(?<! be)(?<! been)(?<!"
        r" get)(?<! was)(?<! not)(?<! to)(?<! kept)(?<! left)(?<! stay)(?<! still)(?<! again)(?<! all)(?<!"
        r" both)(?<! half)(?<! already) (?P<verb>close|shut|fill|find|bring"
        r"|fetch|switch"
        r"|turn)(?P<rest>(?: on| off| up)?)",
        "{verb} {x} {rest}",
    ),
    # a polite request with a gerund
    (
        rf"(?=.*\b(?:you|about|mind|consider|fancy)\b)(?:{_POLITE} )*(?:mind|about|of|for|to|by|you|your"
        rf"|consider|fancy|like|appreciate)"
        rf" (?P<verb>{GERUND}) (?P<rest>.+)",
        gerund_to_imperative,
    ),
    (
        rf"(?:(?:once|when|as soon as|after) )?you (?:are|have) (?:done|finished"
        rf"|through)(?: with)? (?P<verb>{GERUND}) (?P<rest>.+)",
        gerund_to_imperative,
    ),
    (
        rf"(?:(?:once|when|as soon as) you (?:have )?|you have )(?P<verb>{PARTICIPLE}) (?P<rest>.+)",
        lambda m: f"{verbs.PARTICIPLES[m['verb']]} {m['rest']}",
    ),
    (
        rf"(?P<x>(?:the|my|our|all|both|every) [^&]*? that (?:is|are) {PREPOSITION} (?:the|my|our) \w+(?:"
        rf" (?!is\b|are\b)\w+)??) (?P<rest>{STATE})",
        desired_to_imperative,
    ),
    (rf"you have (?P<x>(?:the|my|our|all|both) .+?) (?P<rest>{STATE})", desired_to_imperative),
    (rf"(?:(?:once|when|as soon as) you |you have )(?P<rest>(?:{'|'.join(verbs.BASES)}) .+)", "{rest}"),
    (
        rf"(?:can|could|would|will|might|should|may) {SHORT_X} (?:please )?be (?P<rest>.+)",
        desired_to_imperative,
    ),
    (
        rf"{SHORT_X} (?:can|could|may|might|will) (?:please |now |also )*be (?P<rest>(?!(?:closed|opened|shut"
        rf"|emptied|filled)$)"
        rf"{PARTICIPLE}\b.*)",
        desired_to_imperative,
    ),
    (rf"{SHORT_X} (?:can|could) (?:please |now |also )*be (?P<rest>{STATE})", desired_to_imperative),
    (rf"having (?P<verb>{PARTICIPLE}) (?P<rest>.+)", lambda m: f"{verbs.PARTICIPLES[m['verb']]} {m['rest']}"),
    (rf"{ENSURE} (?:there (?:is|are)|(?:i|we) have) {X}", "put {x}"),
    (rf"{SHORT_X} {MODAL} (?:run|work|be running)", "start {x}"),
    (rf"{I_WANT} {SHORT_X} to (?:run|work|be running)", "start {x}"),
    (rf"there {MODAL} be {X}", "put {x}"),
    (
        r"(?:what|all|the (?:only )?thing)(?: that)? (?:i|we)(?: \w+ly| also| still| just)? (?:want|need"
        r"|would like)"
        rf"(?: (?:right now|now|first|next|also|after that|then|most|today|here|as well))* is {X}",
        "i want {x}",
    ),
    (
        rf"(?!left )(?P<verb>{PARTICIPLE}) (?P<rest>(?:off |on |up )?(?:the|my|our|all|every|both) .+)",
        lambda m: f"{verbs.PARTICIPLES[m['verb']]} {m['rest']}",
    ),
    (r"away with (?P<x>.+)", "tidy away {x}"),
    (
        r"(?:off |straight |back |over )*(?P<y>(?:in|on|to|into|onto|inside) .+?) with (?P<x>(?:the|my|our|all"
        r"|both|each|an?|one"
        r"|two|three|that|those|this|these|every) .+|it|them|that|those)",
        "put {x} {y}",
    ),
    (
        rf"{SHORT_X} (?:is|are) (?:needed|wanted|required|due|expected) (?P<rest>(?:back )?{PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (rf"(?:may|can|could|might) (?:i|we) (?:trouble|bother|ask) you for {X}", "bring me {x}"),
    (rf"make (?!sure\b|certain\b){SHORT_X} (?P<rest>{STATE})", desired_to_imperative),
    (rf"{SHORT_X} {ADVERBS}{MODAL} {ADVERBS}{STAY} (?P<rest>.+)", desired_to_imperative),
    (
        rf"(?P<x>(?:the|my|our|all|both) .+?) (?:(?:will|shall) {ADVERBS}go|(?:is"
        rf"|are) going) (?P<rest>{ADVERBS}(?:in|on|into|onto) .+)",
        desired_to_imperative,
    ),
    (r"(?P<x>(?:the|my|our|all|both|a|an) .+) (?:is|are) (?:needed|wanted|required)", "bring {x}"),
    (rf"{SHORT_X} (?:is|are) for (?P<rest>{PREPOSITION} .+)", desired_to_imperative),
    (
        rf"{SHORT_X} (?:all |both |always |really |actually |normally |usually )?(?:belongs?|goes|go|lives?"
        rf"|comes?|moves?|stays?"
        rf"|needs|need|lands?) (?P<rest>{ADVERBS}(?:{PREPOSITION} .+|away|there|where (?:it|they) belong))",
        desired_to_imperative,
    ),
    (rf"{SHORT_X} (?:stays?|remains?) (?P<rest>{STATE})", desired_to_imperative),
    (
        rf"{SHORT_X} {ADVERBS}(?:needs|need|wants?|could do with) (?:some )?(?P<verb>{GERUND})(?P<particle>(?: on"
        rf"| off| up| out| away)?)(?P<rest>.*)",
        lambda m: f"{verbs.GERUNDS[m['verb']]} {m['x']}{m['particle']}{m['rest']}",
    ),
    (rf"{I_WANT} to (?:have|get|see|hold) {X}", "i want {x}"),
    (
        rf"(?:{I_WANT}|have|(?:can|could|may|might) (?:i|we) (?:have|get)|let us have) {SHORT_X} (?:to be"
        rf" )?(?P<rest>(?:(?:back|safely|neatly|all|both) )*{PARTICIPLE}\b.*)",
        desired_to_imperative,
    ),
    (
        rf"(?:{I_WANT}|have|(?:can|could|may|might) (?:i|we) (?:have|get)|let us have) {SHORT_X} (?:to be"
        rf" )?(?P<rest>{STATE})",
        desired_to_imperative,
    ),
    (rf"{I_WANT} {SHORT_X} (?:to {STAY} )(?P<rest>.+)", desired_to_imperative),
    (
        rf"{PERSON} (?:wants?|would(?: {ADVERB})* (?:like|love|prefer|want)|wish(?:es)?(?: for)?|prefers?)"
        rf" {SHORT_X} (?P<rest>(?:back )?(?!from|off|out)(?:{PREPOSITION} .+|away))",
        desired_to_imperative,
    ),
    (
        rf"{I_WANT} (?P<x>it|them|those|these|that one) (?P<rest>(?:back )?(?!from|off|out){PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (
        rf"(?:i|we) need {SHORT_X} (?P<rest>(?:into|onto|to) .+|away|(?:back|over|up) (?:in|on|to|at) .+)",
        desired_to_imperative,
    ),
    (
        rf"(?:{I_WANT}|(?:can|could|may|might) (?:i|we)(?: please)? (?:have|get)|let (?:me|us) have|(?:i"
        rf"|we) (?:will|shall) have) {X}",
        "bring me {x}",
    ),
    (
        rf"(?:would|do) you mind (?:awfully |terribly |very much |too much |at all |please )*(?P<verb>{GERUND})"
        rf" (?P<rest>.+)",
        gerund_to_imperative,
    ),
    (
        rf"(?:mind|take care of|see to|get on with|get (?:round|around) to|(?:start|begin|kick|finish|end"
        r"|conclude|wrap|round|close)(?: (?:things|it|it all|everything))?(?: (?:off|up|out))? (?:by|with)"
        r"|continue by|go on|keep on|proceed by|how about|what about|consider|start|begin|try"
        rf"|i (?:suggest|propose"
        rf"|recommend)|(?:i|we) (?:would )?appreciate you(?:r)?|(?:i|we) count on you|there is)"
        rf" (?P<verb>{GERUND}) (?P<rest>.+)",
        gerund_to_imperative,
    ),
    (
        rf"(?P<verb>{GERUND}) (?P<rest>.+) (?:would be|is) (?:\w+ )?(?:nice|good|great|lovely|kind"
        rf"|helpful|needed|required|wonderful|perfect|ideal|fantastic|appreciated|best)(?: of you)?",
        gerund_to_imperative,
    ),
    (
        rf"(?:before |after )?(?P<verb>{GERUND}) (?P<rest>{OBJECT_START}\b ?.*)",
        gerund_to_imperative,
    ),
    (rf"{SHORT_X} (?:to be|be) (?P<rest>(?:back )?(?:{PARTICIPLE}|{STATE})\b.*)", desired_to_imperative),
    (
        rf"(?:i|we) (?:will )?(?:order(?:ed)?|ask(?:ed)?|command|beg|request(?:ed)?|instruct) (?:for"
        rf" )?{SHORT_X} (?:to be"
        rf" )(?P<rest>{PARTICIPLE}\b.*)",
        desired_to_imperative,
    ),
)
