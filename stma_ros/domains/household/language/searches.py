"""Reads what people say in several clauses of a lost thing as one request.

An example is "I am after it, any idea where to look?".
"""

from __future__ import annotations

from stma_ros.domains.household.language.patterns import (
    ABOUT_IT,
    BASE,
    DETERMINER,
    END,
    I_WANT,
    OTHER_PEOPLE,
    SHORT_THING,
    SOMEBODY,
    START,
    THING,
)
from stma_ros.domains.household.language.substitutions import applied, compiled

_FOR_SPEAKER = r"(?:please |so |kindly |could you |can you |would you |will you |do |and )*"
_TELL = (
    r"(?:tell (?:me|us)|let (?:me|us) know|show (?:me|us)|find out|work out|say|see|point (?:me|us) to it"
    r"|help(?: me| us)?"
    r"|remind (?:me|us)|enlighten me|look)"
)
_AROUND = r"(?: (?:around|about|round|everywhere|again|as well|too|please|now|instead|for (?:it|them)))*"
_NAMES = rf"(?:{DETERMINER}(?! (?:\w+ )?(?:look|search|hunt)\b)|and|or)\b"
_LOOK = (
    rf"(?=\s*[.,;]\s*(?:(?:so|but|and|then|now|please|kindly|just|perhaps|maybe|\.|,) )*{_FOR_SPEAKER}(?:"
    rf"(?:{_TELL}(?: where)?|help(?: me| us)?(?: to)? (?:look|search|find (?:it|them))|search|have a (?:\w+ )?(?:look"
    rf"|search|hunt)|can you|could you){_AROUND}(?=\s*(?:[.,;]|$))"
    rf"|(?:(?!{_NAMES}|(?:i|we|he|she|they|who|not|never)\b)[\w']+ )*?(?:where|{BASE}) (?:(?!{_NAMES})[\w']+ )*?"
    r"(?:it|they|them)\b))"
)
"""The next clause says to look for the thing, or speaks of it before it names another one."""
_PLAIN = (
    # "what i would like to know is where the mug is"
    (
        rf"{START}(?:what|all|the (?:only |one )?(?:thing|question)|my question)(?: that)? (?:(?:i|we) (?:\w+"
        r" )?(?:want|need"
        r"|would like|would love|wish|am trying|am dying|am hoping)(?: to (?:know|find out|learn|hear|ask(?:"
        r" you)?|discover"
        r"|establish))? )?is,? (?=where(?:abouts)? )",
        "",
    ),
    # "i have forgotten where the mug is, so tell me"
    (
        rf"{START}(?:i|we) (?:(?:have|had|just|simply|completely|totally|quite|clean|seem to have|must have)"
        r" )*(?:forgot"
        r"|forgotten) where (?:(?:i|we|he|she|they) (?:have |had )?(?:put|left|placed|kept|laid|stored)"
        rf" )?{SHORT_THING}"
        rf"(?: (?:is|are|was|were|went|goes))?(?: (?:kept|now))?\s*[.,;] {_FOR_SPEAKER}{_TELL}(?: where(?: (?:it"
        r"|they) (?:is"
        rf"|are))?)?{END}",
        r"find \g<x>",
    ),
    # "the kids want to know where the mug is, can you tell them", "i can not leave until i know where the mug is, ..."
    (
        rf"{START}{OTHER_PEOPLE} (?:(?:is|are|keeps?|has|have|been|would|just|really|also) )*(?:wants?|needs?"
        r"|likes?|asks?"
        rf"|asking|asked|wonders?|wondering)(?: me| us)?(?: to (?:know|find out))? where {THING} (?:is|are|went"
        r"|has gone)"
        rf"\s*[.,;] {_FOR_SPEAKER}(?:tell|let|show|help)(?: (?:him|her|them|me|us))?(?: know)?(?: where(?: (?:it"
        r"|they)"
        rf" (?:is|are))?)?{END}",
        r"find \g<x>",
    ),
    (
        rf"{START}(?:i|we) (?:can not|could not|will not|am not (?:going to|able to)|do not want to|refuse to"
        r"|would rather not)"
        r" [^.,;]*?(?:until|till|unless|before|without) (?:(?:i|we) (?:know|find out|have found out|have"
        r" discovered)|knowing"
        rf"|finding out|having found out) where {THING} (?:is|are|went|has gone){_LOOK}\s*[.,;]",
        r"find \g<x> . ",
    ),
    # "let me know as soon as you find the mug"
    (
        r"\b(?:let (?:me|us) know|tell (?:me|us)|inform (?:me|us)|give (?:me|us) a (?:shout|call|sign|yell)|call"
        r" (?:me|us)|shout|say"
        r" so) (?:when|whenever|as soon as|once|if|after|the moment) you(?: (?:have|finally|manage to|happen to|do))*"
        rf" (?:find|found|spot|spotted|locate|located|come across|see|seen|discover|discovered) {THING}{END}",
        r"find \g<x>",
    ),
    # "somebody has moved the mug, find out where it is", "nobody can find the mug, have a look"
    (
        rf"{START}{SOMEBODY} (?:has|have|must have|may have|had|seems to have) (?:moved|taken|hidden|borrowed"
        r"|misplaced"
        rf"|mislaid|used|tidied away|tidied|shifted|lost|pinched|nicked|run off with) {THING}{_LOOK}\s*[.,;]",
        r"find \g<x> . ",
    ),
    (
        rf"{START}(?:nobody|no one|none of us)(?: here)? (?:can|could|has been able to|is able to|has|ever|seems"
        r" to be able to"
        rf"|managed to|has managed to)(?: (?:find|see|locate|spot)|found|seen) {THING}(?: (?:anywhere|so far|yet"
        rf"|today))*{_LOOK}",
        r"find \g<x>",
    ),
    # "did i leave my hat somewhere? find out where", "i left my hat somewhere, tell me where"
    (
        rf"{START}(?:(?:did|have|had|could|might|may) )?{SOMEBODY} (?:have |had |must have |may have )?(?:leave"
        r"|left|put|drop"
        rf"|dropped|lay|laid|place|placed|lose|lost|mislaid|hide|hidden|forget|forgotten) {SHORT_THING}"
        r"(?: (?:down|behind|lying))?(?: (?:some|any)where(?: (?:in|around|about|else) ?[^.,;]*)?)?\s*[.,;] "
        rf"{_FOR_SPEAKER}{_TELL} where(?: exactly)?(?: (?:it|they) (?:is|are))?{END}",
        r"find \g<x>",
    ),
    (
        rf"{START}{THING} (?:has|have|must|ought)(?: got)? (?:to )?be (?:some|any)where(?: [^.,;]*)?\s*[.,;]"
        rf" {_FOR_SPEAKER}"
        rf"{_TELL} where(?: exactly)?(?: (?:it|they) (?:is|are))?{END}",
        r"find \g<x>",
    ),
    # "my eyes are not good enough to spot the mug, find it"
    (
        rf"{START}(?:(?:my|our) (?:eyes?|eyesight|sight|glasses) (?:is|are)|(?:i|we) (?:am|are)) not (?:\w+"
        r" )?(?:good|sharp"
        r"|strong|keen|up to|well|fit|quick) (?:enough )?(?:to|for) (?:spot|see|find|look for|search for|locate"
        r"|spotting"
        rf"|seeing|finding) {THING}{_LOOK}\s*[.,;]",
        r"find \g<x> . ",
    ),
    # "i would be glad of some help finding the mug"
    (
        rf"{START}(?:{I_WANT}|(?:i|we) (?:could|can) (?:use|do with)) (?:(?:some|a|a bit of|a little|your|any"
        r"|another|more"
        r"|fresh|extra|second) )*(?:help|hand|assistance|(?:pairs? of )?eyes)(?: (?:to help(?: me| us)?|to"
        r" assist me))?"
        r"(?: (?:please|now))? (?:in |with |to )?(?:finding|find|locating|locate|looking for|look for|searching"
        r" for|search for"
        rf"|tracking down|track down|hunting for) {THING}{END}",
        r"find \g<x>",
    ),
    # "i am after the mug, can you tell me where to look", "if i wanted the mug, where would i have to look"
    (
        rf"{START}(?:{I_WANT}|(?:if|when|whenever) (?:i|we) (?:\w+ )?(?:want|wanted|need|needed|looked for|were"
        r" looking"
        rf" for|was looking for|am looking for)) {SHORT_THING}\s*[.,;] (?:so )?(?:(?:please|could|can|would"
        r"|will|do|you"
        r"|tell|show|let|me|us|know|any|idea|clue|just) )*where (?:to (?:look|search|find (?:it|them))|(?:would"
        r"|should|could"
        r"|can|do|might|must) (?:i|we) (?:(?:have|need|be|best) )?(?:to )?(?:look|looking|search|go|find (?:it|them))"
        rf"|i (?:can|could|might|should|would|must|ought to) (?:find (?:it|them)|look))(?: for (?:it|them))?{END}",
        r"find \g<x>",
    ),
    # "instead of me searching all day for the mug, can you tell me where to look"
    (
        rf"{START}(?:instead of|rather than) (?:(?:me|my|us|our|having) )*(?:(?:i|we) )?(?:spend(?:ing)?"
        r" [^.,;]*?|start(?:ing)? )?"
        rf"(?:search|look|hunt|rummag)(?:ing|e)? [^.,;]*?for {THING}(?: (?:all day|myself|everywhere|again|any"
        r" longer))*"
        rf"(?=\s*[.,;] {_FOR_SPEAKER}{_TELL} (?:where (?:to (?:look|search|go|find (?:it|them))|(?:it|they) (?:is|are)"
        rf"|(?:i|we) (?:can|could|should|might|must) (?:look|search|find (?:it|them))){END}|(?:(?:find|look for) )?"
        rf"(?:it|them)\b))",
        r"find \g<x>",
    ),
    (r"\binform (?P<me>me|us) (?=where\b|of the (?:whereabouts|location)\b)", r"tell \g<me> "),
    (rf" instead of (?:me|us)(?: (?:having to|doing (?:it|that|so)))?{END}", ""),
    # "i can not find the mug, could you help me look"
    (
        r"\b(?:help (?:me|us)(?: to)? |(?:can|could|would|will) you (?:please )?)(?:look|search|hunt)(?: (?:as"
        r" well|too|around"
        r"|everywhere|again))*(?=\s*(?:[.,;]|$))",
        "find the same",
    ),
    # "somebody has moved the mug and i do not know where, please find it"
    (
        r",?(?<=[\w,]) (?:(?:and|but|so) )?(?:now )?(?:(?:i|we) |(?<=and )|(?<=but )|(?<=now ))(?:do not|can not"
        r"|could not|no longer|have no)"
        r" (?:\w+ )?(?:know"
        rf"|remember|recall|think|say|idea|clue)(?: of)? where(?: to| exactly)?{ABOUT_IT}",
        " . ",
    ),
    # "i put the mug down, but where is it now"
    (
        r",? (?:but|and|yet|so) (?=(?:now )?where(?: on earth)? (?:is|are|has|have|could|might|did) (?:it|they)\b)",
        " . ",
    ),
)
_COMPILED = compiled(_PLAIN)


def plain_questions(text: str) -> str:
    """Returns a normalised text in which people ask for a lost thing in sentences of their own."""
    return applied(_COMPILED, text)
