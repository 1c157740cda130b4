"""Removes polite and incidental phrases, which do not change a request."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import frames, judgements, matrix_clauses, verbs
from stma_ros.domains.household.language.formulas import is_formula
from stma_ros.domains.household.language.patterns import ACTION, BASE, MODAL
from stma_ros.domains.household.language.pleasantries import ADDRESSEE
from stma_ros.domains.household.language.polite_conditions import POLITE_CONDITION

_BEFORE_REQUEST = (
    rf"(?= (?:please|kindly|you|we|i|it|they|there|could|can|would|will|should|is|are|if|the|a|an|my|our|all|both"
    rf"|every|go|comes?|thing|see|check|have|let|tell|make|ensure|{BASE}|where|which|help|try|(?:on|off|out"
    rf"|away) with)\b|$)"
)
"""Follows an ordinal that numbers a request; before a noun, as in "second mug", it limits which object is meant."""
_WORDS = (
    rf"(?:hey|hi|hello) there|hey|hi|hello|hallo|yo|ok|okay|so|well|like|listen up|right then|(?:pretty"
    rf" )?please(?: to| you(?= {BASE} ))?|kindly|(?!my [a-z]+ "
    rf"(?:{'|'.join(verbs.SAME_IN_THE_PAST)}) )(?:my |dear |old"
    rf" )?{ADDRESSEE}(?! (?:car|is|are|has|was|needs|wants|will)\b)|now"
    r"|then|just|quickly|also|say|listen|oh|ah|alright|sure|yes|yeah|look(?= (?:please"
    r"|here)$)"
    rf"|(?:right|all right|first|second|third|last|next(?! to\b)){_BEFORE_REQUEST}"
    r"|(?:but )?(?:at some point|some time|sometime|eventually|by all means|at your (?:earliest )?(?:leisure"
    r"|convenience)|whenever it"
    r" suits you)(?= )"
    rf"|but(?= (?:please )?{BASE} )|but(?= (?:the|my|our|all|both) [^&]*? (?:{MODAL}|belongs?|goes) )"
    r"|but(?= (?:there is no (?:rush|hurry|need to)|no (?:rush|hurry)|(?:i|we) (?:can not|could not) find"
    r"|please|could you|can you|would you|will you|where|have you|do you|is there|could i|first|also)\b)|meanwhile"
    r"|in the meantime|at the same time"
    r"|first off(?! with\b)"
    r"|first up|(?:first|second|third|fourth) of all|of all things|upon completion|for good measure|equally"
    r"|moving (?:right )?along"
    r"|both(?= \w+ing (?:the|my|our|all|an?)\b)|firstly|secondly|thirdly|finally|lastly|for a start"
    r"|to (?:start|begin) with|after(?:wards?| that)|in the end|and|&|too|as well|again|once more"
    r"|after all"
    r"|good (?:morning|evening|afternoon|day|night)|sleep well|bye(?:-bye)?|goodbye|excuse me|(?:i am )?(?:so "
    r"|very |really )?sorry(?: (?:to (?:bother"
    r"|trouble|disturb|interrupt)(?: you)?(?: again)?|(?:for|about) [^&]+$|to (?:ask|be a bother|keep"
    r" asking)))?|pardon(?: me)?|maybe|perhaps|possibly"
    r"|(?:thanks|thank you|cheers)(?: (?:a (?:lot|million|bunch)|so much|very much|again|in advance))?(?: for"
    r" (?:your|the|all|\w+ing"
    r"|doing|being|taking)\b[^&]*$)?"
    r"|you (?:are|will be) (?:\w+ )?(?:kind|nice|sweet|helpful|good|great|welcome|an? \w+|the best)$"
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
    r"|(?:i|we) (?:really )?(?:need|want|would like|could use|could do with) (?:some|your|a little|a bit of)"
    r" help(?: with (?:something|this|that|a few things|some"
    r" things|a couple of things|a thing)$| with)?"
    r"|(?:i|we) (?:need|want|could use|could do with) (?:some |your |a little )?help(?: in| with)?(?= \w+ing )"
    r"|help (?:me|us)(?: out)? with|(?:i|we) need a (?:\w+ )?hand(?: with)?"
    r"|(?:have|take) a (?:\w+ )?look(?: a?round| about)?$"
    r"|but(?= (?:it|they|these|those|this) (?:should|must|needs?|belongs?|ought|has to|have to|goes|go|(?:is|are)"
    r" (?:supposed|meant))\b)|(?:but|so)(?= (?:i|we) (?:need|want|would like|would rather|would prefer) (?:it"
    r"|them)\b)"
    r"|(?:i|we) (?:would|will) (?:really"
    r" )?appreciate (?:it|that)$"
    r"|(?:i|we) (?:would|will) be (?:\w+ )?(?:grateful|thankful|obliged|happy|glad)$|much (?:appreciated"
    r"|obliged)$|many thanks"
    r"|in addition to(?= \w+ing )|while you are doing (?:that|so|it|this)|as (?:a|the) (?:\w+ )?(?:step|thing"
    r"|task|job)|moving on"
    r"|(?:there is )?(?:something|anything|one(?: \w+)?) (?:else|other thing)$"
    r"|likewise|similarly|by the way|incidentally"
    r"|(?:in addition(?! to\b)|additionally|furthermore|moreover|another thing|one (?:more|last|final) thing|to"
    r" finish(?: off| up)?|on top of that"
    r"|besides(?: that| this)?|apart from that|up|attention|help (?:me|us) out)(?= |$)"
    r"|what an? (?:\w+ )?(?:day|mess|week|night|morning|evening|relief|pity|shame|nuisance|surprise|life)$"
    r"|(?:well|good|nice|great) (?:job|done|work)$|(?:you|we) (?:can|may) (?:rest|relax|stop|take a break)$|we"
    r" are done$"
    r"|(?:let me know|tell me|have (?:a|an) (?:nice|good|great|lovely|wonderful) \w+|see you(?: \w+)?)$"
    r"|take your time$|you have (?:got )?(?:time|a (?:minute|moment|second))(?: for [^&]*)?$|(?:there is )?no"
    r" (?:rush|hurry|worries|pressure|stress|need to (?:rush|hurry|worry))$|(?:tell|let) me"
    r" (?:know )?(?:when|once|as soon as) you (?:are|have)"
    r" (?:done|finished|ready)$|(?:i|we) (?:owe|thank) you(?: one| a lot| so much| big time)?$"
    r"|(?:it is )?(?:\w+ (?:time|night|day)|bedtime|dinnertime|lunchtime)$"
    r"|most importantly|(?:the )?thing is|here is the thing|you know(?: what)?$|you see$|guess what|done$|that"
    r" is (?:it|all)$|omg|oh (?:dear|my|no|boy)|got a (?:minute|moment|second)"
    r"|my (?:good |dear |old )?(?:man|woman|fellow|friend)$"
    r"|be (?:careful|quick|gentle|nice|kind|good|fast)$"
    r"|be an? (?:\w+ )?(?:dear|darling|angel|love|sweetheart|star|pal|good \w+)|do (?:me|us) (?:a|the)"
    r" (?:\w+ )?favou?r"
    r"|any(?: one| of them)? (?:will do|is fine|works)$|any one$|(?:it|i) (?:does|do) not (?:matter|care|mind)"
    r" which(?: one)?$"
    r"|(?:while|since|as) you (?:are|were) (?:at it|there|about it|up|passing|nearby|going there)(?: also|"
    r" anyway)?|i think$|without (?:delay|hesitation)"
    r"|why (?:do not you|not)|you forgot to|as (?:quickly|soon|fast) as (?:you can|possible)|it is about"
    r" time you"
    r"|(?:new |next |your |the )?(?:task|mission|job)|there is also|there is (?:only|just|still)(?= .* to \w+)"
    r"|next up|last but not least"
    r"|do (?:not )?(?:(?:two|three|four|five|six|a few|a couple of|several|some|one|a|another|\d) (?:\w+"
    r" )?(?:things?|jobs?"
    r"|tasks?|chores?|errands?)(?: (?:for|to help) (?:me|us))?$|(?:hurry|rush|worry|panic)$)"
    r"|(?!clean$)(?:tidy|clean|clear|straighten|sort)(?: up| round| around| away| back| out|(?: (?:a few|some|several"
    r"|a couple of|a lot of"
    r"|these|all these))? (?:things|items|bits(?: and pieces)?|odds and ends))*(?: in here| here| around here| a"
    r" (?:little|bit))*$"
    r"|(?:(?:please )?(?:do|perform|execute|carry out) )?(?:the following|these|this)(?: \w+)?$"
    r"|(?:your |my |the |next )*(?:steps?|tasks?|jobs?|chores|to ?do(?: list)?|list|plan|instructions?"
    r"|things to do)"
    r"(?: (?:for|of) (?:today|tonight|you|the day|now)| are| is)*$|(?:here|this) is (?:what|the plan"
    r"|your)(?: .*)?$"
)
"""Phrases at the beginning of a clause."""

_ANY_PERSON = r"(?:someone|somebody|anyone|anybody|one of you)"
_FRAMES = (
    rf"(?:how about|what if|what about|suppose|(?:i|we) suggest) you (?={BASE} )|if you (?:would|could"
    rf"|can|will) (?={BASE} )|"
    rf"to (?={ACTION})"
    rf"|(?:can|could|would|will|may)(?: not)? {_ANY_PERSON}(?: please| here)? (?={ACTION})"
    rf"|{_ANY_PERSON}(?: please| here)? (?:(?:needs|has|ought|got) to|should|must) (?={ACTION})"
    rf"|{_ANY_PERSON} please (?={ACTION})"
    rf"|{_ANY_PERSON} (?:please )?(?=(?!(?:{'|'.join(verbs.SAME_IN_THE_PAST)}) ){BASE} )"
    r"|(?:would|could|can|will|do|might) you (?:happen to )?(?:know|tell|say|remember|recall|have any"
    r" idea|have an idea)"
    r"(?: me| us)? (?=where|in|which|what|whereabouts)"
    r"|(?:see|check|look) (?:if|whether) you (?:can|could) "
    r"|your (?:next )?(?:task|job|mission|goal)(?: now| today)? is to |(?:try|remember|do not forget) to "
    rf"|be sure to |mind(?: that)? you (?=(?:{BASE}|make) )|(?:help|assist) me (?:to )?(?=\w+ )"
    rf"|(?:go|come|head over|walk over|start|move)(?: &| and| to| over| back| along| ahead| on| off)*"
    rf" (?={ACTION})"
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
    r"|it would (?:really )?(?:help|please) (?:me |us )?(?:a lot )?if you "
    r"|be (?:so (?:kind|good|nice)|a \w+|kind enough|good enough)(?: (?:as to|to))? "
    r"|(?:i (?:think|believe|guess|suppose) )?it (?:is|might be|would be|may be) (?:best|better|good|wise"
    r"|important|necessary|time|advisable"
    rf"|a good idea) (?:for you )?to (?={BASE} )|feel free to |(?:i have|let me) to ask you to |it is"
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
    r"|(?:find|take|spare|make)(?: (?:me|us))? (?:an?|some|the) (?:\w+ )?(?:moment|minute|second|time|while) (?:to "
    r"|and |& )"
    rf"(?={ACTION})|do (?={ACTION})|you (?=(?:bring|give|fetch|hand|pass) me )"
)
"""Phrases before a request, which goes on as an imperative or a question."""

_OPENING = re.compile(rf"^(?:(?:{_WORDS})(?: |$)|{POLITE_CONDITION}|{_FRAMES})")
_PLEASE = re.compile(r"\b(?:please|quick|quickly|at once|immediately|thanks|thank you|now|for me|hurry)\b")
_CLOSING = re.compile(
    r"(?:^| )(?:please|(?:so )?many thanks|for (?:me|us)|(?<!look )(?<!search )(?<!looking )for (?:him|her"
    r"|them)|thanks(?: a"
    r" lot| so much)?|thank you(?: very much| so much)?|cheers|(?:right |just )?now"
    r"|right away|instead|immediately|quickly"
    r"|(?<!is open )(?<!are open )(?<!is on )(?<!are on )(?<!is off )(?<!are off )again|then|today|somewhere"
    r"|anywhere(?: yet)?|this time|do you think"
    r"|around|(?<!from )here|in here|over"
    r" here|around here"
    r"|located|kept|hiding|at the moment|at once|too|as well|also|(?:if|when(?:ever)?|as soon as) (?:there"
    r" (?:is|are) (?:one|any)"
    r"|possible|needed|necessary|you (?:can|could|please|would|will|like|do not mind|have time|are done"
    r"|finish)"
    r"|you (?:have|get) (?:a|the|some) (?:moment|minute|chance|second|time))|after(?:wards?| that)?"
    r"|first|straight away"
    r"|carefully|gently|(?:will|would|can|could) you|ok|okay|robot|in the end|in one go|as fast as you can"
    r"|at last|once more"
    r"|before (?:dinner|lunch|bedtime|breakfast|you (?:go|leave|start|sleep|rest|stop|continue)(?: to bed"
    r"| home| out)?|i (?:go|come home|leave))|for (?:a change|tonight|today"
    r"|dinner|breakfast|lunch|the night|now)"
    r"|(?:have|has|do|does|did|is|are|can|could|will|would|should) not (?:you|we|it|they|i)|by now|for a"
    r" (?:little )?(?:while|bit)|at this (?:hour|time)(?: of (?:the )?(?:day|night))?|while you are (?:at it"
    r"|there|about it|up)|(?:out|up|down|back) here"
    r"|as usual|at your (?:earliest )?(?:leisure|convenience)|one by one|at the end|on your way|will do|, right"
    r"|when you are done|in time"
    r"|any ?more|any longer|when you (?:leave|go|come out|are done|come back)|on your (?:rounds?|travels|tour)"
    r"|instantly|(?<!be )quick|if not"
    r"|otherwise|help me|, help|i think|i guess|i believe"
    r"|pretty please(?: with (?:sugar|cream|honey|cherries|a cherry|sprinkles) on (?:the )?top)?|before (?:you|i"
    r"|we) forget|(?:and )?that is all i (?:ask|need|want)|as a favou?r(?: (?:to|for) (?:me|us))?"
    r"|before anything else|for a start"
    r"|(?:when|once|after|as soon as) you (?:are|have) (?:done|finished|ready|through)|if you can|or"
    r" not|by (?:any )?chance|by (?:tomorrow|tonight|noon|the evening|then|now|(?:dinner|lunch|bed|breakfast"
    r"|supper) ?time)|in (?:that|this) order|with you"
    r"|(?<!be a )(?<!be an )(?:my |dear )?(?:love|dear|darling|sweetheart|honey|buddy|mate|pal)"
    r"|for (?:my |our |the )?(?:grandma|grandpa|granny|mum|mom|dad|baby|wife"
    r"|husband|son|daughter"
    r"|sister|brother|neighbours?|neighbors?|boss|family)|for (?:my|our|the) (?:guests?|kids|children|visitors?)"
    r"|as (?:soon|quickly|fast) as (?:you can|possible)|, (?:will|would|can|could) you"
    r"|(?:in|around|inside|throughout) (?:the|this|my|our) (?:house|flat|apartment|home|place|rooms))$"
)


_GERUND_REQUEST = re.compile(
    r"^(?:(?:would|do|could) you mind(?: awfully| terribly| very much| too much| at all)?|i (?:would|will)"
    r" (?:really )?appreciate (?:you|your)|can (?:i|we) (?:trouble"
    r"|bother) you for)"
    r" (?=(?:making|having|trying|casting|helping|going|coming|ensuring|seeing|checking|telling)\b)"
)
_LEADING_GERUNDS = {
    "making": "make",
    "having": "have",
    "trying": "try",
    "casting": "cast",
    "helping": "help",
    "going": "go",
    "coming": "come",
    "ensuring": "ensure",
    "seeing": "see",
    "checking": "check",
    "telling": "tell",
}
_LEADING_GERUND = re.compile(
    r"^(?:making(?= (?:\w+ )?(?:sure|certain)\b)|having(?= (?:a (?:\w+ )?look|the|my|our|all|both|every)\b)"
    r"|trying(?= to\b)|helping(?= (?:me|us)\b)|casting(?= an eye\b)"
    r"|going(?= (?:ahead )?(?:&|and|over|to|through)\b)|coming(?= back\b)|ensuring\b|seeing(?= (?:to|that|if you"
    r" can)\b)|checking(?= (?:that|if"
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
        if is_formula(words):
            return ""
        before = words
        words = frames.without_condition(judgements.plain_wish(words))
        words = _GERUND_REQUEST.sub("", words)
        words = _LEADING_GERUND.sub(lambda match: _LEADING_GERUNDS[match[0]], words)
        words = _without_frame(_CLOSING.sub("", words))
        words = judgements.without_thought(_OPENING.sub("", words).strip())
        words = judgements.without_comment(words)
    return words


def _without_frame(words: str) -> str:
    """Returns "close it" for "I was hoping that you might be able to close it"."""
    request = matrix_clauses.REQUEST.match(words)
    if request:
        rest = words[request.end() :]
        doing, did = request["doing"], request["did"]
        return (
            (verbs.GERUNDS.get(doing) or "come")
            if doing
            else (verbs.PARTICIPLES.get(did) or verbs.PASTS[did])
            if did
            else ""
        ) + rest
    return frames.requested(words)
