"""The forms of questions: patterns of the clause that asks, with the kind of question that each means."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains.eqa.form_words import (
    ATTRIBUTE,
    BE,
    CAN,
    COMPARED,
    FREE,
    HAVE,
    HOME,
    LOCATED,
    LOSE,
    MEANS,
    MODAL,
    ONE,
    ONE_CAN,
    PARTICIPLE,
    PUT,
    ROOM,
    SEE,
    SEEN,
    SERVES,
    SOMETHING,
    SORT,
    WHICH,
)
from stma_ros.domains.eqa.question import AnswerForm, QuestionKind


@dataclass(frozen=True)
class Form:
    """A form of questions.

    Groups of the pattern, whose names may end with a digit: `x` noun phrase of the target with its places; `place` a
    phrase that begins with a preposition, or the form does not fit; `rest` the same, ignored where it is none; `holder`
    noun phrase of what has the target; `part` noun phrase of what the target has; `purpose` what is to be done;
    `attribute` a noun for an attribute; `predicate` and `said` what is said of a thing; `state` a state, or the form
    does not fit; `near` a thing near to the target; `from` and `to` things on both sides of the target.
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
        rf"for how many \w+ {BE} there (?P<x>.+)|(?:can|could) you count (?P<x2>.+)",
        rf"how many (?P<x>.+?) {BE} (?:there|visible|present|available)\b(?P<rest>.*)",
        rf"how many (?P<x>.+?) {SEEN}\b(?P<rest>.*)",
        rf"how many (?P<x>.+?) (?:there {BE}|(?:do|does) (?:i|we|you) have)\b(?P<rest>.*)",
        r"how many (?P<x>.+?) (?:do|does) (?P<holder>.+?) have(?: in all| in total| altogether| inside)?",
        rf"how many (?P<x>.+?) {BE} (?P<rest>.+)",
        rf"how many (?P<x>.+?) {HAVE} (?P<part>.+)",
        rf"how many (?P<x>.+?) {CAN} (?P<purpose>.+)",
        r"how many (?P<x>.+)",
        r"what is the (?:total )?number of (?P<x>.+)",
    ),
    *_forms(
        QuestionKind.ROOM_KIND,
        AnswerForm.ROOM,
        rf"(?:in |from |of )?{WHICH} (?:{SORT} of )?{HOME} (?:(?:{BE}|am) (?:this|that|it|these|we|i)\b.*"
        rf"|{CAN} (?:(?:this|that|it|we|i) (?:be|look like)|these)\b.*)",
        rf"{WHICH} {BE} (?:the|this) {HOME}\b.*|where am i|(?:in|to) {WHICH} {HOME} .* these images\b.*",
        rf"what (?:appears to be|is) the (?:main )?(?:purpose|function|use) of (?:this|the) {HOME}",
    ),
    *_forms(
        QuestionKind.ROOM_OF,
        AnswerForm.ROOM,
        rf"(?:in|on) {WHICH} {ROOM} (?:{BE}|{CAN} {ONE} (?!put\b.* away$)(?:{SEE}|{LOSE}|have))"
        rf" (?P<x>.+?)(?: {LOCATED})?",
        rf"{WHICH} {ROOM} {BE} (?P<x>.+?) (?:(?:located |found |kept )?(?:in|on|at)|(?:closest|nearest|next) to)",
        rf"{WHICH} {ROOM} (?P<x>.+?) {BE} in",
        rf"{WHICH} {ROOM} {ONE_CAN} (?:have to |need to )?go to (?:for|to (?:find|get|see)) (?P<x>.+)",
        rf"{WHICH} {ROOM} {HAVE} (?!more\b|less\b|the most\b|the least\b)(?P<x>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.ROOM,
        rf"(?:in |to )?{WHICH} {ROOM} {ONE_CAN} (?:go to (?:if (?:i|we) (?:want|would like) )?to )?"
        r"(?P<purpose>.+)",
        rf"{WHICH} {ROOM} {BE} (?:the )?(?:right|best|good|suitable)(?: one)? (?:for|to) (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.WHERE,
        AnswerForm.PLACE,
        rf"where (?:did|have) {ONE} (?:last )?{LOSE} (?P<x>.+)",
        rf"where {ONE_CAN} (?:look|search|go)(?: to)? (?:for|find|get) (?P<x>.+)",
        rf"where {ONE_CAN} (?:find|see|spot|locate|get) (?!(?:some|any)(?:thing|where)\b|(?:a|some) (?:place|spot)\b)"
        r"(?P<x>.+)",
        rf"(?:(?:in|on) )?{WHICH} (?:side|wall|shelf|corner|part)(?: of .+?)? {BE} (?P<x>.+?)(?: (?:in|on|at))?",
        r"where (?:would|could|might|may|can|should) (?P<x>.+?) be\b.*|where (?:would|could|might) be (?P<x2>.+)",
        r"(?:have|did) (?:you|anyone|anybody) (?:seen?|spot(?:ted)?|notic(?:ed?)) (?!(?:an?|any|some) )(?P<x>.+)",
        r"(?:can|could) you (?:find|see|spot|locate) (?!(?:an?|any|some) )(?P<x>.+)|where",
        r"do you see (?P<x>(?:it|them|one|my .+?)(?: (?:somewhere|anywhere))?)",
    ),
    *_forms(
        QuestionKind.WHAT_IS,
        AnswerForm.OBJECT,
        rf"what (?:{BE} (?P<near>.+?)|(?P<near2>.+?) {BE}) (?:\w+ing )?(?:next to|beside)",
    ),
    *_forms(
        QuestionKind.WHERE,
        AnswerForm.PLACE,
        r"(?:where|what) (?:do|does) (?P<x>.+?) (?:lead|go|open|face|point)(?: (?:to|into|towards?))?",
        rf"(?:(?:in|from|on|to) )?{WHICH} (?:direction|way) (?:{BE}|do|does) (?P<x>.+?)"
        r"(?: (?:face|facing|point|open|go|in))?",
        rf"what (?:{BE} (?P<x>.+?)|(?P<x2>.+?) {BE}) (?:\w+(?:ed|ing) )?(?:on|in|under|behind|next to"
        r"|in front of|on top of|above|below|beside|against|between|across from)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.PLACE,
        rf"where {BE} (?:a|an|the|some|any) (?:\w+ )?(?:place|spot|area|location)s? (?:for|to|(?:where )?{ONE_CAN})"
        r" (?P<purpose>.+)",
        rf"where (?:{ONE_CAN}|to) (?P<purpose>.+)|where {CAN} (?P<purpose2>.+)",
    ),
    *_forms(
        QuestionKind.WHERE,
        AnswerForm.PLACE,
        rf"where(?: exactly| in the \w+)? {BE} (?P<x>.+?)(?: {LOCATED})*",
        rf"where (?P<x>.+?) {BE}(?: {LOCATED})?",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.FREE,
        rf"how (?:{ONE_CAN}|to) (?P<purpose>.+)|how {CAN} (?P<purpose2>.+)",
        r"what (?:is|are) (?P<x>.+?) (?:(?:being )?used (?:for|to) ?(?P<purpose>.*)|for)",
        rf"what (?:is|are|would be) (?:the|a|one|some) (?:\w+ )?{MEANS} (?:for|to(?! the\b)|(?:that )?{ONE_CAN})"
        r" (?P<purpose>.+)",
        rf"what {BE} (?:some|any)thing (?:to|(?:that )?{ONE_CAN}) (?P<purpose>.+)",
        rf"what {CAN} (?P<x>.+?) be used (?:for|to) ?(?P<purpose>.*)",
    ),
    *_forms(
        QuestionKind.WHAT_IS,
        AnswerForm.OBJECT,
        rf"what (?:did|have|had) {ONE} (?:\w+ )??{LOSE} (?P<place>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.OBJECT,
        rf"what {BE} there(?P<rest> .+?)? (?:that )?{ONE_CAN} (?P<purpose>.+)",
        rf"(?:(?:with|on|in|using|from|for|at) )?{WHICH}(?: (?P<x>[\w' -]+?))?? {ONE_CAN}"
        rf" (?P<purpose>(?!{SEE}\b).+)",
        rf"{WHICH}(?: (?P<x>[\w' -]+?))??(?: here)? {MODAL} (?:best )?(?:help|serve|allow|let) "
        r"(?:(?:me|us|you) )?(?:to )?(?P<purpose>.+)",
        rf"{WHICH}(?: (?P<x>[\w' -]+?))?? {BE} (?:used|needed|required|available|there) (?:to|for) (?P<purpose>.+)",
        rf"{WHICH}(?: (?P<x>[\w' -]+?))?? (?P<purpose>{SERVES} .+)",
        rf"{WHICH}(?: (?P<x>[\w' -]+?))?? {MODAL} (?:best )?be (?P<purpose>(?:done|(?!found)\w+ed)\b.*)",
        rf"{WHICH} (?P<x>.+?) {BE} (?:best|better|suitable|good|ideal|useful|designed|meant|intended) (?:for|to)"
        r" (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.YES_NO,
        rf"{BE} there (?P<x>{SOMETHING})(?P<place> .+?)?? (?:(?:that|which|where) )?"
        rf"(?:{ONE_CAN} |(?:that|which|where) {CAN} |to |for )(?P<purpose>.+)",
        rf"{BE} there (?P<x>(?:enough|sufficient) (?!room\b|space\b).+?) (?:to|for) (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.SPACE,
        AnswerForm.YES_NO,
        rf"{BE} there {FREE}(?: left)?(?: (?P<place>(?!for\b|to (?!the\b)).+?))??(?: for (?:me|us))?"
        r"(?: (?:to|for) (?P<purpose>.+?))?",
        rf"(?:do|does) (?!i\b|we\b|you\b)(?P<holder>.+?) have {FREE}(?: left)?(?: (?:to|for) (?P<purpose>.+))?",
        rf"(?:has|have) (?!i\b|we\b|you\b)(?P<holder2>.+?) (?:got )?{FREE}(?: left)?(?: (?:to|for) (?P<purpose2>.+))?",
        rf"(?:can|could|would|will) {ONE} (?:still )?"
        rf"(?P<purpose>(?!throw away\b|hang up\b)(?:{PUT}|stand|squeeze|sit|park)\b .+)",
    ),
    *_forms(
        QuestionKind.EXISTENCE,
        AnswerForm.YES_NO,
        r"(?:do|does) (?P<x>an? .+?) (?:lead|go|open) from (?P<from>.+?) (?:straight |directly )?(?:in)?to (?P<to>.+)",
        rf"(?:can|could) {ONE} (?:go|walk|get) (?:straight |directly )?from (?P<from>.+?) (?:through (?P<x>an? \w+) )?"
        r"(?:straight |directly )?(?:in)?to (?P<to>.+)",
    ),
    *_forms(
        QuestionKind.FUNCTION,
        AnswerForm.YES_NO,
        rf"{MODAL} (?P<x>(?:the|my|this|that|these|those) .+?) be (?P<purpose>\w+(?:ed|en|wn)\b.*)",
        rf"(?:can|could|would|should|will|may) {ONE} (?P<purpose>(?!{SEE}\b).+)",
        rf"{BE} (?P<holder>.+?) (?:a|the) (?:\w+ )?(?:place|room|spot) (?:where|in which) {ONE_CAN} (?P<purpose>.+)",
        rf"(?:{BE} it|{MODAL} it be) (?:\w+ )?(?:possible|safe|ok|okay|easy|good|necessary|comfortable"
        r"|allowed|hard|difficult) (?:for \w+ )?to (?P<purpose>.+)",
    ),
    *_forms(
        QuestionKind.EXISTENCE,
        AnswerForm.YES_NO,
        rf"{BE} there (?:also )?(?P<x>.+)",
        rf"{BE} (?P<x>(?:any|some|no)(?:thing|one|body)(?: else)?) (?P<place>.+)",
        r"(?:do|can|could|would) (?:you|we|i) (?:see|have|notice|spot|find) (?!to\b)(?P<x>(?!.* in the same room).+)",
        r"(?:have|did) (?:you|anyone|anybody) (?:seen?|spot(?:ted)?|notic(?:ed?)) (?P<x>(?:an?|any|some) .+)",
        rf"(?:does|do|has|have) (?!i\b|we\b|you\b)(?P<holder>.+?) {HAVE} (?P<x>.+)",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"(?:of |in )?{WHICH} (?:{BE} )?(?:the )?{ATTRIBUTE}(?: (?:{BE}|of|has|have|does|do|on))* (?P<x>.+?)"
        r"(?: made(?: out)?(?: of| from)?| have| painted| in)?",
        rf"what {BE} (?P<x>.+?)(?:'s)? (?P<attribute>colour|material|shape|size|pattern|height|width|length)"
        r"(?P<rest> (?:of|in|on|at|near|by|next|above|behind|under)\b.+)?",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"{WHICH} (?:(?:word|letter|number|text|name|message|sentence)s? )?{BE} (?:written|printed|engraved)"
        r" (?P<place>.+)",
        rf"{WHICH} (?:word|letter|number|text|message|sentence)s? {BE} (?P<place>.+)",
        r"what (?:does|do|did) (?P<x>.+?) (?:say|read)(?P<rest> .+)?",
        rf"what (?:{BE} written {BE} |{BE} )?the (?:word|letter|number|text|message|writing)s? (?P<place>.+)",
        attribute="text",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"what (?:do|does) (?P<x>.+?) look like(?P<rest> .+)?|what {BE} (?P<x2>.+?) like",
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
        rf"how {BE} (?P<x>.+?) (?:arranged|positioned|oriented|organi[sz]ed|placed|stored|hung|displayed|laid out)",
        attribute="arrangement",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"how (?:far|close)(?: away)? {BE} (?P<x>.+)|what is the distance (?:between|from|of|to) (?P<x2>.+)",
        attribute="distance",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"what (?:{BE} the )?(?:time|date) (?:{BE} it )?(?P<place>.+)",
        rf"what (?:time|date) (?:{BE} (?:displayed|shown)|(?:does|do)) (?P<x>.+?)(?: (?:show|display|say|read))?",
        attribute="time",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"what {BE} (?P<x>.+?) (?:made|built|constructed|composed|covered|upholstered) (?:out )?(?:of|from|with|in)",
        attribute="material",
    ),
    *_forms(
        QuestionKind.ATTRIBUTE,
        AnswerForm.VALUE,
        rf"how (?:big|large|small|tall|long|wide|high|deep|thick|heavy) {BE} (?P<x>.+)",
        attribute="size",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"{WHICH} (?:company|manufacturer|brand) (?:made|makes|produced|manufactured) (?P<x>.+)",
        attribute="brand",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"{WHICH} (?:{BE} the )?{SORT} of (?P<x>.+?)(?: (?:{BE}|{CAN}|{HAVE}|used|made)\b(?P<rest>.*))?",
        attribute="kind",
    ),
    *_forms(
        QuestionKind.WHAT_IS,
        AnswerForm.OBJECT,
        rf"{WHICH}(?: (?P<x>.+?))?? (?:{BE}|stands?|(?:has|have) been left|(?:is|are|was|were) left) (?P<state>.+)",
    ),
    *_forms(
        QuestionKind.WHICH,
        AnswerForm.OBJECT,
        rf"{WHICH}(?: one| thing)? {BE} (?P<near>.+?) (?:closer|nearer|closest|nearest) to",
        rf"{WHICH}(?: one| thing)? {BE} (?P<predicate>(?:closer|nearer|closest|nearest) to .+)",
        rf"{WHICH} (?P<x>.+?) {BE} (?P<predicate>{COMPARED}.*)",
        rf"{WHICH}(?: one)? {BE} {COMPARED}",
        rf"{WHICH} (?P<x>.+?) {HAVE} (?P<part>.+)",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"{WHICH} (?:.+ )?{BE} (?:happening|going on|special|wrong|missing|unusual|strange|odd|different|interesting"
        r"|most likely|the (?:purpose|meaning|reason|point"
        r"|profession|name|date|time|title|theme|season|weather|language|genre|occasion|job|age|topic|subject|function|role|cause|artist|author|origin|price|cost"
        r"|capacity|model|maker|manufacturer|company|religion|culture|country|city|event|hobby|hobbies)\b"
        r"|today's).*",
        rf"{WHICH} .+ {BE} (?:it|they|that|this)",
    ),
    *_forms(
        QuestionKind.WHAT_IS,
        AnswerForm.OBJECT,
        r"what (?:does|do) (?P<holder>.+?) (?:contain|hold|have (?:in|inside|on) (?:it|them))",
        rf"{WHICH} (?:else )?(?:{BE} (?:there )?|{SEEN} )?(?:{PARTICIPLE} )?(?P<place>.+)",
        rf"{WHICH} (?P<x>[\w' -]+?) (?:{SEEN}|{BE} there)\b(?P<rest> .+)?|{WHICH} {SEEN}(?P<rest2> .+)?",
        rf"{WHICH} (?P<x>[\w' -]+?) {BE} (?:visible |present |{PARTICIPLE} )?(?P<place>.+)",
        rf"{WHICH} {BE} (?P<x>.+)",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.FREE,
        rf"(?:(?:about|with|from|of|at|in|on|for|to|by) )?(?:{WHICH}|who|whose|whom|why|when|how)\b.+",
    ),
    *_forms(
        QuestionKind.ROOM_KIND,
        AnswerForm.YES_NO,
        rf"{BE} (?:(?:this|the|it) (?:an? )?(?:(?!of\b|in\b|on\b|at\b)\S+ ){{0,2}}{HOME}"
        r"(?: (?:on|in|at|for|a|an)\b.+)?|(?:we|i|you) .+)",
    ),
    *_forms(
        QuestionKind.RELATION,
        AnswerForm.YES_NO,
        rf"(?:{BE}|has|have|would {ONE} find|did {ONE} leave) (?P<predicate>.+)",
        r"(?:do|does) (?P<predicate>.+?) (?:stand|sit|lie|hang|remain|stay) (?P<said>.+)",
    ),
    *_forms(
        QuestionKind.KNOWLEDGE,
        AnswerForm.YES_NO,
        r"(?:do|does|did|can|could|would|will|should|may|might|must|has|have)\b.+",
    ),
)
"""All forms; the first that fits the whole clause decides."""
