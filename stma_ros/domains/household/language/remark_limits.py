"""Decides whether a clause in which no request is read may be ignored: what limits or asks something may not."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import rewriting, verbs
from stma_ros.domains.household.language.attitudes import ADVERB, SPEAKER
from stma_ros.domains.household.language.patterns import (
    GERUND,
    I_WANT,
    OBJECT_START,
    OTHER_PEOPLE,
    PREPOSITION,
)
from stma_ros.domains.household.language.quantities import NUMBER

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
_ASSIGNED = re.compile(rf".*\b(?:is|are) (?:now )?to (?:{_BASE_FORMS}|put|set|make|go|walk) {OBJECT_START}\b")
"""What somebody is told to do by a beginning that is not read."""
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
    r"(?:on (?:the phone|a call|another call|the line)|in a (?:call|meeting)|home|back|here|away|out|there|busy"
    r"|around|free|working|in)(?: \w+)?(?: (?:until|till|before|by|after"
    r"|for|at|from) [\w ]+)?"
)
_INABILITY = re.compile(
    r"(?:(?:i|we) )?can not (?:really |even |possibly |properly )*(?:lift|carry|reach|move|do|bend|walk|stand"
    r"|see|touch"
    r"|hold|manage|get|think|hear|breathe|relax|focus|work)(?: (?:up|down|straight|properly|a (?:single )?thing"
    r"|anything"
    r"|much|it|that|this|myself|ourselves|very (?:far|well|much)|far|right now|today|at the moment|any ?more|now"
    r"|heavy"
    r"|too (?:far|much)|things|without help|for long|on my own|alone))*"
    r"|(?:i|we) (?:can not|could not|do not want to|would rather not|(?:am|are) (?:not able|unable|too \w+) to)"
    r" (?:get up|stand(?: up)?|walk|move|bend|kneel|leave|go|come|wake|disturb|sleep|concentrate|sit)\b.*"
)
"""What somebody cannot do and the robot is not asked to do: "I cannot get up"."""
_IN_MY_STATE = (
    r"(?:at|in|with) (?:my|our|this|these) (?:\w+ ){0,2}?(?:age|condition|state|weather|heat|health|backs?"
    r"|knees?|hips?"
    r"|joints|legs?|years)"
)
_CAUTION = re.compile(
    rf"(?:{_IN_MY_STATE} )?(?:one|i|we|people(?: (?:my|our) age)?|you(?= (?:can not|never)))"
    r" (?:(?:has|have|need|needs|ought|learns?)(?: got)? to|must|should|can not|can never) (?:be (?:(?:too|very|so"
    r"|extra"
    r"|more|a (?:bit|little)|rather|quite) )*(?:careful|cautious|prudent|sensible|patient|wary|mindful)|take"
    r" (?:care|it"
    r" easy|things (?:easy|slowly))|go easy|watch (?:(?:my|our|one's) (?:back|step|health|heart|weight)|out|oneself"
    r"|myself|ourselves))(?: (?:about|when|with|while|in|of) \w+ing(?: (?!(?:the|my|our|it|them|an?|all|both)\b)\w+)"
    r"{0,3})?(?: (?:at (?:my|our) (?:\w+ )?age|these days|now|nowadays|in (?:my|our) condition|in this (?:weather"
    r"|heat)))*"
)
"""How people have to look after themselves: "at my age, one has to be careful about bending down"."""
_OWN_ACTIVITY = re.compile(
    rf"(?:i|we|he|she|they|{OTHER_PEOPLE})(?: really| also| still| just)* (?:want|need|would like|have|plan|wants"
    r"|needs|has|hope|hopes|(?:am|is|are)(?: just| still| only)* (?:going|about|trying|hoping|planning|due|off"
    r"|rushing"
    r"|heading out|dying|expecting|supposed|on (?:my|our|his|her|their) way)"
    r"|(?:(?:told|asked|advised|ordered|begged|allowed|encouraged|reminded|urged) (?:me|us))) to"
    rf" (?!(?:{'|'.join(verbs.BASES)}|see|have|know|be(?! (?:at|in|there|back|home|out|up|off|away|gone|ready"
    rf"|on my way)"
    r"\b))\b(?!(?<=leave) (?:in|at|soon|now|for|early)\b"
    rf"|(?<=leave)$))\w+(?:(?! (?:&|if|unless|until|not)\b).)*"
)
_QUESTION = re.compile(r"(?:what|which|who|whose|why|how)\b(?! (?:a|an|about)\b)")
_STATEMENT = re.compile(
    r"(?!(?:what|when|why|who|how|which|is|are|do|does|did|was|were|can|could)\b).*\b(?:i|we|you|he|she"
    r"|they|it|there|this|that"
    r"|nobody|someone|somebody|everyone|is|are|was|were|am|has|had|have|lost|forgot|left|needs?|wants?"
    r"|looks?|feels?|smells?"
    r"|loves?|likes?|got|spilled|seems?|always|thirsty|hungry|cold|dark|went|came|stood|sat|lay|fell"
    r"|stands?|lies"
    r"|made|makes|told|tells|said|says|asked|asks|rang|woke|wakes|slept|ate|eats|drank|drove|drives|flew|wrote|spent"
    r"|spends|paid|won|met|meets|became|began|caught|built|fed|hurt|promised|refused|decided|invited|helped"
    r"|happened"
    r"|happens|meant|hates|knows|thinks|thought|expects|cried|snores"
    r"|knocked|called|wore|kept|keeps|got|gets|seemed|stayed|stays|ended|lasts"
    r"|lasted"
    r"|hurts?|aches?|comes|arrives?|leaves|visits?|returns|works?|starts|begins|rings|calls|stinks|broke|sits?"
    r"|hangs?|turned|landed|does|did|do|can|could|will|would|may|might|be|been)\b.*"
)
_PLACE_OF_DESTINATION = re.compile(
    rf"(?P<placed>(?:^|& )(?:(?! that | which )[^&])*? {PREPOSITION} [^&]+?) (?:that|which) (?:is"
    rf"|are)(?= {PREPOSITION} )"
)


_NEEDED_BY_PEOPLE = re.compile(
    rf"{SPEAKER} (?:am|is|are)(?: {ADVERB})* (?:waiting for|expecting) (?:(?:a|an|some|my|the|important|urgent"
    rf"|phone|video) )*"
    r"(?:calls?|visits?|visitors?|guests?|people|company|news|repl(?:y|ies)|answers?|plumber|electrician|doctor"
    r"|repairman"
    r"|taxi|bus|train|results?)(?: .*)?|"
    rf"{SPEAKER} (?:(?:have(?: got)?|need|want|would like|has(?: got)?|needs|wants|(?:are|am|is) (?:supposed|due"
    r"|meant"
    r"|expected)) to|must|should) be (?:at"
    rf"|in|on|out"
    r"|back|home|up|off|away|gone|there|ready)\b(?:(?! (?:if|unless|not|or)\b)[^&])*|"
    rf"{OTHER_PEOPLE} (?:needs?|wants?) (?!{GERUND}\b)\w+ing(?: \w+)?"
    rf"|{SPEAKER}(?: {ADVERB})* (?:(?:want|need|would like|could (?:do with|use)|deserve|crave|long for|wants|needs)"
    r"(?: to (?:get|have|enjoy))?|am in need of) (?:(?:some|a|an|my|a bit of|a little|more|a few|the|just|early"
    r"|good|long"
    r"|quick|proper|nice|quiet|night's|minute's|moment's|and|of|hours?|minutes?|days?) )*"
    r"(?:peace|quiet|rest|break|sleep|nap|night|lie[ -]?down|sit[ -]?down|lie[ -]?in|breather|holiday|vacation|help"
    r"|hand"
    r"|hug|minute|moment|fun|calm|order|day off|time off|time|patience|energy|strength|luck|company|fresh air)"
    r"(?: (?:tonight|today|now|for once|badly|for (?:me|us)|to (?:myself|ourselves)))*"
)
"""What no robot can bring, and what is done with people: "the baby needs changing", "I want an early night"."""
_ABOUT_TO_HAPPEN = re.compile(
    r"(?:(?:the|my|our|his|her|their|this|an?) (?:[\w'-]+ ){1,3}|(?:i|we|he|she|they|it|everyone) )"
    r"(?:am|is|are) (?:just |only )?about to (?!be\b).*"
)
_PEOPLE_DO = re.compile(
    rf"(?:{OTHER_PEOPLE}|people|nobody|no one|they) (?:never|always|keeps?|ever|just)(?: \w+){{1,3}}"
    rf"(?: their (?:stuff|things|mess|rubbish|belongings))?(?: (?:up|away|around|about|everywhere|lying|here"
    rf"|after themselves"
    rf"|like that|behind))* |(?!{I_WANT}\b){OTHER_PEOPLE}(?: \w+ly| just| still| all| both)* (?:(?:has|have"
    rf"|had)(?! to\b)|is|are|was|were"
    rf"|will|keeps?"
    rf"|kept|went"
    r"|came|got|woke|fell|slept|(?:can|do|does|did|will|would) not)\b(?:(?! (?:the|my|our|your|his|her|their|it"
    r"|them|you|a|an"
    r"|for(?! (?:ages|hours|days|now))|everything|anything|something|nothing|lights?|want|wants|need|needs|should"
    r"|must|if|unless|until|to be"
    r"|supposed|all|every|some|two|three) )[^&])*"
)
"""What people do or how they are, without any thing: "the baby has finally dropped off"."""
_BUT_ME = re.compile(r" (?:but|except(?: for)?|apart from) (?:me|us|you|myself)$")
_BUSY_UNTIL = re.compile(
    rf"(?!{I_WANT}\b)(?:i|we|he|she|they|{OTHER_PEOPLE}) (?:will |will not |would )?(?:am|is|are|have|has|be"
    r"|work|works"
    r"|sleep|sleeps|stay|stays|had|was|were|can not|do not|does not|got)\b(?:(?! (?:want|need|like|should|must|the"
    r"|my|our"
    r"|you|it|them|not to) )[^&])* (?:until|till|before) (?:(?:late|about|around|well|past|after|after|half|quarter"
    r"|past"
    r"|to|at|the|this|next|very) )*(?:late|then|they|he|she|noon|midnight|midday|lunch|dinner|breakfast|tonight"
    r"|tomorrow"
    r"|morning|evening|afternoon|weekend|end|week|today|\w+day|summer|dawn"
    rf"|{NUMBER})(?: (?:o'clock|am|pm|thirty|fifteen|in the \w+|at night|(?:get|come|arrive|leave|is|are)(?: \w+)*"
    r"|of .*|tomorrow|tonight|today|thirty))*"
)
"""How long somebody is busy: "I am on the phone until three", which limits no request."""


def limits(clause: str) -> bool:
    """Whether a clause restricts requests, is a condition, or tells what other people do."""
    return bool(
        _RESTRICTION.search(_BUT_ME.sub("", clause)) or _OTHER_AGENT.match(clause) or _CONDITION.match(clause)
    )


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
        or _ASSIGNED.match(clause)
        or _ADDRESSES_ROBOT.match(clause)
        or rewriting.is_unsupported(clause)
        or rewriting.begins_imperative(clause)
    )


def is_about_people(clause: str) -> bool:
    """Whether a clause tells only where people are: "I will not be home until six"."""
    about_people = (_ABSENCE, _INABILITY, _BUSY_UNTIL, _CAUTION)
    return any(pattern.fullmatch(clause) for pattern in about_people)


def is_activity(clause: str) -> bool:
    """Whether a clause begins with what is done with a thing: "washing the cup"."""
    return bool(re.match(rf"\w+ing (?:(?:out|up|down|off|away) )?(?:{OBJECT_START}|where|what)\b", clause))


def needs_no_thing(clause: str) -> bool:
    """Whether a clause tells that somebody needs what no robot can bring, or does something: "I need a break"."""
    return bool(_NEEDED_BY_PEOPLE.fullmatch(clause) or _PEOPLE_DO.fullmatch(clause + " "))


def is_event(clause: str) -> bool:
    """Whether a clause tells what is about to happen: "the film is about to start"."""
    return bool(_ABOUT_TO_HAPPEN.fullmatch(clause))


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
