"""The forms of questions: patterns of the clause that asks, with the kind of question that each means."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains.eqa.question import AnswerForm, QuestionKind

_BE = r"(?:is|are|was|were)"
_WHICH = r"(?:what|which)"
_CAN = r"(?:can|could|should|shall|might|may|would|will|must|do|does|did)"
_ONE = r"(?:i|we|you|one|someone|somebody|people|he|she|they|a person|(?:the|my|our|a|an) \w+)"
_MODAL = r"(?:can|could|should|shall|might|may|would|will|must)"
_ONE_CAN = rf"(?:{_MODAL} {_ONE}|(?:do|did) (?:i|we|you|people)|does (?:one|someone|somebody|a person)|{_ONE} {_MODAL})"
_SEE = r"(?:(?:possibly |first )?(?:see|find|notice|spot|touch|expect|count))"
_SEEN = rf"(?:(?:can|could|might|may|will|would|do|did) {_ONE} {_SEE}|(?:can|could|might) be (?:seen|found))"
_HAVE = r"(?:has|have|had|contains?|holds?|features?|shows?)"
_LOSE = r"(?:leave|left|put|lose|lost|forget|forgot|placed?|keep|kept|store|hide|see|seen|saw)"
_ROOM = r"(?:rooms?|floors?|level|storey|part of the (?:house|home)|area|space)"
_HOME = r"(?:room|house|home|apartment|flat|building|place|space|scene)"
_MEANS = r"(?:way|place|spot|method|thing|object|item|tool|device)s?"
_SORT = r"(?:kind|type|sort|style|make|model|species|flavou?r|genre)s?"
_PARTICIPLE = (
    r"(?:(?!placed|located|attached|connected|fixed|tied|linked|glued|taped)\w+ed|shown|drawn|written|worn)"
)
_COMPARED = (
    r"(?:the )?(?!(?:under|over|other|upper|lower|inner|outer)\b)(?:\w+(?:er|est)|more|most|less|least)\b"
)
_SERVES = (
    r"(?:is |are )?(?:help|allow|let|keep|provid|control|heat|cool|light|illuminat|power|charg|protect|prevent)"
    r"(?:s|es|ing)(?: up)?"
)
_LOCATED = (
    r"(?:located|placed|kept|stored?|hanging from|hanging|sitting|situated|positioned|written|found|at|now|before"
    r"|today|yesterday|lately|recently)"
)
_MAIN = (
    r"(?:main|principal|primary|dominant|predominant|overall|general|exact|base|background|two|three|other)"
)
_ATTRIBUTE = (
    rf"(?P<attribute>(?:{_MAIN} )*colours?(?: pattern| scheme)?|(?:{_SORT} of )?(?:shape|size|pattern|print|texture"
    r"|design|finish|condition|temperature|material|fabric|wood|metal|stone|flooring)|height|length|width|depth|weight"
    r"|brand(?: name)?)"
)
_SOMETHING = (
    r"(?:(?:any|some)(?:thing|where|one)"
    r"|(?:a|an|any|some) (?:\w+ )??(?:place|way|thing|object|item|device|tool|spot)s?)"
)
_FREE = r"(?:(?:a|an|any|some|enough|sufficient|still|more|much) )*(?:room|spaces?|area|walkable path|path|free \w+)"


PUT = r"(?:put|place|fit|keep|store|add|throw|hang|leave|set|lay)"
"""Verbs that put a thing somewhere."""


@dataclass(frozen=True)
class Form:
    """A form of questions.

    Groups of the pattern, whose names may end with a digit: `x` noun phrase of the target with its places; `place` a
    phrase that begins with a preposition, or the form does not fit; `rest` the same, ignored where it is none; `holder`
    noun phrase of what has the target; `part` noun phrase of what the target has; `purpose` what is to be done;
    `attribute` a noun for an attribute; `predicate` what is said of a thing; `state` a state, or
    the form does not fit; `near` a thing near to the target; `from` and `to` things on both sides of the target.
    """

    pattern: re.Pattern[str]
    kind: QuestionKind
    answer_form: AnswerForm
    attribute: str = ""


def _forms(
    kind: QuestionKind, answer_form: AnswerForm, *patterns: str, attribute: str = ""
) -> tuple[Form, ...]:
    return tuple(Form(re.compile(pattern), kind, answer_form, attribute) for pattern in patterns)


FORMS: tuple[Form, ...] = (
    *_forms(
        QuestionKind.COUNT,
        AnswerForm.NUMBER,
        rf"for how many \w+ {_BE} there (?P<x>.+)|(?:can|could) you count (?P<x2>.+)",
        rf"how many (?P<x>.+?) {_BE} (?:there|visible|present|available)\b(?P<rest>.*)",
        rf"how many (?P<x>.+?) {_SEEN}\b(?P<rest>.*)",
        rf"how many (?P<x>.+?) (?:there {_BE}|(?:do|does) (?:i|we|you) have)\b(?P<rest>.*)",
        r"how many (?P<x>.+?) (?:do|does) (?P<holder>.+?) have(?: in all| in total| altogether| inside)?",
        rf"how many (?P<x>.+?) {_BE} (?P<rest>.+)",
        rf"how many (?P<x>.+?) {_HAVE} (?P<part>.+)",
        rf"how many (?P<x>.+?) {_CAN} (?P<purpose>.+)",
        r"how many (?P<x>.+)",
        r"what is the (?:total )?number of (?P<x>.+)",
    ),
    *_forms(
        QuestionKind.ROOM_KIND,
        AnswerForm.ROOM,
        rf"(?:in |from |of )?{_WHICH} (?:{_SORT} of )?{_HOME} (?:(?:{_BE}|am) (?:this|that|it|these|we|i)\b.*"
        rf"|{_CAN} (?:(?:this|that|it|we|i) (?:be|look like)|these)\b.*)",
        rf"{_WHICH} {_BE} (?:the|this) {_HOME}\b.*|where am i|(?:in|to) {_WHICH} {_HOME} .* these images\b.*",
        rf"what (?:appears to be|is) the (?:main )?(?:purpose|function|use) of (?:this|the) {_HOME}",
    ),
    *_forms(
        QuestionKind.ROOM_OF,
        AnswerForm.ROOM,
        rf"(?:in|on) {_WHICH} {_ROOM} (?:{_BE}|{_CAN} {_ONE} (?:{_SEE}|{_LOSE}|have)) (?P<x>.+?)(?: {_LOCATED})?",
        rf"{_WHICH} {_ROOM} {_BE} (?P<x>.+?) (?:(?:located |found |kept )?(?:in|on|at)|(?:closest|nearest|next) to)",
        rf"{_WHICH} {_ROOM} (?P<x>.+?) {_BE} in",
        rf"{_WHICH} {_ROOM} {_ONE_CAN} (?:have to |need to )?go to (?:for|to (?:find|get|see)) (?P<x>.+)",
        rf"{_WHICH} {_ROOM} {_HAVE} (?!more\b|less\b|the most\b|the least\b)(?P<x>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.ROOM,
        rf"(?:in |to )?{_WHICH} {_ROOM} {_ONE_CAN} (?:go to (?:if (?:i|we) (?:want|would like) )?to )?"
        r"(?P<purpose>.+)",
        rf"{_WHICH} {_ROOM} {_BE} (?:the )?(?:right|best|good|suitable)(?: one)? (?:for|to) (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.WHERE,
        AnswerForm.PLACE,
        rf"where (?:did|have) {_ONE} (?:last )?{_LOSE} (?P<x>.+)",
        rf"where {_ONE_CAN} (?:look|search|go)(?: to)? (?:for|find|get) (?P<x>.+)",
        rf"where {_ONE_CAN} (?:find|see|spot|locate|get) (?!(?:some|any)(?:thing|where)\b|(?:a|some) (?:place|spot)\b)"
        r"(?P<x>.+)",
        rf"(?:(?:in|on) )?{_WHICH} (?:side|wall|shelf|corner|part)(?: of .+?)? {_BE} (?P<x>.+?)(?: (?:in|on|at))?",
        r"where (?:would|could|might|may|can|should) (?P<x>.+?) be\b.*|where (?:would|could|might) be (?P<x2>.+)",
        r"(?:have|did) (?:you|anyone|anybody) (?:seen?|spot(?:ted)?|notic(?:ed?)) (?!(?:an?|any|some) )(?P<x>.+)",
        r"(?:can|could) you (?:find|see|spot|locate) (?!(?:an?|any|some) )(?P<x>.+)|where",
        r"do you see (?P<x>(?:it|them|one|my .+?)(?: (?:somewhere|anywhere))?)",
    ),
    *_forms(
        QuestionKind.WHERE,
        AnswerForm.PLACE,
        r"(?:where|what) (?:do|does) (?P<x>.+?) (?:lead|go|open|face|point)(?: (?:to|into|towards?))?",
        rf"(?:(?:in|from|on|to) )?{_WHICH} (?:direction|way) (?:{_BE}|do|does) (?P<x>.+?)"
        r"(?: (?:face|facing|point|open|go|in))?",
        rf"what (?:{_BE} (?P<x>.+?)|(?P<x2>.+?) {_BE}) (?:\w+(?:ed|ing) )?(?:on|in|under|behind|next to"
        r"|in front of|on top of|above|below|beside|against|between|across from)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.PLACE,
        rf"where {_BE} (?:a|an|the|some|any) (?:\w+ )?(?:place|spot|area|location)s? (?:for|to|(?:where )?{_ONE_CAN})"
        r" (?P<purpose>.+)",
        rf"where (?:{_ONE_CAN}|to) (?P<purpose>.+)|where {_CAN} (?P<purpose2>.+)",
    ),
    *_forms(
        QuestionKind.WHERE,
        AnswerForm.PLACE,
        rf"where(?: exactly| in the \w+)? {_BE} (?P<x>.+?)(?: {_LOCATED})*",
        rf"where (?P<x>.+?) {_BE}(?: {_LOCATED})?",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.FREE,
        rf"how (?:{_ONE_CAN}|to) (?P<purpose>.+)|how {_CAN} (?P<purpose2>.+)",
        r"what (?:is|are) (?P<x>.+?) (?:(?:being )?used (?:for|to) ?(?P<purpose>.*)|for)",
        rf"what (?:is|are|would be) (?:the|a|one|some) (?:\w+ )?{_MEANS} (?:for|to(?! the\b)|(?:that )?{_ONE_CAN})"
        r" (?P<purpose>.+)",
        rf"what {_BE} (?:some|any)thing (?:to|(?:that )?{_ONE_CAN}) (?P<purpose>.+)",
        rf"what {_CAN} (?P<x>.+?) be used (?:for|to) ?(?P<purpose>.*)",
    ),
    *_forms(
        QuestionKind.WHAT_IS,
        AnswerForm.OBJECT,
        rf"what (?:did|have|had) {_ONE} (?:\w+ )??{_LOSE} (?P<place>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.OBJECT,
        rf"what {_BE} there(?P<rest> .+?)? (?:that )?{_ONE_CAN} (?P<purpose>.+)",
        rf"(?:(?:with|on|in|using|from|for|at) )?{_WHICH}(?: (?P<x>[\w' -]+?))?? {_ONE_CAN}"
        rf" (?P<purpose>(?!{_SEE}\b).+)",
        rf"{_WHICH}(?: (?P<x>[\w' -]+?))??(?: here)? {_MODAL} (?:best )?(?:help|serve|allow|let) "
        r"(?:(?:me|us|you) )?(?:to )?(?P<purpose>.+)",
        rf"{_WHICH}(?: (?P<x>[\w' -]+?))?? {_BE} (?:used|needed|required|available|there) (?:to|for) (?P<purpose>.+)",
        rf"{_WHICH}(?: (?P<x>[\w' -]+?))?? (?P<purpose>{_SERVES} .+)",
        rf"{_WHICH}(?: (?P<x>[\w' -]+?))?? {_MODAL} (?:best )?be (?P<purpose>(?:done|(?!found)\w+ed)\b.*)",
        rf"{_WHICH} (?P<x>.+?) {_BE} (?:best|better|suitable|good|ideal|useful|designed|meant|intended) (?:for|to)"
        r" (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.YES_NO,
        rf"{_BE} there (?P<x>{_SOMETHING})(?P<place> .+?)?? (?:(?:that|which|where) )?"
        rf"(?:{_ONE_CAN} |(?:that|which|where) {_CAN} |to |for )(?P<purpose>.+)",
        rf"{_BE} there (?P<x>(?:enough|sufficient) (?!room\b|space\b).+?) (?:to|for) (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.SPACE,
        AnswerForm.YES_NO,
        rf"{_BE} there {_FREE}(?: left)?(?: (?P<place>(?!for\b|to (?!the\b)).+?))??(?: for (?:me|us))?"
        r"(?: (?:to|for) (?P<purpose>.+?))?",
        rf"(?:does|do|has|have) (?P<holder>.+?) (?:have |has )?{_FREE}(?: left)?(?: (?:to|for) (?P<purpose>.+))?",
        rf"(?:can|could|would|will) {_ONE} (?:still )?(?P<purpose>(?:{PUT}|stand|squeeze|sit|park)\b .+)",
    ),
    *_forms(
        QuestionKind.EXISTENCE,
        AnswerForm.YES_NO,
        r"(?:do|does) (?P<x>an? .+?) (?:lead|go|open) from (?P<from>.+?) (?:straight |directly )?(?:in)?to (?P<to>.+)",
        rf"(?:can|could) {_ONE} (?:go|walk|get) (?:straight |directly )?from (?P<from>.+?) (?:through (?P<x>an? \w+) )?"
        r"(?:straight |directly )?(?:in)?to (?P<to>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.YES_NO,
        rf"{_MODAL} (?P<x>(?:the|my|this|that|these|those) .+?) be (?P<purpose>\w+(?:ed|en|wn)\b.*)",
        rf"(?:can|could|would|should|will|may) {_ONE} (?P<purpose>(?!{_SEE}\b).+)",
        rf"{_BE} (?P<holder>.+?) (?:a|the) (?:\w+ )?(?:place|room|spot) (?:where|in which) {_ONE_CAN} (?P<purpose>.+)",
        rf"(?:{_BE} it|{_MODAL} it be) (?:\w+ )?(?:possible|safe|ok|okay|easy|good|necessary|comfortable"
        r"|allowed|hard|difficult) (?:for \w+ )?to (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.EXISTENCE,
        AnswerForm.YES_NO,
        rf"{_BE} there (?:also )?(?P<x>.+)",
        rf"{_BE} (?P<x>(?:any|some)(?:thing|one|body)) (?P<place>.+)",
        r"(?:do|can|could|would) (?:you|we|i) (?:see|have|notice|spot|find) (?!to\b)(?P<x>(?!.* in the same room).+)",
        r"(?:have|did) (?:you|anyone|anybody) (?:seen?|spot(?:ted)?|notic(?:ed?)) (?P<x>(?:an?|any|some) .+)",
        rf"(?:does|do|has|have) (?!i\b|we\b|you\b)(?P<holder>.+?) {_HAVE} (?P<x>.+)",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"(?:of |in )?{_WHICH} (?:{_BE} )?(?:the )?{_ATTRIBUTE}(?: (?:{_BE}|of|has|have|does|do|on))* (?P<x>.+?)"
        r"(?: made(?: out)?(?: of| from)?| have| painted| in)?",
        rf"what {_BE} (?P<x>.+?)(?:'s)? (?P<attribute>colour|material|shape|size|pattern|height|width|length)"
        r"(?P<rest> (?:of|in|on|at|near|by|next|above|behind|under)\b.+)?",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"{_WHICH} (?:(?:word|letter|number|text|name|message|sentence)s? )?{_BE} (?:written|printed|engraved)"
        r" (?P<place>.+)",
        rf"{_WHICH} (?:word|letter|number|text|message|sentence)s? {_BE} (?P<place>.+)",
        r"what (?:does|do|did) (?P<x>.+?) (?:say|read)(?P<rest> .+)?",
        rf"what (?:{_BE} written {_BE} |{_BE} )?the (?:word|letter|number|text|message|writing)s? (?P<place>.+)",
        attribute="text",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"what (?:do|does) (?P<x>.+?) look like(?P<rest> .+)?|what {_BE} (?P<x2>.+?) like",
        attribute="appearance",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.YES_NO,
        r"(?:do|does) (?P<x>.+?) match(?: .+)?",
        attribute="appearance",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"how {_BE} (?P<x>.+?) (?:arranged|positioned|oriented|organi[sz]ed|placed|stored|hung|displayed|laid out)",
        attribute="arrangement",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"how (?:far|close)(?: away)? {_BE} (?P<x>.+)|what is the distance (?:between|from|of|to) (?P<x2>.+)",
        attribute="distance",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"what (?:{_BE} the )?(?:time|date) (?:{_BE} it )?(?P<place>.+)",
        rf"what (?:time|date) (?:{_BE} (?:displayed|shown)|(?:does|do)) (?P<x>.+?)(?: (?:show|display|say|read))?",
        attribute="time",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"what {_BE} (?P<x>.+?) (?:made|built|constructed|composed|covered|upholstered) (?:out )?(?:of|from|with|in)",
        attribute="material",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"how (?:big|large|small|tall|long|wide|high|deep|thick|heavy) {_BE} (?P<x>.+)",
        attribute="size",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"{_WHICH} (?:company|manufacturer|brand) (?:made|makes|produced|manufactured) (?P<x>.+)",
        attribute="brand",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"{_WHICH} (?:{_BE} the )?{_SORT} of (?P<x>.+?)(?: (?:{_BE}|{_CAN}|{_HAVE}|used|made)\b(?P<rest>.*))?",
        attribute="kind",
    ),
    *_forms(
        QuestionKind.WHAT_IS,
        AnswerForm.OBJECT,
        rf"{_WHICH}(?: (?P<x>.+?))?? (?:{_BE}|stands?|(?:has|have) been left|(?:is|are|was|were) left) (?P<state>.+)",
    ),
    *_forms(
        QuestionKind.WHICH,
        AnswerForm.OBJECT,
        rf"{_WHICH}(?: one| thing)? {_BE} (?P<near>.+?) (?:closer|nearer|closest|nearest) to",
        rf"{_WHICH}(?: one| thing)? {_BE} (?P<predicate>(?:closer|nearer|closest|nearest) to .+)",
        rf"{_WHICH} (?P<x>.+?) {_BE} (?P<predicate>{_COMPARED}.*)",
        rf"{_WHICH}(?: one)? {_BE} {_COMPARED}",
        rf"{_WHICH} (?P<x>.+?) {_HAVE} (?P<part>.+)",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"{_WHICH} (?:.+ )?{_BE} (?:happening|going on|special|wrong|missing|unusual|strange|odd|different|interesting"
        r"|most likely|the (?:purpose|meaning|reason|point"
        r"|profession|name|date|time|title|theme|season|weather|language|genre|occasion|job|age|topic|subject|function|role|cause|artist|author|origin|price|cost"
        r"|capacity|model|maker|manufacturer|company|religion|culture|country|city|event|hobby|hobbies)\b"
        r"|today's).*",
        rf"{_WHICH} .+ {_BE} (?:it|they|that|this)",
    ),
    *_forms(
        QuestionKind.WHAT_IS,
        AnswerForm.OBJECT,
        r"what (?:does|do) (?P<holder>.+?) (?:contain|hold|have (?:in|inside|on) (?:it|them))",
        rf"{_WHICH} (?:else )?(?:{_BE} (?:there )?|{_SEEN} )?(?:{_PARTICIPLE} )?(?P<place>.+)",
        rf"{_WHICH} (?P<x>[\w' -]+?) (?:{_SEEN}|{_BE} there)\b(?P<rest> .+)?|{_WHICH} {_SEEN}(?P<rest2> .+)?",
        rf"{_WHICH} (?P<x>[\w' -]+?) {_BE} (?:visible |present |{_PARTICIPLE} )?(?P<place>.+)",
        rf"{_WHICH} {_BE} (?P<x>.+)",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"(?:(?:about|with|from|of|at|in|on|for|to|by) )?(?:{_WHICH}|who|whose|whom|why|when|how)\b.+",
    ),
    *_forms(
        QuestionKind.ROOM_KIND,
        AnswerForm.YES_NO,
        rf"{_BE} (?:(?:this|the|it) (?:an? )?(?:(?!of\b|in\b|on\b|at\b)\S+ ){{0,2}}{_HOME}"
        r"(?: (?:on|in|at|for|a|an)\b.+)?|(?:we|i|you) .+)",
    ),
    *_forms(
        QuestionKind.RELATION,
        AnswerForm.YES_NO,
        rf"(?:{_BE}|has|have|would {_ONE} find|did {_ONE} leave) (?P<predicate>.+)",
        r"(?:do|does) (?P<predicate>.+?) (?:stand|sit|lie|hang|remain|stay) (?P<said>.+)",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.YES_NO,
        r"(?:do|does|did|can|could|would|will|should|may|might|must|has|have)\b.+",
    ),
)
"""All forms; the first that fits the whole clause decides."""
