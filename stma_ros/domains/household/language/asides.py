"""Removes what people say beside a request, in the same sentence: why it is the robot, or what they do meanwhile.

Examples are "instead of standing around, ...", "make yourself useful and ...", "... while I put the children to bed",
"somebody has to ..., and I would like it to be you", and what follows from a polite condition: "if you could ...,"
" I could
finally sit down".
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.attitudes import CONTENT, GOOD
from stma_ros.domains.household.language.patterns import (
    ACTION,
    BASE,
    GERUND,
    I_WANT,
    MODAL,
    OBJECT_START,
    OTHER_PEOPLE,
    STATE,
)
from stma_ros.domains.household.language.pleasantries import is_pleasantry

_START = r"(?:(?<=^)|(?<=[.;:,] )|(?<=\band )|(?<=\bso )|(?<=\bplease ))"
_END = r"(?=\s*(?:[.,;:]|$))"

_IDLE = (
    r"(?:waiting|standing|sitting|lying|hanging|lounging|loitering|idling|lazing|loafing|dawdling|lingering|moping"
    r"|slacking|daydreaming|dozing|napping|sleeping|snoozing|resting|staring|gazing|gaping|watching|looking on"
    r"|doing nothing|wasting|twiddling|playing|chatting|gossiping|arguing|worrying|faffing|messing|fooling|wandering"
    r"|roaming|pacing|whirring|humming|gathering dust|being idle|being bored|asking|just (?:being|standing|sitting))"
)
_MYSELF = (
    r"(?:(?:me|us|my|our) )?(?:having (?:me |us )?to )?(?:do(?:ing)? (?:it|that|this|everything|so)|go(?:ing)?"
    r"|get(?:ting)? up|com(?:e|ing)|run(?:ning)?|walk(?:ing)?)(?: (?:all|it|there|over|again|myself|ourselves))*"
    r"|(?:(?:have|having|let|letting|make|making) )?(?:me|us|my) (?:(?:have|having) to )?(?:get up|go|walk|run|come"
    r"|turn|search|hunt"
    r"|look|rummage|comb"
    r"|scour|spend|waste)(?:ing)?\b(?:(?! for (?:the|my|our|an?|it|them)\b)[^.,;:])*"
)
_NOT_IDLE = re.compile(
    rf"{_START}(?:instead of|rather than) (?:you )?(?:just |simply |only |merely )*(?:{_IDLE}\b[^.,;:]*"
    rf"|{_MYSELF}) ?, "
    rf"|(?<=\w) ?,? (?:instead of|rather than) (?:just |simply |only |merely )*(?:{_IDLE}\b[^.,;:]*|{_MYSELF}){_END}"
)
"""What the robot, or the speaker, need not do, which no request is about."""
_SERVICE = re.compile(
    rf"{_START}(?:make yourself (?:\w+ )?useful|be (?:useful|helpful|productive)|do something (?:useful|helpful)"
    r"|earn your keep|get (?:to work|to it|moving|cracking|a move on|going|on with it|busy|your skates on)"
    r"|lend (?:me|us) (?:a|your) (?:\w+ )?hand|give (?:me|us) (?:a (?:\w+ )?hand|some help)|help (?:me|us)(?: out)?"
    r"|do your (?:thing|bit|part|job|duty)|(?:show|prove)(?: me| us)? what you (?:can do|are made of)"
    r"|work your (?:\w+ )?magic|roll up your sleeves|look (?:lively|sharp|alive)|(?:hop|jump|get) to it|step up"
    r"|spring into action|leap into action|take (?:charge|over|care)|do (?:me|us)(?: all)? a (?:solid|kindness)"
    r"|show (?:some|a bit of|a little) (?:initiative|spirit|goodwill|kindness|mercy)"
    r"|stop (?:what(?:ever)? you are doing|everything)|(?:leave|drop|forget) (?:everything"
    r"|whatever)(?: else)?(?: (?:aside"
    r"|for now|you are doing))?|(?:take|find|spare)(?: me)? a (?:minute|moment|second)"
    r"|use your (?:time|skills|talents|strength|arms|hands)(?: \w+)?|be an? (?:(?!with\b)[\w-]+ ){1,4}?)"
    rf"(?:(?<= ) ?and| and|,) (?=(?:please )?(?:{ACTION}))"
)
"""Imperatives that ask for help of any kind, before the request."""
_NOW = r"(?!(?:[^.,;:]* )?(?:tomorrow|tonight|later|until|unless|or|if|only|not)\b)"
_MEANWHILE = (
    rf"(?:while|whilst) (?:i|we|he|she|they|{OTHER_PEOPLE}) (?!{MODAL}\b|belong|lie|stand)"
    r"(?!(?:[^.,;:]* )?(?:want|need|like|love|prefer|should|must|wish)\b)"
)
_WHILE = re.compile(
    rf"(?<=\w)(?<!\bonly) ?,? {_MEANWHILE}{_NOW}"
    rf"(?!(?:[^.,;:]* )?{STATE}{_END})[^.,;:]+{_END}"
    rf"|{_START}{_MEANWHILE}{_NOW}"
    rf"(?!(?:[^.,;:]* )?(?:am|is|are|was|were|be|have|has|had|keep|leave) (?:[^.,;:]* )?{STATE} ?,)[^.,;:]+ ?, "
)
"""What somebody does in the meantime: "while I am in the shower", but not "while I have the window open"."""
_CHOSEN = re.compile(
    r",? and (?:(?:today|tonight|this time|for once|now),? )?(?:(?:i|we) (?:would like|want|need|would love"
    r"|would prefer|would rather|choose|pick|nominate"
    r"|vote for|am asking|have chosen|picked|chose|was hoping for|was hoping)|it (?:should|has to|had better"
    r"|might as well|may as well|will have to|is|is going to)|(?:that|this)(?: (?:someone|somebody|person|one))?)"
    r"(?: (?:it|that|this|the one|that (?:someone|somebody|person)|someone|somebody|him))?"
    r"(?: (?:is|should|could|might|will|would|has|to|be|for))* you(?: this time| today)?(?=\s*(?:[.;]|$))"
    r"|,? and you are (?:it|the one|the right one|just the one|the right robot|the robot)(?: for (?:it|that|the"
    r" job))?"
    r"(?=\s*(?:[.;]|$))"
)
"""Who is meant by "somebody has to ..."."""
_RESULT = re.compile(
    r"(?P<asked>(?:^|[.;:] |, |\b(?:and|so|then|also) )(?:and |so )?if (?:only )?(?:you (?:could|would)|(?:i|we)"
    r" could"
    r" (?:just )?(?:get|have|ask|trouble|persuade) you to) [^.;:]+?) ?, (?:then )?"
    rf"(?!{I_WANT} (?!it\b|that\b)|that would\b)"
    rf"(?:(?:i|we|they|{OTHER_PEOPLE}) (?:\w+ )?(?:could|would|might|can|will) (?!not\b)"
    rf"|(?:it|you|everything|things|life|(?:my|our) \w+) (?:could|would|might) (?!not\b)(?![^.,;:]*\b"
    rf"(?:{BASE}) {OBJECT_START}\b)(?![^.,;:]*\bif\b))[^.,;:]+(?=\s*(?:[.;:]|$))"
)
"""What somebody could do if the robot did as it is asked: "if you could open it, I could see to the rest"."""


_MANNER = re.compile(
    r",? (?:and |but )(?:please )?(?:be (?:very |really |so |quite )?(?:quick|careful|gentle|quiet|fast|swift"
    r"|thorough|safe)"
    r"(?: (?:about|with) (?:it|them|that))?|make it (?:quick|snappy|fast)|do not (?:dawdle|dilly-dally|hang about"
    r"|be long"
    r"|take (?:too long|all day|forever)|(?:drop|spill|break) (?:it|them|anything|any)|make a (?:noise|mess|sound"
    r"|racket))"
    r"|mind your step|hurry(?: up)?|step on it)(?=\s*(?:[.,;]|$))"
)
_ALL_OF_IT = re.compile(
    r"(?<=\w) ?, (?:and )?all of (?:it|this|that)(?: (?:before|by|until|today|now|please)\b[^.,;:&]*)?(?=\s*(?:[.;]|$))"
)
_LEFT_TO_YOU = re.compile(
    rf"{_START}(?:i|we) (?:(?:will|would|am|shall|happily|can|gladly) )*(?:leave|leaving|entrust|entrusting|delegate"
    rf"|delegating|assign|assigning) (?P<do>{GERUND} [^.;:]*?) (?:up )?to you(?=\s*(?:[.;,]|$))"
)
_LEADING = re.compile(r"^(?P<said>[^.,;:]+?)\s*[.,;:]\s*(?=\w)")
_GET_ROUND_TO = re.compile(
    rf"{_START}(?:please )?(?:get (?:a)?round to|concentrate on|focus on|(?:lend|give) (?:(?:me|us) )?(?:a"
    rf"|your) (?:\w+ )?hand"
    r" (?:by|with|in)|turn (?:your attention )?to|get cracking (?:on|with)|set about|make a start (?:on|by|with)"
    r"|commence(?: with)?|undertake|embark on|crack on with|get (?:on"
    r"|started|going"
    r"|busy)(?: (?:with|on|by))?|(?:busy|occupy) yourself (?:with|by)|make yourself useful by|help out (?:by|with)"
    r"|devote a"
    rf" (?:minute|moment) to|attend to|carry on (?:with|by)|start (?:off|out) by) (?=(?:{GERUND}|coming back)\b)"
)
_GET_DONE = re.compile(
    rf"\bget (?P<do>{GERUND} [^.;:]*?) (?:over with|over and done with|out of the way|done(?: and dusted)?)"
    r"(?=\s*(?:[.,;]|and\b|then\b|$))"
)
_MAKE_IT = re.compile(
    rf"{_START}make (?:it|this|that) (?:your (?:[\w-]+ )?(?:business|job|task|mission|duty|goal|priority)"
    rf"|a priority) to"
    rf" (?={ACTION})"
)
_SUPPOSE = re.compile(rf"{_START}(?:i|we) do not suppose (?:that )?(?=you (?:could|would|can) )")
_IT_IS_DOING = re.compile(
    rf"{_START}it is (?P<do>{GERUND} [^.;:]*?) that (?:i|we) (?:need|want|would like)(?: (?:help with|you to do"
    rf"|done|from you"
    r"|you for))+(?=\s*(?:[.;,]|$))"
)
_BEFORE_BED = re.compile(
    r"(?<!not )(?<!right )(?<!just )(?<!only )(?<!shortly )(?<!until )(?<!till )\bbefore (?:(?:(?:go|head|toddl"
    r"|slop)(?:p?ing)?"
    r" (?:(?:off|up|out|back) )*to (?:bed|sleep|work|school)|(?:turn|retir|nodd?)(?:ing) (?:in|off|for the night"
    r"|to bed)|dropping off"
    r"|bed|bedtime|sleep|lights[ -]out|leaving(?: (?:for (?:work|school|town|the day|the night)|home|the house))?"
    rf"|(?:go|head)ing (?:out|away|home))(?: tonight)?)(?: ?,(?= )|{_END})"
)
"""Until when somebody wants it, which is kept if it is done at once."""
_ROUND = re.compile(
    r"\bgo(?:ing)? (?:through|round|around) (?:(?:all|the|every|each|my|our|whole|entire|of) )+(?:rooms?|house"
    r"|flat|apartment|home|place)"
    r"(?: one (?:by one|after (?:the other|another)|at a time))? ?,? and (?=(?:please )?(?:look|search|hunt|find"
    r"|see|tell)(?:ing)?\b)"
)
_SILLY_ME = re.compile(
    r" ?, (?:(?:silly|stupid|clumsy|foolish|daft|poor|lazy) )+(?:me|(?:old )?(?:thing|fool|person|man|woman)"
    r" (?:that )?i am)"
    rf"{_END}|(?: ?,)? (?:idiot|fool) that i am{_END}"
)
_BY_THE_TIME = re.compile(
    rf"{_START}by the time (?:i|we|they|{OTHER_PEOPLE}) (?:am|are|is|get|gets|come|comes|return|returns|arrive"
    r"|arrives)"
    r"(?: (?:back|home|here|in|there|up|out|from \w+))* ?,? (?="
    rf"{I_WANT}\b)"
)
"""A time at which a wish is fulfilled, if it is fulfilled at once."""
_THE_SOONER = re.compile(
    rf"{_START}the (?:sooner|quicker|faster|earlier) (?:that )?you (?:can |could "
    rf"|get to )?(?P<do>(?:{ACTION})[^.;:]*?) ?,?"
    r" the (?:sooner|quicker|better|happier|easier|faster|earlier|more)\b[^.,;:]*(?=\s*(?:[.;]|$))"
)
"""How soon something is wanted: "the sooner you close it, the better"."""
_USING = re.compile(
    r"\b(?P<use>us(?:e|ing)) your (?:[\w-]+ ){0,2}(?:eyes?|sensors?|cameras?|nose|arms?|wheels|hands|grippers?"
    r"|legs) to"
    rf" (?P<do>{BASE}|track down)(?= )"
)
_DO_INSTEAD = re.compile(
    rf"(?:i|we) would be (?:\w+ ){{0,2}}?{CONTENT} if you(?: could| would)? (?:did|do|took care of|saw to"
    r"|handled) (?:it|that|this)"
    rf"|it would be (?:\w+ ){{0,2}}?{GOOD} if you(?: could| would)? (?:did|do|took care of|saw to|handled) (?:it"
    r"|that|this)"
    r"|\b(?:could|can|would|will) you do (?:it|that|this) (?:in my (?:place|stead)|on my behalf|instead of me)"
)
_WEAK = re.compile(
    rf"{_START}(?:my|our) [a-z]+ (?:shakes?|hurts?|aches?|trembles?|is|are|feels?) (?:far |much )?too \w+ to"
    rf" (?={ACTION})"
)
_TO_BEGIN_WITH = re.compile(
    r"(?<=\w) (?:to (?:begin|start) with|for starters|for a start|first of all|first off)(?=\s*[.,;] | (?:and|then) )"
)
_UNABLE = (
    rf"(?:would(?= (?:{ACTION})[^.;:]* (?:myself|ourselves)\b)|"
    r"(?:was|am) (?:just )?(?:about|going|trying|meaning|hoping|planning) to|can not(?: (?:face|manage to"
    r"|bring myself to|be bothered (?:to|with)|seem to|possibly))?|could not"
    r"|am (?:not able"
    r"|unable) to|am in no (?:state|position|mood) to|am too [\w-]+(?: \w+)? to|(?:have not (?:got )?|do not have "
    r"|have no"
    r"|lack )(?:(?:the|any|enough|much) )*(?:energy|time|strength|patience|heart|nerve|willpower|stomach|hands|will)"
    r" (?:left )?(?:to|for)|do not (?:feel like|want to|feel up to)|(?:did not|never|will not|do not) (?:get|got|have"
    r" time|manage)(?: (?:a)?round)? to|keep forgetting to|forgot to)"
)
_DO_IT = re.compile(
    rf"{_START}(?:if (?:i|we) (?:only )?(?:had|could|were|was)\b[^.;,]*, ?)?"
    rf"(?:i|we) (?:just |really |simply |honestly )*{_UNABLE} (?:(?P<doing>{GERUND})(?= )|(?={ACTION}))"
    r"(?P<do>[^.;:]*?)(?: (?:myself|ourselves|from (?:here|where (?:i|we) (?:am|are)(?: \w+ing)?|(?:my|the)"
    r" (?:bed|chair"
    r"|armchair|sofa|couch|desk|wheelchair))|with (?:one hand|(?:my|our) hands full|(?:wet|these|my) [\w ]+)|at the"
    r" moment|(?:right|just) now|today))*(?: ?, but [^.;:,]*)? ?[,.] (?:(?:and |and so |so|but|which is why"
    r"|therefore|hence)[ ,]*)?"
    r"(?:(?:please|kindly|then|could you|can you|would you|will you|you will have to|you have to|i need you to"
    r"|i want you to|i would like you to|maybe you could|perhaps you could|i will let you) )+(?:please )?"
    r"(?:do|take care of|see to|handle|manage) (?:it|that|this|so)(?: for (?:me|us)| instead|"
    r" please)*(?=\s*(?:[.;]|$))"
)
"""What somebody cannot do and asks the robot to do: "I have no time to close it, so please do it for me"."""


def _used(match: re.Match[str]) -> str:
    """Returns the verb of what is done with a part of the robot, in the form of "use"."""
    verb, _, particle = match["do"].partition(" ")
    gerund = next((gerund for gerund, base in verbs.GERUNDS.items() if base == verb), verb)
    return f"{verb if match['use'] == 'use' else gerund} {particle}".rstrip()


def without_asides(text: str) -> str:
    """Returns a normalised text without what is said beside its requests."""
    text = _BY_THE_TIME.sub("", _SILLY_ME.sub("", _ROUND.sub("", text)))
    text = _WEAK.sub("i am too weak to ", _DO_INSTEAD.sub("could you do it", text))
    text = _THE_SOONER.sub(r"\g<do>", _USING.sub(_used, text))
    text = _DO_IT.sub(lambda m: f"{verbs.GERUNDS[m['doing']] if m['doing'] else ''}{m['do']}", text)
    while (match := _LEADING.match(text)) and is_pleasantry(match["said"]):
        text = text[match.end() :]
    text = _GET_ROUND_TO.sub("", _MAKE_IT.sub("", _SUPPOSE.sub("", text)))
    text = _GET_DONE.sub(r"\g<do>", text)
    text = _IT_IS_DOING.sub(r"\g<do>", _TO_BEGIN_WITH.sub("", text))
    text = _LEFT_TO_YOU.sub(r"\g<do>", _MANNER.sub("", _ALL_OF_IT.sub("", text)))
    text = _NOT_IDLE.sub("", text)
    text = _SERVICE.sub("", _BEFORE_BED.sub("", text))
    text = _CHOSEN.sub("", _WHILE.sub("", text))
    return _RESULT.sub(r"\g<asked>", text)
