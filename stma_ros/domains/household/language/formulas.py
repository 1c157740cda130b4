"""Recognises clauses of conversation that ask for nothing of a household: "are you busy?", "that should do it"."""

from __future__ import annotations

import re

from stma_ros.domains.household.language.pleasantries import is_pleasantry

_TIME = r"(?:\w+ )?(?:minute|moment|second|sec|time|bit)"
_PLACE = r"(?:the|this|my|our) (?:whole )?(?:place|house|flat|apartment|home|room|kitchen|bedroom|bathroom|living room)"
_NICE = (
    r"(?:(?:nice|tidy|ready|perfect|clean|neat|in order|presentable|cosy|cozy|good|lovely|spotless|pretty|decent"
    r"|right"
    r"|comfortable|sorted|done|finished)(?: and )?)+"
)
_WHEN = r"(?: (?:when|before|by the time|for|until|tonight|today|tomorrow|this|in time|again|now)\b.*)?"

_FORMULAS = (
    # calling
    r"(?:it is )?(?:only )?me(?: again)?|(?:oi|ahoy|ahem|psst|hallo|howdy|greetings|knock knock|hey ho)",
    r"(?:good )?(?:morning|evening|afternoon|night)(?: everyone| all| to you)?",
    r"(?:please |do )?(?:forgive|excuse|pardon)(?: me| us)?(?: for)?(?: (?:the|my|our|this))?(?: \w+)?"
    r" (?:interruption|intrusion|disturbance|interrupting|intruding|disturbing|troubling|bothering|asking"
    r"|butting in|barging in)(?: (?:you|like this|again|once more|at this hour|so (?:early|late|soon)))*",
    r"(?:may|might|can|could) (?:i|we) (?:please )?have a (?:quick |brief |little )?word(?: (?:with you|in your ear))?",
    r"are you (?:busy|there|free|awake|around|ready|listening|available|well|ok|okay|with me)(?: (?:now|today"
    r"|right now))?",
    rf"(?:do you have|have you got|have you|you got) (?:a|some|any)? ?{_TIME}(?: (?:for me|to spare|free"
    rf"|for this))?",
    r"how are you(?: (?:doing|today|keeping))*|(?:i )?hope you are (?:well|fine|good|ok|okay|having .*)",
    r"(?:i am|we are) (?:\w+ )?(?:dead|asleep|run|rushed) (?:on|off) (?:my|our) feet",
    r"(?:at|in|with) (?:my|our) (?:\w+ ){0,2}?(?:age|condition|state|health|backs?|knees?|hips?|joints|legs?)",
    # announcing
    r"(?:next |first |also |still )?on (?:my|the|your|our|today's) (?:\w+ )?(?:list|agenda)(?: (?:(?:for )?(?:today|now"
    r"|tonight)))?|(?:do|get) all (?:of )?(?:that|this|it)(?: done)?(?: for (?:me|us))?"
    r"|(?:just )?(?:two|three|four|five|six) (?:\w+ )?(?:jobs|things|tasks|chores|errands)(?: (?:in all|in total"
    r"|altogether))?",
    r"there is (?:also )?(?:this|that)(?: (?:too|as well|one))?",
    r"there (?:is|are) (?:something|one thing|another thing|a thing|some(?: \w+)? things|a few(?: \w+)? things"
    r"|one more thing"
    r"|a couple of things|(?:a|one|another|some|a few|two|three) (?:\w+ )?(?:jobs?|tasks?|chores?|favou?rs?"
    r"|errands?)) "
    r"(?:that )?(?:(?:(?:i|we) (?:need|want|would like|have)(?: (?:you to do|done|to ask(?: (?:of )?you)?|from"
    r" you|to get done"
    r"|help with|for you))?)|you (?:could|can|should|need to|must|have to|might) (?:do|help (?:me )?with)|for"
    r" you(?: to do)?"
    r"|to (?:do|be done|sort out|get done|take care of)|left|need(?:s|ing)? (?:doing|to be done))(?: (?:here"
    r"|for me|today))?",
    r"(?:i )?(?:need|could use|want) (?:your|some|a bit of|a little)? ?help(?: (?:here|please|with (?:this|that"
    r"|something)|today"
    r"|again))?",
    r"let me (?:tell|show|explain(?: to)?) you (?:what|how|why)\b.*|let me explain",
    r"let us (?:get (?:started|going|to work|(?:some|this|the) (?:work|stuff|things?|jobs?) done|things done|on"
    r" with it|it done)"
    r"|start|begin|go|do (?:this|it)|see)",
    r"(?:it is )?time (?:to|for us to) (?:get (?:things|some work|stuff|started|going|this)(?: done)?|tidy up"
    r"|clean up|start|work)",
    r"(?:here|this|these) (?:is|are|comes?) (?:what|the (?:plan|list|rundown|agenda|schedule|thing|jobs|tasks"
    r"|chores|drill)|your (?:\w+ )?(?:list"
    r"|jobs|tasks?))\b.*",
    r"what (?:an? )?(?:\w+ )?(?:mess|day|chaos|shambles|state)(?: (?:this|it|that) (?:is|has been|was))?",
    r"(?:would|can|could) you (?:believe|imagine) (?:it|that|this)",
    r"you (?:would|will) (?:not|never) (?:believe|guess)\b.*|you (?:can|may) imagine\b.*",
    r"(?:everything|nothing|it all|(?:(?:some|a few|several|many|lots of|a lot of|too many|these|my"
    r"|our) )?things(?: (?:in |around )?here)?|stuff"
    r"|half of it) (?:is|are|looks?|has been|have been|seems?)"
    r" (?:(?:still|again|all) )*"
    r"(?:in the wrong place|out of place|upside down|all over the place|all over|an? (?:\w+ )?mess|in (?:a|an)"
    r" (?:\w+ )?mess"
    r"|everywhere|messy|dirty|chaos|chaotic|where (?:(?:it|they) (?:should be|ought to be|belongs?|goes?)"
    r"|(?:i|we) (?:want|like|need|would like|prefer|put|left) (?:it|them)(?: to be)?)|not where (?:(?:it"
    r"|they) (?:should"
    r" be|ought to be|belongs?|goes?)|(?:i|we) (?:want|like|need|would like|prefer) (?:it|them)(?: to be)?)"
    r"|in (?:its|their|the right) places?)(?: again)?",
    rf"(?:i|we) (?:want|need|would like|would love|have to have) (?:everything|it all|things|{_PLACE}) (?:to"
    rf" (?:look|be|get|feel) )?"
    rf"(?:all |really |nice and )*{_NICE}{_WHEN}",
    rf"{_PLACE} (?:must|should|has to|needs to|ought to) (?:be|look|feel|get) (?:all |really |nice and )*{_NICE}"
    r"(?: (?:by|before|when|for|until|tonight|today|tomorrow|again|now)\b.*)?",
    r"(?:i|we) (?:really )?(?:like|love|prefer|want|would like|need) (?:things|everything|it all|my things|our things)"
    r" (?:to be |kept |to stay )?(?:in (?:(?:its|their|the)(?: \w+)? places?|order)|where (?:it|they) belongs?|tidy"
    r"|neat"
    r"|just so|neat and tidy|organi[sz]ed)"
    r"|(?:i|we) (?:really )?(?:like|love|prefer) (?:an? )?(?:tidy|clean|neat|orderly) (?:place|house|home|flat|room)",
    r"(?:breakfast|lunch|dinner|supper)(?: ?time)?|(?:tea|bed|party|movie|laundry|cleaning|tidying)(?: ?time"
    r"| night| day)",
    r"(?:what|all) (?:i|we) (?:would like|want|need|ask|expect|require)(?: (?:to have|done|from you|of you|you to do"
    r"|for you to do|to be done|today|now|right now|next|first))* is (?:this|the following|as follows)",
    r"(?:several|some|a few|two|three|four|five|a couple of|a lot of|lots of|plenty of|many|a number of|\d) (?:\w+ )?"
    r"(?:things|jobs|tasks|chores|bits|errands|bits and pieces|odds and ends) (?:still )?(?:have to|need to|must|should"
    r"|ought to|are to|need|want)(?: (?:be|get))? (?:done|doing|seen to|seeing to|sorted(?: out)?|sorting(?: out)?"
    r"|taken care of|attended to|looked after|dealt with|finished|happen)(?: (?:here|today|now|for me|right now))*",
    r"(?:you|i|we) (?:have|have got|got) (?:a few|some|several|one|two|three|four|five|a couple of"
    r"|\d) (?:\w+ )?(?:jobs?|tasks?|things?|chores?"
    r"|errands?|requests?)(?: (?:to do|for you(?: to do)?|today|now|here|left))*",
    r"(?:i|we) (?:need|want|would like|have) (?:a few|some|several|two|three|four|five|a couple of"
    r"|\d) (?:\w+ )?(?:things?|jobs?|tasks?)"
    r" (?:done|doing|to be done|sorted(?: out)?|moved|taken care of)(?: (?:here|today|now|for me))*",
    r"(?:you (?:need|do) not (?:have to |need to )?|no need to |there is no need to )(?:hurry|rush|worry|stress)",
    r"what an? (?:\w+ )?\w+ (?:that|this|it) (?:is|was)",
    r"welcome(?: back| home)?|one more time|ta|great|have fun|(?:and )?(?:nothing|no more)(?: (?:else"
    r"|more))?(?: for (?:now|today))?",
    r"tell you what|that means|here goes|drop everything|good luck|hold on a (?:second|minute|moment)",
    r"(?:i|we) (?:need|want|could (?:use|do with)) you(?: (?:here|now|for an? (?:\w+ )?(?:moment|second|minute"
    r"|bit)))*",
    r"(?:can|could|may) (?:i|we) (?:borrow|interrupt|have|bother) you(?: for an? (?:\w+ )?(?:moment|second|minute"
    r"|bit))?",
    r"time for (?:(?:some|a few|a bit of|your|the) )?(?:\w+ )?(?:chores?|work|jobs?|tasks?|tidying|cleaning"
    r"|housework)(?: up)?|g'day",
    r"(?:and )?(?:do not|never) forget(?: (?:it|that|this))?|(?:and )?remember(?: (?:it|that|this))?"
    r"|without further ado",
    r"(?:i|we) do not feel like (?:\w+ ?){1,2}|(?:i|we) can (?:barely|hardly) .+",
    # closing
    r"(?:call|ping|text|message|tell|find|shout at|notify) (?:me|us) (?:when|once|as soon as|if) .*(?:done"
    r"|finished|ready|over"
    r"|questions?|problems?|trouble|wrong|stuck|help)|(?:give|drop) me a (?:shout|call|message|note) (?:when"
    r"|once|if)\b.*",
    r"let (?:me|us) know (?:how it goes|if (?:there (?:is|are)|you (?:have|need|run|get))\b.*)",
    r"(?:the )?(?:sooner|quicker|faster) the better",
    r"(?:that|this|it) (?:should|will|would|ought to) (?:do|be (?:all|it|enough|everything))(?: (?:it|the"
    r" (?:trick|job)|for"
    r" (?:now|today)|then|nicely))*",
    r"(?:do not|try not to|be careful not to) (?:break|drop|spill|damage|scratch|bump into|knock over|trip over"
    r"|make|wake)"
    r" (?:anything|anyone|anybody|it|them|any of (?:it|them)|a (?:mess|noise)|something|(?:the|my|our) (?:baby"
    r"|kids?|children))"
    r"(?: up| down| over)?",
    r"(?:mind|watch) (?:your|the) (?:step|head)|watch out|easy does it|steady|careful|handle with care",
    r"(?:does|did) (?:that|this|it) make sense|(?:is|would) (?:that|this|it)(?: be)? (?:ok|okay|clear|alright"
    r"|all right|possible|fine"
    r"|too much|doable|understood)(?: (?:for|with) you| to ask)?|(?:have|did) you (?:got|get|understood"
    r"|understand) (?:that|it|me"
    r"|all (?:that|of that))|(?:all )?(?:clear|understood|got it|good|right|set|ready)",
    r"you (?:would|will) be doing (?:me|us) a (?:\w+ )?favou?r",
    r"(?:can|could|will|would) you (?:manage|handle) (?:that|this|it|all of (?:that|this|it)|all that)(?: for me)?",
    r"(?:i|we) (?:know|am sure|trust) (?:i|we|you) can (?:count on|rely on|trust|manage|do)\b.*",
    r"(?:and )?(?:do not|no need to) (?:worry|bother)(?: (?:about (?:it|the (?:rest|mess|time)|anything else)"
    r"|if\b.*))?",
    r"(?:off|here) you go|over to you|get to it|chop chop|go go go|make it (?:quick|snappy)|look (?:alive|sharp"
    r"|lively)",
)
_FORMULA = re.compile("|".join(f"(?:{formula})" for formula in _FORMULAS))


def is_formula(clause: str) -> bool:
    """Whether a clause is conversation around requests."""
    return is_pleasantry(clause) or bool(_FORMULA.fullmatch(clause))
