"""Reads where people say that there is a spot for a thing as the plain place.

An example is "find a spot on the shelf for the mug".
"""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.household.language.patterns import (
    AT,
    DETERMINER,
    END,
    I_WANT,
    MODAL,
    PARTICIPLE,
    PLACE_ADJECTIVE,
    PLACE_START,
    PREPOSITION,
    START,
    THING,
)
from stma_ros.domains.household.language.substitutions import Substitution, applied, compiled, verb_like

_FOR_ALL = rf"(?!, (?:and )?{DETERMINER} )"
"""Ends a list of things."""
_TO_GO = rf"(?: to (?:be|go|live|stand)(?: put| placed| kept)?)?{_FOR_ALL}"

_SAID = (
    r"(?:(?:i|we) (?:have |had )?(?:already |always )?(?:told|promised|reminded|informed|assured|explained to"
    r"|agreed with"
    r"|said to|decided|agreed|said)(?: (?:every(?:one|body)|you|them|him|her|all of (?:you|them)|the (?:kids"
    r"|children)"
    r"|people|my \w+))?(?: (?:before|again and again|a (?:hundred|thousand) times))?(?: that)?)"
)
_INTENDS = (
    r"(?:(?:i|we) (?:(?:have|had|just|really|also|would|will|always|usually|normally|generally|do|am|are|was|were) )*"
    r"(?:(?:decided|want|wanted|like|love|prefer|plan|planned|planning|hope|hoped|hoping|expect|expected"
    r"|expecting|wish"
    r"|agreed|going|meant|intend|intended) to (?:have|find|see|keep|store)|(?:thought|believed|assumed|imagined"
    r"|(?:was|were)"
    r" (?:sure|certain|convinced)|could have sworn)(?: that)?|keep|store|have|want|like|prefer|need))"
)
_PUT_IT_THERE = (
    r"\s*[.,;] (?:(?:so|and|then|please|kindly|could|would|can|will|you|just|but) ,? ?)*"
    r"(?:put|place|take|bring|carry|move|set|get|return|transfer|store|keep|hang|leave|deliver|drop|pop) (?:it|them)"
    rf" (?:(?:in|on|back|over|right|up|down) )*there(?: (?:again|instead|too|as well))?(?=\s*[.,;]|$|{END})"
)

_ROOM = (
    r"(?:(?:a|an|some|enough|plenty of|a bit of|a little) )?(?:(?:empty|free|nice|good|perfect|little|spare|more"
    r"|new) )*(?:room|space|spot"
    r"|place|gap|corner|hook|slot)"
)

_RULES: Sequence[Substitution] = (
    # "in the cupboard, that is where i want the mug"
    (
        rf"(?P<at>\b{PREPOSITION} {PLACE_START} [^.,;:]+?)(?: ?[,:])? (?:that|this|there) is (?:exactly |just )?where"
        rf" (?P<what>{THING} (?:belongs?|goes|go|lives?|(?:should|must) (?:be|go))|{I_WANT}"
        rf" {THING.replace('<x>', '<y>')}){_TO_GO}{END}",
        r"\g<what> \g<at>",
    ),
    # "where i want the mug is in the cupboard"
    (
        rf"{START}(?:the (?:place|spot|home) )?where (?:{I_WANT} {THING}|{THING.replace('<x>', '<y>')}"
        r" (?:belongs?|goes"
        rf"|go|(?:should|must) (?:be|go))){_TO_GO} (?:is|would be) (?P<at>{AT} {PLACE_START} [^.,;:]+?){END}",
        lambda m: f"{m['x'] or m['y']} should be {m['at']}",
    ),
    # "i have decided to have the mug in the sink, so put it there"
    (
        rf"{START}(?:{_INTENDS} {THING} (?:to be |to go |to stay |put |kept |was |were )?|{_SAID}"
        rf" {THING.replace('<x>', '<y>')}"
        rf" (?:belongs?|goes|go|lives?|{MODAL} (?:be|go|stay))(?: kept| put)? |{THING.replace('<x>', '<z>')}"
        r" (?:is|are)"
        rf"(?: still)? not (?:yet )?)(?P<at>{AT} {PLACE_START} (?:(?! when )[^.,;:])+?)(?: (?:yet|when(?:ever)?"
        r" (?:i|we)"
        r" [^.,;:]+|(?:by|from) now(?: on)?|again|tonight|today|as well|too|instead))*(?:,? but (?:it|they)"
        rf" (?:is|are) not)?{_PUT_IT_THERE}",
        lambda m: f"put {m['x'] or m['y'] or m['z']} {m['at']}",
    ),
    (
        rf"{START}it is (?P<at>{AT} {PLACE_START} [^.,;:]+?) (?:that|where) {I_WANT} {THING}(?: (?:now|today|later))?"
        rf"{_PUT_IT_THERE}",
        r"put \g<x> \g<at>",
    ),
    # "i have cleared a spot on the shelf for the mug, put it there",
    # "there is a gap on the shelf where the mug should go"
    (
        rf"{START}(?:(?:i|we) (?:have )?(?:made|cleared|found|freed(?: up)?|reserved|set aside|kept|saved"
        r"|prepared)|there is|(?:i|we)"
        rf" have(?: got)?) {_ROOM} (?:(?P<at>{AT} {PLACE_START} [^.,;:]+?) for {THING}|for"
        rf" {THING.replace('<x>', '<y>')}"
        rf" (?P<to>{AT} {PLACE_START} [^.,;:]+?)){_PUT_IT_THERE}",
        lambda m: f"put {m['x'] or m['y']} {m['at'] or m['to']}",
    ),
    (
        rf"{START}there is {_ROOM} (?P<at>{AT} {PLACE_START} [^.,;:]+?),? (?:where|and that is where|\. that is"
        rf" where) {THING}"
        rf" (?:belongs?|goes|go|{MODAL} (?:be|go)|can go|could go){END}",
        r"\g<x> should be \g<at>",
    ),
    (
        rf"\b(?P<make>(?:mak|clear|find|free)(?:e|ing)?)(?: up)? {_ROOM} (?P<at>{AT} {PLACE_START} [^.,;:]+?)(?:"
        r" for (?:it|them))?"
        rf"(?:,? and(?: then)?|, then) (?:putt?|plac|set|lay|stor|hang)(?:e|ing)? {THING} there{END}",
        lambda m: f"{verb_like(m, 'put')} {m['x']} {m['at']}",
    ),
    # "the shelf is the mug's new home"
    (
        rf"{START}(?P<at>(?:the|my|our) [^.,;:]+?) (?:is|will be|should be) (?P<x>(?:the|my|our) [^.,;:]+?)'s"
        rf" {PLACE_ADJECTIVE}(?:home|place|spot){END}",
        r"\g<at> is the place for \g<x>",
    ),
    # "it is to the office that the mug and the hat should be taken",
    # "the office is the room i would like the mug to be in"
    (
        rf"{START}it is (?P<at>(?:(?:in)?to|{AT}) {PLACE_START} [^.,;:]+?) that {THING} (?P<must>{MODAL}|can"
        r"|could) be"
        rf" (?P<done>{PARTICIPLE}){END}",
        r"\g<x> \g<must> be \g<done> \g<at>",
    ),
    (
        rf"{START}(?P<at>(?:the|my|our) [^.,;:]+?) (?:is|would be) the (?:(?:very|only|right|exact) )?"
        rf"(?:room|place|shelf|spot|one) (?:(?:that|which) )?{I_WANT}"
        rf" {THING} (?:to (?:be|go|stay|live) |kept |put |placed |stored )?(?P<in>in|on|at){END}",
        r"\g<x> should be \g<in> \g<at>",
    ),
    # "the mug goes over to the shelf"
    (rf"\b(?P<go>goes|go) (?:over|across|along|straight|right) (?=(?:in|on)?to {PLACE_START} )", r"\g<go> "),
    # "fill the mug before it goes on the shelf"
    (
        r"(?<=\w),? before (?P<it>it|they) (?:goes|go|(?:can|may|should|must|is to|are to) (?:go|be (?:put"
        r"|placed))|(?:is|are|gets?)"
        rf" (?:put|placed)|ends? up)(?= (?:back )?(?:in|on|into|onto|inside) {PLACE_START} )",
        lambda m: f" before putting {'it' if m['it'] == 'it' else 'them'}",
    ),
    # "what i want to see is the mug in the sink"
    (
        rf"{START}(?:what|all) (?:i|we) (?:want|would like|would love|hope|expect|need) to (?:see|have|find) is"
        rf" {THING} (?:to be"
        rf" )?(?P<at>{AT} {PLACE_START} [^.,;:]+?){END}",
        r"\g<x> should be \g<at>",
    ),
    # "put the mug where it belongs, in the sink"
    (
        r" (?:back )?where (?:it|they) (?:really |actually |properly )?(?:belongs?|goes|go|(?:should|must|ought"
        r" to) (?:be|go))"
        rf" ?[,:]? (?:(?:which|that) is |namely |i mean |so )?(?={AT} {PLACE_START} )",
        " ",
    ),
    # "i need more space on the bed, so take the mug away from there"
    (
        rf"{START}{I_WANT} (?:(?:(?:some|more|the|a bit|a little|of|enough|extra|all) )+)?(?:space|room)"
        r" (?P<at>(?:in|on)"
        rf" {PLACE_START} [^.,;:]+?)(?: (?:now|today|for [^.,;:]+))?\s*[.,;] (?P<do>(?:so )?[^.;]*?)(?: away)?"
        r" (?:from|off|out"
        r" of) there\b",
        lambda m: f"{m['do']} from {m['at'].partition(' ')[2]}",
    ),
    # "would you take care of the mug? it should go in the sink"
    (
        rf"{START}(?:(?:please|could you|can you|would you|will you|i (?:want|need|would like) you to) )*(?:take"
        r" care of|see"
        rf" to|deal with|look after|attend to|sort out) {THING}(?:,? please)?\s*[.;] (?:it|they) (?=(?:{MODAL}"
        r"|belongs?|goes|go)\b)",
        r"\g<x> ",
    ),
    # "move the mug so that it ends up in the cupboard"
    (
        r"(?P<moved>\b(?:mov|shift|carr|tak|put|plac|arrang|bring|rearrang|set)(?:e|y|ing|ying|ed|ied|en)?\b"
        rf" (?:[^.,;:]|, (?=(?:and )?(?:the|my|our|an?) ))*?|\b(?:{PARTICIPLE})) so(?: that)? (?:it|they)"
        r" (?:ends? up|is|are"
        rf"|goes|go|sits?|stands?|will be|lands?|lies?|can be) (?={AT} )",
        r"\g<moved> ",
    ),
    # "give the mug a place on the shelf"
    (
        rf"\b(?:giv(?:e|ing)|find(?:ing)?) {THING} (?:a|some|its|their) {PLACE_ADJECTIVE}"
        rf"(?:spot|place|home|space|room) (?={AT} {PLACE_START} )",
        lambda m: f"{verb_like(m, 'put')} {m['x']} ",
    ),
    (
        rf"\b(?:find|mak|clear|free)(?:e|ing)? (?:(?:me|up|us|a|some|enough|a bit of) )*{PLACE_ADJECTIVE}(?:spot|place"
        r"|home|space"
        r"|room) for"
        rf" (?:{THING}|(?P<it>it|them)) (?={AT} {PLACE_START} |there\b)",
        lambda m: f"{verb_like(m, 'put')} {m['x'] or m['it']} ",
    ),
    (
        rf"\b(?:find|mak|clear|free)(?:e|ing)? (?:(?:me|up|us) )?(?:a|some) {PLACE_ADJECTIVE}"
        rf"(?:spot|place|home|space|room) (?P<at>{AT} {PLACE_START} [^.,;:]+?) for {THING}{_FOR_ALL}{END}",
        lambda m: f"{verb_like(m, 'put')} {m['x']} {m['at']}",
    ),
    # "put it in the kitchen, no matter where exactly"
    (
        r"(?:(?<=^)|(?<=[.;:,] ))(?:it does not (?:really )?matter(?: to (?:me|us))? where|(?:i|we) do not"
        r" (?:really )?(?:mind"
        r"|care) where|no matter where)(?: exactly)? (?P<at>in (?:the|my|our) [^.,;:]+?),? (?:(?:but|as long as"
        r"|just) )+"
        rf"(?P<do>[^.;]*?) (?:in )?there{END}",
        r"\g<do> \g<at>",
    ),
    (
        r"(?:(?<=^)|(?<=[.;] ))(?:it (?:does not (?:really )?matter|makes no (?:odds|difference))(?: to (?:me"
        r"|us))? where|(?:i|we) do not (?:really )?(?:mind|care) where|no matter where)(?: exactly|"
        r" precisely)?(?: in there)?,? but ",
        "",
    ),
    (
        r"\s*[,;.]? (?:and |but )?(?:no matter where|it does not (?:really )?matter(?: to (?:me|us))? where|(?:i"
        r"|we) do not"
        r" (?:really )?(?:mind|care) where|(?:wherever|anywhere)(?: that)? (?:there is (?:\w+ )?(?:space|room)"
        r"|you (?:like|want|can(?: find (?:it |them )?(?:some |a )?(?:space|room|place|spot|home)(?: for (?:it"
        r"|them))?)?|please|find (?:space|room))|it fits|they fit)|(?:the )?(?:exact(?:ly)? )?(?:spot|place"
        r"|where)(?: exactly)?(?: in"
        r" there)? is up"
        r" to you|any(?:where| spot| place| corner)(?: in)? there (?:will do|is fine|works|is okay))"
        rf"(?: exactly| precisely)?(?: in there)?{END}",
        "",
    ),
    (
        rf"{START}any(?:where| (?:spot|place|corner|part|shelf))(?: at all)? (?P<at>{AT} {PLACE_START}"
        r" [^.,;:]+?) (?:will do|is"
        rf" fine|would be fine|works|would do|is okay|will be fine) for {THING}{_FOR_ALL}{END}",
        r"\g<x> should be \g<at>",
    ),
    (
        rf"{START}any(?:where| (?:spot|place|corner|part|shelf))(?: at all)? (?P<at>{AT} {PLACE_START}"
        r" [^.,;:]+?) (?:will do|is"
        r" fine|would be fine|works|would do|is okay|will be fine)\s*[,.;] (?:(?:but|so|and|just|please|\.)"
        r" )*(?P<do>[^.;]*?) (?:(?:in|on)"
        rf" )?there{END}",
        r"\g<do> \g<at>",
    ),
)
_COMPILED = compiled(_RULES)


def plain_places(text: str) -> str:
    """Returns a normalised text whose spots for things are plain places."""
    return applied(_COMPILED, text)
