"""Removes what people say about a request: thoughts, comments, deadlines, and the emphasis of a cleft sentence."""

from __future__ import annotations

import re

from stma_ros.domains.household.language.attitudes import (
    ADVERB,
    BENEFIT,
    CONTENT,
    GOOD,
    NORMATIVE,
    OPINION,
    SPEAKER,
    WISHED,
)
from stma_ros.domains.household.language.patterns import GERUND, MODAL, PREPOSITION, STATE

_ADVERBS = rf"(?: {ADVERB})*"
DEGREE = r"(?: (?:a (?:whole |great )?(?:lot|bit|deal)|(?:very|so) much|greatly|enormously|no end|more))?"
FOR_ME = (
    r"(?: (?:for|of|to|on) (?:me|us|you|everyone|everybody|all of us|an? (?:(?:poor|old|tired|sick|busy|lazy"
    r"|weary|clumsy) )*"
    r"(?:man|woman|lady|gentleman|soul|mother|father|person|friend|body|devil|thing)))?"
)
_THOUGHT = re.compile(
    rf"(?:(?:i|we){_ADVERBS} {OPINION}|{SPEAKER} (?:says?|said|thinks?|told me|tells me|insists|reckons|asked)"
    r"|as far as (?:i|we) know|if you ask me|it (?:seems|looks like|appears|turns out|is clear"
    rf"|is obvious)(?: to me)?"
    rf"|(?:the|my) (?:thing|point|fact|rule|agreement|feeling|understanding) is)(?: that| like)? "
    r"(?=.+ (?:should|must|ought|needs?|belongs?|goes|go|has to|have to|supposed|meant|better|best|lives?)\b"
    r"|(?:it|they) (?:is|are|may|might|could|must)\b)"
    r"|(?:(?:i|we) (?:just |also )?(?:see|saw|notice|noticed|noticed that|fear|am afraid|spotted|realised"
    r"|realized)|it (?:really |just )?(?:bothers|annoys|irritates|worries|upsets|troubles|bugs|pains|irks"
    r"|disturbs) (?:me|us)(?: to see)?|it seems|it looks like|looks like|seems like|apparently|i think|i"
    r" believe)(?: that)? "
    rf"(?=(?:the|my|our|all|both) .+ (?:is|are)(?: still| again)?(?: not)?(?: yet)? (?:{STATE}|{PREPOSITION} )|(?:i"
    rf"|we) (?:have )?(?:lost|left|forgot))"
    r"|(?:note|remember|keep in mind|bear in mind)(?: that)? (?=(?:the|my|our|all|both) .+ (?:belongs?|goes|go"
    r"|should|must)\b)"
)


_TAG = r"(?:(?:could|would|will|can|shall|should|do)(?: not)? (?:you|we|i)(?: please| mind| think| agree| reckon)?)"
_COMMENT = re.compile(
    rf"(?:^|(?<=.) )(?:& |and )?(?:(?:that|it|this|which){_ADVERBS} (?:would|will|could|might|may){_ADVERBS}"
    rf" (?:be|sound){_ADVERBS} {GOOD}"
    rf"{FOR_ME}|(?:that|it|this|which){_ADVERBS} (?:would|will|might){_ADVERBS} (?:{BENEFIT}|be great)"
    rf"(?: me| us| to me)?"
    rf"{DEGREE}|(?:i|we){_ADVERBS} (?:would|will){_ADVERBS} (?:(?:be|feel){_ADVERBS} {CONTENT}|appreciate"
    rf" (?:it|that)|love (?:it|that)|like"
    rf" that){DEGREE}{FOR_ME}|{_TAG})$"
)
"""A judgement or tag at the end of a request, or instead of one: "i would be so grateful", "would you"."""


_WHEN_BACK = (
    r"(?:i|we|he|she|they|the \w+|everyone|everybody) (?:am|are|is|get|gets|come|comes|arrive|arrives|return"
    r"|returns|wake"
    r"|wakes|finish|leave|leaves|go|goes)(?: (?:back|home|here|up|in|there|over|out|to bed|from (?:work|school"
    r"|the (?:office|shops?|gym))))*"
)
_DEADLINE = rf"(?:when|by the time|once|as soon as|before|until) {_WHEN_BACK}"
_WISH_UNTIL = re.compile(
    rf"(?:{_DEADLINE},? (?P<later>{SPEAKER}{_ADVERBS}(?: would| will)? (?:want|like|love|need|expect)\b.+)"
    rf"|(?P<state>.+ {MODAL} (?:be|stay) .+?),? (?:when|by the time) {_WHEN_BACK}"
    rf"|(?P<any>.+?),? by the time {_WHEN_BACK}"
    rf"|(?P<good>it would (?:please|delight|suit|help|be)\b.+?),? {_DEADLINE}|(?P<have>(?:have|get) .+?"
    rf" {STATE}),? {_DEADLINE}"
    rf"|(?P<wish>{SPEAKER}{_ADVERBS}(?: would| will)? (?:want|like|love|need|expect|prefer)\b.+?),? {_DEADLINE})"
)


_CLEFT = re.compile(
    rf"(?:what|all|the (?:only |one |next )?thing)(?: that)? (?P<who>i|we)(?: {ADVERB})* (?P<wish>(?:need|want"
    rf"|require|lack|am missing"
    rf"|am (?:looking|searching) for|am after|would(?: {ADVERB})* (?:like|love|prefer|appreciate)|could (?:use"
    rf"|do with)))"
    rf"(?: (?:now|right now|here|today|next|first|most|from you|of you))*(?P<at>(?: {PREPOSITION} (?:the|my|our"
    r"|an?|one of the) (?:(?! is )[^&])+(?<! that)(?: that is (?:(?! is )[^&])+)?)?) is (?P<x>(?!to |for |that "
    r"|if |you\b"
    r"|having |seeing |getting ).+)"
    r"|(?P<y>(?!it |that |this |here |there |what ).+?) is (?:exactly |just )?(?:what|the (?:one"
    rf"|thing)(?: that)?|all(?: that)?) (?P<by>i|we)"
    rf"(?: {ADVERB})* (?P<verb>(?:need|want|am (?:looking|searching) for|am after|would(?: {ADVERB})* (?:like"
    rf"|love|prefer)))"
    r"(?P<rest>(?: (?:(?:in|on|next to|near|beside) (?:the|my|our) .+|to (?:have|see)))?)(?: (?:now|right now"
    r"|here|today|next|first))*"
)
_JUDGED = re.compile(
    rf"(?P<doing>(?:{GERUND}|coming back) .+?)(?: {ADVERB})* (?:(?:would|will|could|might"
    rf"|should)(?: {ADVERB})* (?:be(?: {ADVERB})* (?:{GOOD}|enough)"
    rf"|do|suffice|{BENEFIT}{DEGREE}|make (?:me|us)(?: {ADVERB})*(?: {CONTENT})?)"
    rf"|(?:is|are)(?: {ADVERB})* (?:{NORMATIVE}|what (?:i|we)(?: {ADVERB})* (?:need|want|would like|am after"
    rf"|have in mind|ask|expect|require)(?: you to do| done| from you| of you| (?:your |some )?help with)*"
    rf"|(?!(?:my|our) (?:\w+ )?(?:job|task|mission|duty|assignment|chore|errand)s?\b)(?:the |your |my "
    rf"|our )(?:\w+ )?{WISHED}s?|(?:the|all|one) (?:(?:next|first|only|last|best|right|main"
    rf"|one|other|important|sensible) )?thing(?: (?:that )?(?:i|we) (?:need"
    rf"|want)| left)?"
    r"|(?:next|first|last)(?: on the list)?|(?:(?:all|entirely|completely) )?(?:up to|down to|on) you"
    r"|(?:all )?yours|in your hands)"
    r"|is (?:your|the) (?:very )?(?:first|second|third|fourth|next|last)(?: (?:of all|one|on (?:my|the|your) list))?"
    r"|(?:is|comes|goes)(?: next| first| also| still| right)* (?:(?:on|at the top of) (?:your|the|today's)"
    r" (?:[\w-]+ )?"
    r"(?:list|agenda|plan|schedule|programme|menu))|(?:still )?(?:needs?|has) to (?:happen|be done|get done)"
    r"|is what is (?:needed|required|called for|wanted|left)"
    rf"|falls to you)(?: (?:of you|today|now|tonight|for (?:me|us|now|the moment|today|tonight|a start)|(?:to"
    rf"|for) (?:me|us|an? (?:\w+ ){{0,2}}"
    r"(?:man|woman|lady|soul|body|person|mother|father|friend|pensioner))))*"
)


def _cleft(match: re.Match[str]) -> str:
    """Returns "i want the red mug" for "the red mug is what i want"."""
    if match["x"]:
        return f"{match['who']} {match['wish']} {match['x']}{match['at']}"
    if re.search(r" (?:that|which) (?:is|are) ", match["y"]) and not match["rest"]:
        return f"bring me {match['y']}"  # its place is where it is now
    return f"{match['by']} {match['verb']} {match['y']}{match['rest']}"


def plain_wish(clause: str) -> str:
    """Returns a wish in its usual order: "i need a pen" for "what i need is a pen".

    "Opening it would do" becomes "opening it". Other clauses are returned as they are.
    """
    judged = _JUDGED.fullmatch(clause)
    if judged:
        return judged["doing"]
    cleft = _CLEFT.fullmatch(clause)
    return _cleft(cleft) if cleft else clause


def without_deadline(clause: str) -> str:
    """Returns a wish without the time at which it has to be fulfilled: it is then, if it is fulfilled at once."""
    match = _WISH_UNTIL.fullmatch(clause)
    return next(filter(None, match.groups())) if match else clause


def without_comment(clause: str) -> str:
    """Returns "put it in the sink" for "put it in the sink that would be great"."""
    return _COMMENT.sub("", clause, count=1)


def without_thought(clause: str) -> str:
    """Returns "the mug should go there" for "I think that the mug should go there"."""
    return _THOUGHT.sub("", clause, count=1)
