"""Decides whether a clause in which no request is read may be ignored: what limits or asks something may not."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import rewriting, verbs
from stma_ros.domains.household.language.attitudes import ADVERB, SPEAKER
from stma_ros.domains.household.language.patterns import GERUND, OBJECT_START, OTHER_PEOPLE, PREPOSITION

# A clause with a prohibition or condition is not a remark, because it cannot be ignored.
_RESTRICTION = re.compile(
    r"^(?:do not|never|no(?! one\b)|not)\b|\b(?:must|should|shall|need|may|ought) not\b|\b(?:avoid|refrain|unless"
    r"|until|if|whether|or|except"
    r"|instead|(?:would|had|will) rather|rather than|forbidden|forbid|suggest|propose|recommend|insist|where"
    r" (?:the|my|our|an?) .+ (?:is|are|be)"
    r"|no need|not to|never|but|i"
    r" mean(?:t)?|on second thoughts?|scratch that|correction)\b"
    r"|\b(?:should|must|ought to|needs? (?:to|\w+ing)|(?:has|have) to(?! be$)|want|would like|make sure"
    r"|ensure|see to it|(?:see|check|seeing|checking) that|would be (?:great|nice|good|lovely|helpful|wonderful"
    r"|perfect|fantastic|best|better|ideal))\b"
)
_CONDITION = re.compile(
    r"(?:before|after|when|whenever|if|once|while|as soon as|until|till|unless|in case|provided|assuming|only)\b"
)
# A clause about the actions of other people, which may go on ("I will take the mug and put it in the sink").
_BASE_FORMS = "|".join(base for base in verbs.BASES if base not in verbs.SAME_IN_THE_PAST)
_OTHER_AGENT = re.compile(
    r"(?:(?:did|do|does|can|could|will|would|should|shall|may) )?(?:i|we|he|she|they|nobody|you) "
    r"(?:(?:will|would|shall|can|could|may|might|already|(?:want|wants|have|has|had|need|needs) to"
    r"|(?:am |are |is )?going to|did|do|always|usually|often|never) )?(?:\w+ )?"
    rf"(?:{_BASE_FORMS}) (?:up |down |off |on |out |away )?"
    r"(?:the|a|an|my|our|it|them|all|every|some|these|those|this|that)\b"
)
# A remark that says which object is meant, by words that are not read.
_SELECTION = re.compile(
    r".*\b(?:the|that|this|those|these|mine)\b(?: [\w'-]+)* ones?\b.*"
    r"|(?:it|they|he|she|mine|ours|hers|yours|theirs|that|this)(?: one)? (?:has|have|had|looks?|feels?|says?"
    r"|smells?"
    r"|comes? with|contains?|(?:was|were) (?:given|bought|made))\b.*"
)
# What somebody does, and what is asked and not understood: neither can be ignored.
_NARRATION = re.compile(
    r"(?:i|we|he|she|they) (?:then )?(?:walk|sit|enter|step|stroll|approach|stand up|get up)\b"
)
_OTHER_IMPERATIVE = re.compile(
    r"(?:have|let|make|show|tell|give|help|see (?:that|to|if)|check|do|try|allow|arrange|keep|avoid|stop|start"
    r"|go)\b"
)
_ADDRESSES_ROBOT = re.compile(
    r"(?!you know\b).*\b(?:you to|you (?:could|can|would|will|should|must|might|may|have)|(?<!to )mind|feel"
    r" like|fancy|how about|what about|ask you)\b.*"
)
_ACTION_OF_NOBODY = re.compile(
    r".*(?<!\bam )(?<!\bare )(?<!\bis )(?<!\bwas )(?<!\bwere )(?<!\bbeen )(?<!\bbusy )(?<!\bnot )(?<!\bstill"
    r" )(?<!\bjust )\b"
    rf"(?!(?:standing|lying|sitting|hanging|resting|leaning|leaving)\b)(?:{GERUND}|letting) (?:{OBJECT_START}"
    rf"|water)\b.*"
)
"""Somebody may be meant to do what such a clause tells: "i would suggest putting water in it"."""
_WISH = re.compile(
    rf"{SPEAKER}(?: {ADVERB})*(?: (?:would|will|do|shall|might))?(?: {ADVERB})* (?:needs?|wants?|require|like"
    rf"|prefer|expect|have to have)"
    r" (?:the|a|an|my|our|all|both|every|some|one|two|three|four|five|it|them|everything|that|this)\b"
    r"(?! (?:\w+ ){0,2}(?:help|hand|break|rest|favou?r|minute|moment|sleep|nap|drink|company|time|job|idea)\b)"
)
_LIKING = re.compile(r"(?:i|we) (?:(?:really|do|also) )*(?:like|prefer) ")
_ABSENCE = re.compile(
    rf"(?:i|we|he|she|they|{OTHER_PEOPLE}) (?:(?:will|am|is|are|was|were|have|has|had|can|do|does)(?: not)?"
    r" )+(?:be |been )?"
    r"(?:home|back|here|away|out|there|busy|around|free|working|in)(?: \w+)?(?: (?:until|till|before|by|after"
    r"|for|at|from) [\w ]+)?"
)
_INABILITY = re.compile(
    r"(?:i|we) (?:can not|could not|do not want to|would rather not|(?:am|are) (?:not able|unable|too \w+) to)"
    r" (?:get up|stand(?: up)?|walk|move|bend|kneel|leave|go|come|wake|disturb|sleep|concentrate|sit)\b.*"
)
"""What somebody cannot do and the robot is not asked to do: "I cannot get up"."""
_OWN_ACTIVITY = re.compile(
    rf"(?:i|we|he|she|they)(?: really| also| still)? (?:want|need|would like|have|am going|are going|plan|wants"
    rf"|needs|has) to"
    rf" (?!(?:{'|'.join(verbs.BASES)}|see|have|know|be)\b(?!(?<=leave) (?:in|at|soon|now|for|early)\b"
    rf"|(?<=leave)$))\w+(?:(?! (?:&|if|unless|until|not)\b).)*"
)
_QUESTION = re.compile(r"(?:what|which|who|whose|why|how)\b(?! (?:a|an|about)\b)")
_STATEMENT = re.compile(
    r"(?!(?:what|when|why|who|how|which|is|are|do|does|did|was|were|can|could)\b).*\b(?:i|we|you|he|she"
    r"|they|it|there|this|that"
    r"|nobody|someone|somebody|everyone|is|are|was|were|am|has|had|have|lost|forgot|left|needs?|wants?"
    r"|looks?|feels?|smells?"
    r"|loves?|likes?|got|spilled|seems?|always|thirsty|hungry|cold|dark|ended|went|came|stood|sat|lay|fell"
    r"|stands?|lies"
    r"|hurts?|aches?|comes|arrives?|leaves|visits?|returns|works?|starts|begins|rings|calls|stinks|broke|sits?"
    r"|hangs?|turned|landed|does|did|do|can|could|will|would|may|might|be|been)\b.*"
)
_PLACE_OF_DESTINATION = re.compile(
    rf"(?P<placed>(?:^|& )(?:(?! that | which )[^&])*? {PREPOSITION} [^&]+?) (?:that|which) (?:is"
    rf"|are)(?= {PREPOSITION} )"
)


def limits(clause: str) -> bool:
    """Whether a clause restricts requests, is a condition, or tells what other people do."""
    return bool(_RESTRICTION.search(clause) or _OTHER_AGENT.match(clause) or _CONDITION.match(clause))


def may_be_ignored(clause: str, *, follows_request: bool) -> bool:
    """Whether a clause in which no request is read may be left out.

    Args:
        clause: without polite phrases.
        follows_request: whether the text has requested something before, of which the clause may tell more.
    """
    return not (
        limits(clause)
        or (_WISH.match(clause) and not _LIKING.match(clause))
        or (follows_request and _SELECTION.fullmatch(clause))
        or _NARRATION.match(clause)
        or _QUESTION.match(clause)
        or _OTHER_IMPERATIVE.match(clause)
        or _ACTION_OF_NOBODY.match(clause)
        or _ADDRESSES_ROBOT.match(clause)
        or rewriting.is_unsupported(clause)
        or rewriting.begins_imperative(clause)
    )


def is_about_people(clause: str) -> bool:
    """Whether a clause tells only where people are: "I will not be home until six"."""
    return bool(_ABSENCE.fullmatch(clause) or _INABILITY.fullmatch(clause))


def is_intention(clause: str) -> bool:
    """Whether a clause tells what people want to do themselves, which no robot can do for them: "I want to bake"."""
    return bool(_OWN_ACTIVITY.fullmatch(clause))


def is_statement(clause: str, *, ignore_place: bool = False) -> bool:
    """Whether a clause has a subject and a verb, rather than naming things only.

    Args:
        clause: without polite phrases.
        ignore_place: whether a relative clause may locate a place: "a mug on the tray that is in the sink".
    """
    return bool(
        _STATEMENT.fullmatch(_PLACE_OF_DESTINATION.sub(r"\g<placed>", clause) if ignore_place else clause)
    )
