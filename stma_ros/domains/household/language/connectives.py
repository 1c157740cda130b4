"""Reads the words that link sentences: those of a sequence become "then", those that only add are left out.

They are read by their parts: an ordinal with a noun ("as a next step", "the last thing to do is to"), or a clause about
what has been done before ("once everything else is taken care of", "with that out of the way").
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language.patterns import ACTION, BASE, GERUND

_START = r"(?:(?<=^)|(?<=[.;:,] )|(?<=\band )|(?<=\bbut ))"
_DOING = rf"(?:{GERUND}|coming(?= back\b))"
_THAT = (
    r"(?:(?:all|both) (?:of )?)?"
    r"(?:that|this|it|these|those|they|everything(?: else)?|the (?:rest|first one|above)|so)"
)
_DONE = (
    r"(?:done|finished|completed|ready|sorted(?: out)?|settled|over|through|taken care of|out of the way|dealt with"
    r"|accomplished|complete|under control|squared away|wrapped up|ticked off|crossed off|in hand|seen to|attended to"
    r"|behind (?:you|us)|off (?:your|the|my) (?:list|plate|hands)|handled|tackled|all set|put right|in place)"
)
_WHEN = r"(?:once|when|after|as soon as|if|now that|the moment)"
_NOUN = r"(?:things?|steps?|tasks?|jobs?|items?|points?|one|chores?|errands?|requests?)"
_ORDINAL = r"(?:next|second|third|fourth|fifth|following|further|last|final|very last)"

_SEQUENCE = re.compile(
    rf"{_START}(?:"
    # "once that is taken care of", "with everything else done", "having done all this"
    rf"{_WHEN} {_THAT} (?:is|are|has been|have been)(?: all)? {_DONE}"
    rf"|{_WHEN} (?:you (?:have|are) )?(?:all )?{_DONE}(?: (?:with|doing) {_THAT}| {_THAT}| there| here"
    rf"| with the rest)?"
    rf"|{_WHEN} you (?:have |had |get |got |have got |are )*{_THAT}(?: all)? {_DONE}"
    rf"|{_WHEN} you have (?:got |found |reached |picked up )?(?:it|them|that|those)"
    rf"|with {_THAT} {_DONE}|{_THAT} {_DONE}|having (?:done|finished|completed) {_THAT}"
    rf"|after {_THAT}|following {_THAT}|from there|after everything|afterwards?|subsequently|thereafter|thereupon"
    r"|(?:and )?to (?:finish|conclude|complete|round|wrap|top|cap|close|end)"
    r"(?: (?:it|this|that|things|everything|all this))?(?: all)?"
    r"(?: (?:off|up|out|with))?(?! (?:the|my)\b)"
    r"|in (?:closing|conclusion)|as (?:a|the) (?:finishing|final|last|closing) touch"
    r"|later(?: on)?|ultimately|eventually|right after(?: that)?|immediately after(?:wards)?(?: that)?"
    # "as a next step", "the last thing to do is to", "second on the list"
    rf"|(?:(?:as|for) )?(?:the |your |my |a |an |and )?{_ORDINAL} {_NOUN}(?: (?:to do|on (?:the|your|my) list"
    r"|(?:i|we) (?:want|need|would like)(?: you to do)?))?(?: (?:is|would be|will be)(?: to)?)?"
    rf"|{_ORDINAL} on (?:the|your|my) list(?: is(?: to)?)?"
    rf")(?:\s*[,:.]\s*| (?=(?:please|could|can|would|i|you|we|the|my|{BASE}|make|go|to)\b))(?:then )?"
)
_ADDITION = re.compile(
    rf"{_START}(?:(?:oh|ah|and|so|ok|okay)[ ,]+)*(?:"
    r"(?:in addition|additionally|besides|apart|aside|as well as|on top of|along with|other than|beyond)"
    r"(?: (?:to|from|of))?(?: (?:that|this|it|all (?:of )?(?:that|this)|those|these|which))?"
    r"|pp?s|nb|what is more|moreover|furthermore|likewise|similarly|not to forget|not to be forgotten|let us not forget"
    r"|speaking of which|while (?:you are|we are) (?:at it|on the subject)|by the way|incidentally|anyway|anyhow"
    r"|in any case|before i forget|(?:that |which )reminds me(?: of something)?"
    r"|i (?:almost|nearly) forgot(?: to (?:say|mention|ask|tell you))?"
    r"|(?:there is )?(?:one|another|a) (?:(?:more|last|final|further|additional|other) )*(?:small |little |quick )?"
    r"(?:thing|favou?r|job|request|task|point|item|matter|chore|errand|wish|note)(?: (?:for you|to do|though|i need))?"
    r"|first and foremost|for starters|for a start|hence|therefore|thus|so then|that being said"
    r"|having said that|that said|as i said"
    r"|of course|obviously|naturally|as (?:always|usual|ever)|for once|just (?:to be sure|in case)|in that case"
    r"|mind you"
    r"|as (?:agreed|discussed|promised|mentioned|arranged|planned|requested|explained|instructed|you know|we (?:agreed"
    r"|discussed|said|planned|arranged))(?: (?:before|earlier|yesterday|already))?|for the sake of (?:(?:my|our|the"
    r"|good|your|everyone's) )*[a-z]+"
    r"|on (?:a|an|another) (?:\w+ )?note|not only that|in the same (?:vein|spirit|breath)|for (?:my|heaven's|pity's"
    r"|goodness'?|once) sake|before (?:you do )?anything else"
    r"|on your (?:next (?:round|way|trip|tour|patrol)|way(?: (?:past|through|out|back))?|rounds|travels)"
    r"|carry on as you were|if there is nothing else(?: to do)?|at your convenience|instead"
    r")\s*[,:.;]\s*(?:but )?"
)
_PART = r"(?:jobs?|steps?|tasks?|things?|items?|points?|parts?|chores?|errands?|requests?|priority|order of business)"
_TO_DO = (
    r"(?:(?:to do|for you(?: to do)?|on (?:the|your|my) list|of these|i (?:need|want)(?: you to do)?|here) )*"
)
_MOVING = (
    r"(?:go|walk|head|drive|wander|run|proceed|roll|nip|pop|dash|step|stroll|move|travel)(?:ing)?"
    r" (?:(?:over|across|back|up|down|out|along) )*(?:to|into)\b"
)
_ENUMERATED = re.compile(
    rf"{_START}(?:then ,? ?)?(?:(?:the |your |a )?(?:{_PART} (?:number |no )?|number )"
    r"(?P<number>one|two|three|four|five|\d)"
    rf"|(?:the|your|a) (?P<ordinal>first|second|third|fourth|fifth|next|last|final|other)(?: {_PART}| one)?)"
    rf" {_TO_DO}"
    rf"(?:is|will be|would be)(?: then)? (?:to |for you to |that you )?"
    rf"(?=(?:please )?(?:{ACTION}|{_DOING} |{_MOVING}))"
)
"""What is numbered: "step one is to ...", "your second job is ..."."""
_JOBS_ARE = re.compile(
    rf"{_START}(?:(?:the|your) (?:[\w-]+ )?(?:jobs?|tasks?|chores|duties|mission|assignments?|to-?dos?)|(?:the|your|my)"
    r" (?:[\w-]+ )?(?:instructions|orders|wishes|requests))(?: (?:for )?(?:today|now|tonight))? (?:are|will be"
    r"|would be)"
    rf"(?: first)? (?:to )?(?={ACTION}|{_DOING} )"
)
_IF_FIRST = re.compile(
    rf"{_START}if you (?P<a>{ACTION}[^.;:]*?) first ?, (?:then )?you can (?:then )?(?P<b>{ACTION}[^.;:]*?)"
    r"(?: (?:afterwards|then|after that|later|next))?(?=\s*(?:[.;]|$))"
)
_NUMBERED = re.compile(
    rf"{_START}(?:{_PART} (?:number )?|number )(?P<number>one|two|three|four|five|\d) ?[,:] (?=\w)"
)
_TODAY = re.compile(
    rf"{_START}(?:(?:today's|tonight's|this (?:morning|evening|afternoon)'s|the (?:main|most important|only"
    rf"|one)) (?:[\w-]+ )?"
    rf"{_PART}|(?:at the )?(?:top|first|next|high)(?: thing)? (?:of|on) (?:the|your|my|today's) (?:list|agenda|plan"
    rf"|to-?do list))"
    rf" (?:is|will be|comes) (?:to )?(?={ACTION}|{_DOING} )"
)
_COMES_FIRST = re.compile(
    rf"(?P<start>^|[.;:,] (?:and |then )?|\b(?:oh|so|and|then|also|plus) )(?P<do>{_DOING} (?:(?! comes )[^.;:])*?)"
    r" (?:comes|goes|has to come|must come|should come)"
    rf" (?:first(?: of all)?(?=\s*(?:[.,;:]|and\b|$))|(?P<before>before|after) (?={_DOING} ))"
)
_COMES_NEXT = re.compile(
    rf"(?:(?<=\w)|(?<=[,;.])) ?(?:and |then )*(?P<do>{_DOING} (?:(?! comes )[^.;:])*?) (?:comes|goes|has to come"
    r"|must come|should come) (?:second|third|fourth|next|last|after that|afterwards|later)(?=\s*(?:[.,;:]|and\b|$))"
)
_FIRST = ("one", "1", "first", "other")
_ONLY_THEN = re.compile(
    r" ?,? (?:and |but )*(?:only|not before|not until)(?: right)? (?=(?:then|after(?:wards?| that| this))\b)"
)
_NOT_ONLY = re.compile(r"\bnot only (?=\w+)(?P<a>[^.;]+?),? but (?:also )?(?:please )?")
_AND_TO_END = re.compile(r"\band to (?=(?:end|finish|conclude|close|wrap up|round off) (?:by|with) )")
_BEFORE_STOPPING = re.compile(
    r" ?[,.]? (?:and |but )?before you (?:stop|finish|rest|clock off|sign off|shut down|call it a day|knock off"
    r"|are done"
    r"|go back to (?:sleep|charging|your \w+))(?: (?:though|then|for (?:today"
    r"|now)))? ?, (?=(?:please )?(?:could you |can you )?"
    rf"(?:{ACTION}))"
)
_TO_FINISH = re.compile(
    r"(?<=\w) to (?:finish|round things|finish things|top it all)(?: (?:off|up))?(?=\s*(?:[.;]|$))"
)
_BESIDES = re.compile(
    rf"{_START}(?:besides|apart from|aside from|in addition to|on top of|as well as"
    rf"|along with) (?P<do>{_DOING} [^,.;]+?), "
)


def plain(text: str) -> str:
    """Returns a normalised text with "then" for the words of a sequence, and without those of an addition."""
    text = _TO_FINISH.sub("", _AND_TO_END.sub("and ", _BEFORE_STOPPING.sub(" . then , ", text)))
    text = _BESIDES.sub(r"\g<do> , and ", text)
    text = _NOT_ONLY.sub(r"\g<a> and ", text)
    text = _ADDITION.sub("", text)
    text = _ONLY_THEN.sub(" , ", text)
    text = _COMES_NEXT.sub(r" , then \g<do>", text)
    text = _COMES_FIRST.sub(lambda m: f"{m['start']}{m['do']} {m['before'] or ''} ", text)
    text = _NUMBERED.sub(lambda m: "" if m["number"] in _FIRST else "then , ", _TODAY.sub("", text))
    text = _IF_FIRST.sub(r"\g<a> , then \g<b>", _JOBS_ARE.sub("", text))
    text = _ENUMERATED.sub(lambda m: "" if (m["number"] or m["ordinal"]) in _FIRST else "then , ", text)
    return _SEQUENCE.sub("then , ", text)
