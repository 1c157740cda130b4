"""Recognises remarks that take a request back, limit it or put it off: "I was joking", "just two", "not now".

They name no thing, so that they would pass for small talk. Nothing that may be meant so is ignored.
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language.patterns import BASE, I_WANT, PREPOSITION
from stma_ros.domains.household.language.quantities import NUMBER

_AMOUNT = (
    rf"(?:{NUMBER}|half|both|some|none|most|few|a few|a couple|mine|ours|his|hers|yours|theirs|all of them)"
)
_SPAN = (
    rf"(?:about |only |just |another )*(?:{NUMBER}|an?|half an|a few|a couple of) (?:more |short |whole )?"
    r"(?:minutes?|hours?|seconds?|moment)(?: (?:more|longer|left|to go))?"
)
_SUBJECT = (
    rf"(?!{I_WANT}\b|(?:{BASE}|please|do|let|if|when|who|what|where|could|can|would|will)\b)"
    r"(?:[a-z'-]+ ){1,4}?"
)
_CHANGED = (
    # "I was joking", "my wife refuses", "I retract this"
    rf"(?:jok(?:e|es|ed|ing)|kidd(?:ed|ing)|teas(?:e|es|ed|ing)|pretend(?:s|ed|ing)?|bluff(?:ed|ing)|lied|retract(?:s"
    rf"|ed)?|withdr[ae]w(?:s|n|ing)?|reconsider(?:s|ed|ing)?|regret(?:s|ted)?(?! to\b)|object(?:s|ed)|disagree(?:s|d)?"
    rf"|disapproves?|forb(?:id|ids|ade|idden)|veto(?:es|ed)?|postpon(?:e|es|ed|ing)|cancel(?:s|led|ling)?|hesitat(?:e"
    rf"|es|ed|ing)(?! to\b)|(?<!no )doubt(?:s|ed)?|protest(?:s|ed)?|complain(?:s|ed)?|misspoke|unsure|undecided"
    rf"|overrul(?:e|es|ed)|test(?:ed|ing) you|prefers? not|would rather not$|refus(?:e|es|ed|ing)(?! to (?:sleep|eat|go"
    rf"|bend|get up|budge|work|listen|leave|nap|settle|move|heal|cooperate)\b)|backtrack(?:ed|ing)?|dream(?:t|ed|ing)$"
    rf"|imagin(?:ed|ing))\b|\b(?:change[sd]?|changing) (?:(?:my|our|his|her|their|the|all|of) )*(?:minds?|plans?"
    rf"|opinion|idea)\b|\bplans? (?:have |has |had )?(?:just )?changed\b|\bchange of (?:mind|plan|heart)\b"
    rf"|\bsecond thoughts\b|\bnot (?:so |too |quite |entirely |completely |really )*(?:sure|certain|serious"
    rf"|convinced)\b|\b(?:decide[ds]?|deciding) (?:against|otherwise|not|differently)\b|\bdecides$|\bagainst (?:it|this"
    rf"|that|the idea)\b|\b(?:says?|said|saying) (?:no|yes|not|never|nothing|otherwise|stop|so|this|something else)\b"
    rf"|\b(?:says?|said|meant?|asked for|ordered) (?:only |just )*{_AMOUNT}$"
    # "I was talking about tomorrow"
    r"|\b(?:i|we|he|she|they) (?:am|is|are|was|were)(?: \w+)? lying(?! (?:down|here|there|in|on|under|by|next|awake"
    r"|flat|ill|sick|around|about)\b)|\b(?:am|is|are|was|were)(?: (?:only|just|not|actually|really|still))* (?:talking"
    r"|speaking|thinking|referring|asking|quoting)\b(?! on\b)|\b(?:talk(?:s|ed)?|sp[eo]ak(?:s|ing)?|spoke"
    r"|thought) (?:about|of|hypothetically|too soon|out of turn|better|otherwise|again|aloud|out loud)\b|\b(?:was|were"
    r"|am|are|got) (?:all |so |completely |quite )*(?:wrong|mistaken|confused|rude|hasty|rash|muddled)\b|\b(?:should"
    r"|ought to|must) not have (?:spoken|asked|said|told|requested|bothered|mentioned|started|begun|insisted)\b"
    r"|\b(?:not|never|nobody|no one|none of us)(?: \w+)? (?:ask|asked|order|ordered|request|requested|agree|agreed|want"
    r"|wanted)(?: (?:for|to|on))? (?:this|that|so|it|any)\b"
    # "my husband does this", "my wife hates this"
    rf"|(?<!\blike )(?<!\bof )(?<!\bbear )(?<!\bstand )(?:this|such a thing)(?: (?:myself|himself|herself|ourselves"
    rf"|already|now|yet|again|too|alone|anyway|instead|tomorrow|tonight|today|later|idea|request|order|task|job))*$"
    rf"|\b(?:do|does|did|done|doing) so\b|\b(?:handles?|is on|sees to|takes care of) (?:it|this|that|the job|the case)$"
    rf"|\b(?:will|would) be (?:angry|furious|cross|mad|upset)\b|\b(?:will|shall) see$|\b(?:will|shall|would|should|do"
    rf"|did) not$|\b(?:opposed|not (?:so |very |too )?keen|being silly|having a laugh|testing|g[ai]ves? up)\b"
    rf"|\b(?:drop(?:s|ped)?|abandon(?:s|ed)?|scrap(?:s|ped)?) (?:the|this|that|my|our) (?:idea|plan|request"
    rf"|whole thing)\b|\bstill (?:watching|using|listening|cooking|playing)$|\bnot(?: \w+)? (?:finished|ready|done)$"
    rf"|\b(?:can not|able to)$|\b(?:must|should|have to|has to|will) (?:\w+ )?(?:wait|think|talk|discuss|decide)\b"
    rf"|\b(?:will|can|could|going to) (?:help|manage|cope)$|\bmanages?$|\bare (?:only |just )?{NUMBER}(?: of us| people"
    rf"| guests)?$"
    # "the baby must fall asleep first"
    r"|(?<!\bat )first$|\bbeforehand$|\bafterwards$"
    # "the kids opened two", "we save energy, so half", but not "they arrive at two"
    rf"|\b(?!(?:at|by|until|till|since|before|after|from|to|past|around|about|turned|turns|be|is|am|are|was|were|of"
    rf"|between|and|nearly|almost|for|than|{NUMBER})\b)[a-z]+ (?:only |just )*{_AMOUNT}$"
)
_CONCERNS = re.compile(rf"(?={_SUBJECT})(?:[^.;:]*?\b)?(?:{_CHANGED})")
_BEFORE = re.compile(
    rf"(?!.*\b(?:(?:have|has|had)(?! to\b)|never|ever|than|like|as)\b){_SUBJECT}(?:\w+ )*before$"
)
_HAVE_TIME = re.compile(
    rf"(?!(?:i|we) ){_SUBJECT}(?:\w+ )*?(?:(?:gets?|has|have|had)(?: got)? {_SPAN}"
    rf"|(?:may|can|could|should|might|will|allowed to|going to) .*\bfor {_SPAN})$"
)
"""How long others go on: "the kids get ten minutes"."""
_FRAGMENT = re.compile(
    rf"(?:^|, |& |\b(?:so|but|and) )(?:so |but |and )*(?:(?:just|only|not|merely|at most"
    rf"|no more than)(?: (?!(?:{PREPOSITION}|the|an?|my|our|his|her)\b)[\w'-]+){{1,4}}|not"
    rf"|{_AMOUNT}|later|tomorrow|soon)$|, so [\w-]+(?: [\w-]+)?$"
)
"""What says no more than how many, when or how: "so just two", "not now"."""
_HAS_SUBJECT = re.compile(r"\b(?:i|we|he|she|they|it|you)\b")


def are_in(clause: str) -> bool:
    """Whether a clause in which no request is read may be about the requests beside it.

    Args:
        clause: without polite phrases.
    """
    fragment = _FRAGMENT.search(clause)
    return bool(
        _CONCERNS.match(clause)
        or _BEFORE.match(clause)
        or _HAVE_TIME.match(clause)
        or (fragment and not _HAS_SUBJECT.search(fragment[0]))
    )
