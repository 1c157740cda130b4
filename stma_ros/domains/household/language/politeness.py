"""Removes polite and incidental phrases, which do not change a request."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import verbs

_BASE = "(?:" + "|".join(verbs.BASES) + ")"
_ACTION = (
    rf"(?:{_BASE} (?!to\b|of\b|is\b)|make (?:quite |really |absolutely )?(?:sure|certain) |ensure |see to it "
    rf"|take care (?:of|that)\b|come back with "
    r"|have a (?:\w+ )?look |tell me where |let me know where |help (?:me )?|try to |track down )"
)
"""The beginning of what somebody is asked to do."""
_ADDRESSEE = (
    r"(?:robots?|buddy|mate|friend|pal|everyone|folks|guys|dear|dearest|darling|love|honey|sweetheart"
    r"|sweetie|sir"
    r"|madam|butler|computer|machine|assistant|helper|bot)"
)
_BEFORE_REQUEST = (
    rf"(?= (?:please|kindly|you|we|i|it|they|there|could|can|would|will|should|is|are|if|the|a|an|my|our|all|both"
    rf"|every|go|comes?|of all|thing|make|ensure|{_BASE}|where|which)\b|$)"
)
"""Follows an ordinal that numbers a request; before a noun, as in "second mug", it limits which object is meant."""
_WORDS = (
    rf"(?:hey|hi|hello) there|hey|hi|hello|hallo|yo|ok|okay|so|well|(?:pretty )?please(?: to)?|kindly|(?:my |dear |old"
    rf" )?{_ADDRESSEE}(?! car\b)|now"
    r"|then|just|quickly|also|say|listen|oh|ah|alright|sure|yes|yeah|look(?= (?:please"
    r"|here)$)"
    rf"|(?:right|all right|first|second|third|last|next(?! to\b)){_BEFORE_REQUEST}"
    r"|firstly|first of all|secondly|thirdly|finally|lastly|for a start"
    r"|to (?:start|begin) with|after(?:wards?| that)|in the end|and|&|too|as well|again|once more"
    r"|after all"
    r"|good (?:morning|evening|afternoon|day)|excuse me|(?:i am )?(?:so |very |really )?sorry(?: (?:to (?:bother"
    r"|trouble|disturb|interrupt)(?: you)?(?: again)?|for the (?:bother|trouble)))?|pardon|maybe|perhaps|possibly"
    r"|(?:thanks|thank you)(?: (?:a (?:lot|million|bunch)|so much|very much|again|in advance))?|cheers"
    r"|immediately|carefully|gently|simply|today|at once|quietly|actually|quick|quickly|urgently"
    r"|hurry up"
    r"|for me|if you please|(?:go|come|come here|go there|hurry|try|listen|bring|give|fetch|help)$"
    r"|help me(?! (?:out|with)\b)"
    r"|go ahead(?: &)?|be (?:so|very) (?:kind|good|nice)(?! as\b)|before (?:anything|everything|all) else"
    r"|above all|come on|in (?:that|this) order"
    r"|(?:that|it|this) would (?:really )?be (?:\w+ )?\w+$|(?:that|this) (?:is|will be|would be) (?:it|all"
    r"|everything)(?: for(?: (?:now|the moment))?| i need)?$"
    r"|(?:i|we) (?:really )?(?:could|can)(?: really)? (?:use|do with) (?:a|your|some) (?:\w+ )?(?:hand|help)"
    r"(?: (?:with(?: this| that)?|here))?(?: |$)|(?:give|lend) (?:me|us) a (?:\w+ )?hand(?: with)?"
    r"|(?:i|we) (?:really )?(?:need|want|would like) (?:some|your|a little|a bit of) help(?: with)?"
    r"|help (?:me|us)(?: out)? with|(?:i|we) need a (?:\w+ )?hand(?: with)?"
    r"|(?:have|take) a (?:\w+ )?look(?: around)?$"
    r"|but(?= (?:it|they|these|those|this) (?:should|must|needs?|belongs?|ought|has to|have to|goes|go|(?:is|are)"
    r" (?:supposed|meant))\b)|(?:but|so)(?= (?:i|we) (?:need|want|would like|would rather|would prefer) (?:it|them)\b)"
    r"|(?:i|we) (?:would|will) (?:really"
    r" )?appreciate (?:it|that)$"
    r"|(?:i|we) (?:would|will) be (?:\w+ )?(?:grateful|thankful|obliged|happy|glad)$|much (?:appreciated"
    r"|obliged)$|many thanks"
    r"|most importantly"
    r"|be (?:careful|quick|gentle|nice|kind|good|fast)$"
    r"|be an? (?:\w+ )?(?:dear|darling|angel|love|sweetheart|star|pal|good \w+)|do (?:me|us) (?:a|the)"
    r" (?:\w+ )?favou?r"
    r"|while you (?:are|were) (?:at it|there|about it)(?: also)?|i think$|without (?:delay|hesitation)"
    r"|why (?:do not you|not)|you forgot to|as (?:quickly|soon|fast) as (?:you can|possible)|it is about"
    r" time you"
    r"|(?:new |next |your |the )?(?:task|mission|job)|there is also|next up|last but not least"
    r"|(?:(?:please )?(?:do|perform|execute|carry out) )?(?:the following|these|this)(?: \w+)?$"
    r"|(?:your |my |the |next )*(?:steps?|tasks?|jobs?|chores|to ?do(?: list)?|list|plan|instructions?"
    r"|things to do)"
    r"(?: (?:for|of) (?:today|tonight|you|the day|now)| are| is)*$|(?:here|this) is (?:what|the plan"
    r"|your)(?: .*)?$"
)
"""Phrases at the beginning of a clause."""

_CONDITIONS = (
    r"(?:whenever|when|if|as soon as) (?:you|at all|there (?:is|are)"
    r"(?= (?:any |some |a |the )*(?:time|moment|chance|minute|second)))"
    r"(?: (?:please|can|could|would(?: be so kind)?"
    r"|like|wish|possible"
    r"|have|get|got|are|do|not|mind|want|done|ready|free|happen to|a|the|some|time|moment|minute|chance"
    r"|second|sec|spare"
    r"|finished|passing|kindly|find))+(?: |$)(?!to )"
    r"|(?:whenever|when|if|as soon as) (?:it|that) (?:is|would be)(?: (?:please|possible|ready|a|all"
    r"|right|alright|ok|okay"
    r"|fine|not|too|much|big|convenient|inconvenient|trouble|bother|problem|hassle|effort|any|of|to|ask"
    r"|you|for|with"
    r"|an|imposition|asking|so))+(?: |$)"
    r"|if (?:i|we) (?:may|might|can|could)(?: (?:ask|trouble|bother)(?: you)?)?(?: |$)|if possible(?: |$)"
)
"""Polite phrases in the form of a condition."""

_FILLER_WORDS = (
    r"(?:you|can|could|would|will|might|may|should|must|ought|shall|had|better|best|please|kindly|maybe"
    r"|perhaps|possibly"
    r"|just|also|now|quickly|simply|really|actually|always|be|so|very|most|kind|good|nice|great|lovely|as"
    r"|to|able"
    r"|willing|happy|glad|grateful|thankful|pleased|delighted|ever|i|we|it|that|is|are|am|was|were"
    r"|wondering|wonder|hoping"
    r"|hope|wish|wanted|want|need|needed|like|love|appreciate|greatly|ask|asking|asked|request|requested"
    r"|instructed"
    r"|beg|order|expect|trust|urge|advise|remind|require|required|supposed|suggest|propose|recommend"
    r"|insist|if|whether"
    r"|think|suppose|reckon|believe|guess|possible|any|a|the|there|way|chance|possibility|manage|try|get"
    r"|around|for me|help me|for"
    r"|of|help|do|have|care|happen|time|moment|and|&|then|kindness)"
)
_FRAME = re.compile(rf"(?!(?:if|whether|get|try|do not)\b)(?P<frame>(?:{_FILLER_WORDS} )+?)(?={_ACTION})")
_ADDRESSES_ROBOT = re.compile(
    r"\b(?:can|could|would|will|might|may) (?:you|we) (?:please |kindly |maybe |possibly |also |just "
    r"|quickly |then |perhaps "
    r"|now )*$|\b(?:you|we) (?:\w+ )*?(?:can|could|would|will|might|may|should|must|shall|to|better|be so"
    r" kind as)"
    r" (?:please |kindly |maybe |possibly |also |just |quickly |then |perhaps |now |always )*$"
    r"|\bwould (?:\w+ )*if you $|\b(?:suggest|propose|recommend|request|ask|insist|beg|require|think it"
    r" best|is it possible|be possible) (?:that )?you $"
    r"|^you (?:please |kindly )$"
)
_ANY_PERSON = r"(?:someone|somebody|anyone|anybody|one of you)"
_FRAMES = (
    rf"(?:how about|what if|what about|suppose|(?:i|we) suggest) you (?={_BASE} )|if you (?:would|could"
    rf"|can|will) (?={_BASE} )|"
    rf"to (?={_BASE} )"
    rf"|(?:(?:can|could|would|will|may) )?{_ANY_PERSON}(?: please| here)? (?:(?:needs?|has|have|ought|should"
    rf"|must|got)"
    rf" (?:to )?)?(?={_BASE} )"
    r"|(?:would|could|can|will|do|might) you (?:happen to )?(?:know|tell|say|remember|recall|have any"
    r" idea|have an idea)"
    r"(?: me| us)? (?=where|in|which|what|whereabouts)"
    r"|(?:see|check|look) (?:if|whether) you (?:can|could) "
    r"|your (?:next )?(?:task|job|mission|goal)(?: now| today)? is to |(?:try|remember|do not forget) to "
    r"|be sure to |(?:help|assist) me (?:to )?(?=\w+ )"
    rf"|(?:go|come|head over|walk over|start|move)(?: &| and| to| over| back| along| ahead| on| off)*"
    rf" (?={_BASE} )"
    r"(?!(?:start|move)\b)|go (?:&|and) (?=\w)"
    r"|(?:tell|inform|remind|advise) (?:me|us)(?: in| of)? |tell (?=where|in|which)|let (?:me|us) know"
    r" (?!if|whether)|(?:i|we) wonder(?:ed)? (?!if|whether)"
    r"|(?:i am|i was|we are|we were) wondering (?:(?!if|whether)|(?:if|whether) you (?:could|can|would"
    r"|might) )"
    r"|(?:do you have |have you (?:got )?|is there )?(?:any|an|a|some) (?:idea|clue|notion|guess) (?:of"
    r" )?(?=where|in|which)"
    r"|(?:i|we) (?:can not|could not|do not|no longer) (?:really |quite |even )*(?:remember|recall|know"
    r"|have (?:any|a) (?:idea|clue))"
    r" (?=where|in which|which|what)|(?:(?:i|we) have (?:got )?)?no (?:idea|clue) (?=where|in which)"
    r"|(?:is|are) (?:anyone|anybody|someone|somebody|you|there anyone(?: who is)?) (?:here )?(?:able"
    r"|willing|free) to "
    r"|check (?=where|in which)|(?:(?:i|we) )?(?:would like|want|need|would love) to know "
    r"|(?:may|can|could|might) (?:i|we) (?:ask|request|trouble|bother)(?: you)? (?:to|that you) "
    r"|(?:is it|would it be|is there any way) possible (?:for you )?to "
    r"|(?:it|that) (?:would|will) be (?:\w+ )?\w+ (?:of you )?(?:if you (?:would|could|can|will|were to)?"
    r" ?|to (?!me\b|have\b|get\b))"
    r"|(?:i|we) (?:would|will) (?:be (?:\w+ )?\w+|appreciate it|like it|love it)(?: very much| a lot)? if"
    r" you (?:would|could|can|will)? ?"
    r"|it would (?:really )?(?:help|please) (?:me |us )?(?:a lot )?if you "
    r"|be (?:so (?:kind|good|nice)|a \w+|kind enough|good enough)(?: (?:as to|to))? "
    r"|(?:i (?:think|believe|guess|suppose) )?it (?:is|might be|would be|may be) (?:best|better|good|wise"
    r"|important|necessary|time|advisable"
    rf"|a good idea) (?:for you )?to (?={_BASE} )|feel free to |(?:i have|let me) to ask you to |it is"
    rf" (?:high )?time to |time to |let us (?!have)|have a go at "
    r"|(?:can|could|would|will|might|shall|should) (?:you|we) (?:(?:please|kindly|maybe|possibly|also"
    r"|just|quickly|then|perhaps|be so kind"
    r"(?: as to)?|be so good(?: as to)?|be able to|help me(?: to)?|try to|have to|manage to|like to|&)"
    r" )*(?!mind\b|happen\b)"
    r"|you (?:should|must|can|could|may|need to|have to|ought to|might|will|are to|had better) (?:now "
    r"|please |also |maybe )*"
    r"(?!see |find |not\b)(?:want to )?"
    r"|(?:i|we) (?:want|need|would like|wish|ask|expect|would love|would prefer|beg|order|request|urge"
    r"|trust) you to "
    rf"|do (?={_BASE} )|you (?=(?:bring|give|fetch|hand|pass) me )"
)
"""Phrases before a request, which goes on as an imperative or a question."""

_OPENING = re.compile(rf"^(?:(?:{_WORDS})(?: |$)|{_CONDITIONS}|{_FRAMES})")
_PLEASE = re.compile(r"\b(?:please|quick|quickly|at once|immediately|thanks|thank you|now|for me|hurry)\b")
_CLOSING = re.compile(
    r"(?:^| )(?:please|for (?:me|us)|(?<!look )(?<!search )(?<!looking )for (?:him|her|them)|thanks(?: a"
    r" lot| so much)?|thank you(?: very much| so much)?|cheers|(?:right |just )?now"
    r"|right away|immediately|quickly|again|then|today|somewhere|anywhere|around|here|in here|over"
    r" here|around here"
    r"|located|kept|hiding|at the moment|at once|too|as well|also|(?:if|when(?:ever)?|as soon as) (?:there"
    r" (?:is|are) (?:one|any)"
    r"|possible|needed|necessary|you (?:can|could|please|would|will|like|do not mind|have time|are done"
    r"|finish)"
    r"|you (?:have|get) (?:a|the|some) (?:moment|minute|chance|second|time))|after(?:wards?| that)"
    r"|first|straight away"
    r"|carefully|gently|(?:will|would|can|could) you|ok|okay|robot|in the end|in one go|as fast as you can"
    r"|at last|once more"
    r"|before (?:dinner|lunch|bedtime|breakfast|you (?:go|leave|start|sleep|rest|stop|continue)(?: to bed"
    r"| home| out)?|i (?:go|come home|leave))|for (?:tonight|today"
    r"|dinner|breakfast|lunch|the night|now)"
    r"|as usual|one by one|at the end|on your way|will do|, right|when you are done|in time"
    r"|instantly|(?<!be )quick|if not|otherwise|help me|, help|i think|i guess|i believe|if you can|or"
    r" not|by (?:any )?chance|by (?:tomorrow|tonight|noon|the evening|then)|in (?:that|this) order|with you"
    r"|(?<!be a )(?<!be an )(?:my |dear )?(?:love|dear|darling|sweetheart|honey|buddy|mate|pal)"
    r"|for (?:my |our |the )?(?:grandma|grandpa|granny|mum|mom|dad|baby|wife"
    r"|husband|son|daughter"
    r"|sister|brother|neighbours?|neighbors?|boss|family)|for (?:my|our|the) (?:guests?|kids|children|visitors?)"
    r"|as (?:soon|quickly|fast) as (?:you can|possible)|, (?:will|would|can|could) you"
    r"|(?:in|around|inside|throughout) (?:the|this|my|our) (?:house|flat|apartment|home|place|rooms))$"
)


_GERUND_REQUEST = re.compile(
    r"^(?:(?:would|do|could) you mind|i (?:would|will) (?:really )?appreciate (?:you|your)|can (?:i|we) (?:trouble"
    r"|bother) you for)"
    r" (?=(?:making|having|trying|helping|going|coming|ensuring|seeing|checking|telling)\b)"
)
_LEADING_GERUNDS = {
    "making": "make",
    "having": "have",
    "trying": "try",
    "helping": "help",
    "going": "go",
    "coming": "come",
    "ensuring": "ensure",
    "seeing": "see",
    "checking": "check",
    "telling": "tell",
}
_LEADING_GERUND = re.compile(
    r"^(?:making(?= (?:\w+ )?(?:sure|certain)\b)|having(?= a (?:\w+ )?look\b)|trying(?= to\b)|helping(?= (?:me|us)\b)"
    r"|going(?= (?:ahead )?(?:&|and|over|to)\b)|coming(?= back\b)|ensuring\b|seeing(?= to\b)|checking(?= (?:that|if"
    r"|where)\b)"
    r"|telling(?= (?:me|us)\b))"
)
"""Gerunds of verbs that request something only together with the words after them."""


def is_polite(text: str) -> bool:
    """Whether a normalised text contains a phrase that marks a request."""
    return bool(_PLEASE.search(text))


def without_politeness(words: str) -> str:
    """Returns the clause without polite phrases."""
    before = None
    words = " ".join(words.split())
    if re.match(r"(?:before|after) (?!any|every)\w+ing\b", words):
        words = words.split(" ", 1)[1]
    while before != words:
        before = words
        words = _GERUND_REQUEST.sub("", words)
        words = _LEADING_GERUND.sub(lambda match: _LEADING_GERUNDS[match[0]], words)
        words = _without_frame(_CLOSING.sub("", words))
        words = _OPENING.sub("", words).strip()
    return words


def _without_frame(words: str) -> str:
    """Returns "close it" for "I was hoping that you might be able to close it"."""
    frame = _FRAME.match(words)
    return words[frame.end() :] if frame and _ADDRESSES_ROBOT.search(frame["frame"]) else words
