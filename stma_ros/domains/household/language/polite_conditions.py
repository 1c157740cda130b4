"""Recognises the conditions of politeness, which always hold: "when you get a moment", "if I may ask"."""

from __future__ import annotations

from stma_ros.domains.household.language.patterns import BASE

_TIME = r"(?:time|moments?|minutes?|chance|seconds?|sec)"
_ENERGY = r"(?:energy|strength|patience|stamina|charge)"
_SOME = r"(?:the|a|an|any|some|few|couple|of|two|three|five|ten|spare|free)"

POLITE_CONDITION = (
    r"once you are (?:free|ready|available|back|up|awake|(?:fully )?(?:re)?charged|(?:done"
    r"|finished) (?:re)?charging)(?: |$)"
    r"|(?:whenever|when|if|as soon as) (?:you|at all|there (?:is|are)"
    rf"(?= (?:{_SOME} )*{_TIME}))"
    r"(?: (?:please|can|could|would(?: be so kind)?"
    r"|like|wish|possible|still|have|get|got|are|do|not|mind|want|done|ready|free|happen to|charging|charged"
    rf"|recharged|fully|(?:{_SOME} )*(?:{_TIME}(?! left\b)|(?:time|{_ENERGY})(?: left)?|hands?)|to spare"
    r"|busy|too|occupied|available|able|around|finished|passing|kindly"
    rf"|find(?= (?:{_SOME} )*{_TIME})))+"
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
