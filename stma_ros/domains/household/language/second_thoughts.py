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
    r"(?:jok(?:e|es|ed|ing)|kidd(?:ed|ing)|teas(?:e|es|ed|ing)|pretend(?:s|ed|ing)?|bluff(?:ed|ing)|lied"
    r"|retract(?:s|ed)?|withdr[ae]w(?:s|n|ing)?|reconsider(?:s|ed|ing)?"
    r"|regret(?:s|ted)?(?! to\b)|object(?:s|ed)|disagree(?:s|d)?|disapproves?|forb(?:id|ids|ade|idden)|veto(?:es|ed)?"
    r"|postpon(?:e|es|ed|ing)|cancel(?:s|led|ling)?|hesitat(?:e|es|ed|ing)(?! to\b)|(?<!no )doubt(?:s|ed)?"
    r"|protest(?:s|ed)?"
    r"|complain(?:s|ed)?|misspoke|unsure|undecided|overrul(?:e|es|ed)|test(?:ed|ing) you|prefers? not|would rather not$"
    r"|refus(?:e|es|ed|ing)(?! to (?:sleep|eat|go|bend|get up|budge|work|listen|leave|nap|settle|move|heal"
    r"|cooperate)\b)"
    r"|backtrack(?:ed|ing)?|dream(?:t|ed|ing)$|imagin(?:ed|ing))\b"
    r"|\b(?:change[sd]?|changing) (?:(?:my|our|his|her|their|the|all|of) )*(?:minds?|plans?|opinion|idea)\b"
    r"|\bplans? (?:have |has |had )?(?:just )?changed\b|\bchange of (?:mind|plan|heart)\b|\bsecond thoughts\b"
    r"|\bnot (?:so |too |quite |entirely |completely |really )*(?:sure|certain|serious|convinced)\b"
    r"|\b(?:decide[ds]?|deciding) (?:against|otherwise|not|differently)\b|\bdecides$|\bagainst (?:it|this|that"
    r"|the idea)\b"
    r"|\b(?:says?|said|saying) (?:no|yes|not|never|nothing|otherwise|stop|so|this|something else)\b"
    rf"|\b(?:says?|said|meant?|asked for|ordered) (?:only |just )*{_AMOUNT}$"
    # "I was talking about tomorrow"
    r"|\b(?:i|we|he|she|they) (?:am|is|are|was|were)(?: \w+)? lying(?! (?:down|here|there|in|on|under|by|next|awake"
    r"|flat|ill|sick|around|about)\b)"
    r"|\b(?:am|is|are|was|were)(?: (?:only|just|not|actually|really|still))* (?:talking|speaking|thinking|referring"
    r"|asking|quoting)\b(?! on\b)|\b(?:talk(?:s|ed)?|sp[eo]ak(?:s|ing)?|spoke|thought) (?:about|of|hypothetically"
    r"|too soon"
    r"|out of turn|better|otherwise|again|aloud|out loud)\b"
    r"|\b(?:was|were|am|are|got) (?:all |so |completely |quite )*(?:wrong|mistaken|confused|rude|hasty|rash|muddled)\b"
    r"|\b(?:should|ought to|must) not have (?:spoken|asked|said|told|requested|bothered|mentioned|started|begun"
    r"|insisted)\b"
    r"|\b(?:not|never|nobody|no one|none of us)(?: \w+)? (?:ask|asked|order|ordered|request|requested|agree|agreed"
    r"|want|wanted)(?: (?:for|to|on))? (?:this|that|so|it|any)\b"
    # "my husband does this", "my wife hates this"
    r"|(?<!\blike )(?<!\bof )(?<!\bbear )(?<!\bstand )(?:this|such a thing)(?: (?:myself|himself|herself|ourselves"
    r"|already|now"
    r"|yet|again|too|alone|anyway|instead|tomorrow|tonight|today|later|idea|request|order|task|job))*$"
    r"|\b(?:do|does|did|done|doing) so\b|\b(?:handles?|is on|sees to|takes care of) (?:it|this|that|the job"
    r"|the case)$"
    r"|\b(?:will|would) be (?:angry|furious|cross|mad|upset)\b|\b(?:will|shall) see$|\b(?:will|shall|would|should|do"
    r"|did) not$"
    r"|\b(?:opposed|not (?:so |very |too )?keen|being silly|having a laugh|testing|g[ai]ves? up)\b"
    r"|\b(?:drop(?:s|ped)?|abandon(?:s|ed)?|scrap(?:s|ped)?) (?:the|this|that|my|our) (?:idea|plan|request"
    r"|whole thing)\b"
    r"|\bstill (?:watching|using|listening|cooking|playing)$|\bnot(?: \w+)? (?:finished|ready|done)$|\b(?:can not"
    r"|able to)$"
    r"|\b(?:must|should|have to|has to|will) (?:\w+ )?(?:wait|think|talk|discuss|decide)\b"
    r"|\b(?:will|can|could|going to) (?:help|manage|cope)$|\bmanages?$"
    rf"|\bare (?:only |just )?{NUMBER}(?: of us| people| guests)?$"
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
