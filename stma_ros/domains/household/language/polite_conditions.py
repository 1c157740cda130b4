"""Recognises the conditions of politeness, which always hold: "when you get a moment", "if I may ask"."""

from __future__ import annotations

from stma_ros.domains.household.language.patterns import BASE

_SPARE = (
    r"(?:(?:a|the|some|few|couple|of|two|three|five|ten|spare|free) )*(?:time|moment|minutes?|chance|second|sec"
    r"|hands?(?: free)?|(?:energy|strength|patience|stamina)(?: left)?)"
)
"""What the robot may have for a task; with "left", time would be a deadline: "when you have ten minutes left"."""
POLITE_CONDITION = (
    r"once you are (?:free|ready|available|back|up|awake|(?:fully )?(?:re)?charged|(?:done"
    r"|finished) (?:re)?charging)(?: |$)"
    r"|(?:whenever|when|if|as soon as) (?:you|at all|there (?:is|are)"
    r"(?= (?:any |some |a |the )*(?:time|moment|chance|minute|second)))"
    rf"(?: (?:please|can|could|would(?: be so kind)?|{_SPARE}"
    r"|like|wish|possible|still"
    r"|have|get|got|are|do|not|mind|want|done|ready|free|happen to"
    r"|spare|charging|charged|recharged|fully"
    r"|busy|too|occupied|available|able|around|finished|passing|kindly"
    r"|find(?= (?:(?:the|some|a|any|few|couple|of|two|three|five|ten) )*(?:time|moment|minute|chance|second))))+"
    rf"(?:$| (?=(?:please|kindly|could|can|would|will|i|we|you|the|my|our|all|both|there|it|then|{BASE}|make|go"
    rf"|come|have|let"
    r"|where|is|are|see|tell|help|get|ensure|check)\b))"
    r"|(?:whenever|when|if|once|as soon as) you (?:get|come|are getting) (?:a)?round to (?:it|that|this)(?: |$)"
    r"|(?:whenever|when|if|as soon as) (?:it|that) (?:is|would be)(?: (?:please|possible|ready|a|all"
    r"|right|alright|ok|okay"
    r"|fine|not|too|much|big|convenient|inconvenient|no|trouble|bother|problem|hassle|effort|any|of|to|ask"
    r"|you|for|with"
    r"|an|imposition|asking|so))+(?: |$)"
    r"|if (?:i|we) (?:may|might|can|could)(?: (?:please|just))?(?: (?:(?:ask|trouble|bother|interrupt|disturb"
    r"|detain|stop)(?: you)?|impose(?: on you)?|presume|(?:be|make) so bold(?: as to (?:ask|say so))?|say so"
    r"|have (?:a (?:quick |brief |little )?word(?: with you)?|your attention(?: please)?)|(?:ask|beg) a favou?r"
    r"(?: of you)?)(?: for (?:a|one) (?:\w+ )?(?:minute|moment|second))?)?(?: |$)|if possible(?: |$)"
)
"""Polite phrases in the form of a condition, at the beginning of a clause."""
