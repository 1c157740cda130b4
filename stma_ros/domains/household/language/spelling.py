"""Normalises the spelling of a text: lower case, full forms of contractions, no filler words."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import PARTICIPLE, STATE

_BASE = "(?:" + "|".join(verbs.BASES) + ")"
_NOT_AFTER_SUBJECT = (
    r"(?<!\byou)(?<!\band)(?<!\bso)(?<!\bor)(?<!\bto)(?<!\bthen)(?<!\brobot)(?<!\bpretty)(?<!\bthe)"
    r"(?<!,)(?<!\.)(?<!:)(?<!&)"
)

_CONTRACTIONS = (
    # typed abbreviations
    (r"\bp\. ?s\.", "ps ,"),
    (r"\bu\b(?! ?-)", "you"),
    (r"\bur\b", "your"),
    (r"\b(?:pls|plz|plse)\b", "please"),
    (r"\b(?:thx|tnx|ty|thanx)\b", "thanks"),
    (r"\basap\b", "at once"),
    (r"\by'all\b|\byou all\b(?= (?:mind|please))", "you"),
    (r"\b(that|there|where|what|here|who)s\b", r"\1 is"),
    (r"\b(do|does|did|should|would|could|is|are|was|need|must)nt\b", r"\1 not"),
    (r"\bim\b", "i am"),
    (r"\bive\b", "i have"),
    (r"\bgimme\b", "give me"),
    (r"\blemme\b", "let me"),
    (r"\bwanna\b", "want to"),
    (r"\bgonna\b", "going to"),
    (r"\bgotta\b", "must"),
    # spoken contractions
    (r"\bcan't\b|\bcannot\b|\bcant\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"\b(\w+)n't\b", r"\1 not"),
    (
        r"\b((?:some|every|any)(?:one|body)|nobody|no one)'s (?=(?:\w+ing|not|\w+ed|still|here|in|at|on|done|left"
        r"|gone)\b)", r"\1 is ",
    ),
    (r"\b(\w+)'s (?=(?:been|got)\b)", r"\1 has "),
    (r"\b(it|that|there|he|she|where|what|who|here|how|everything|nothing)'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"\b(i|you|we|they|he|she|it)'d (better)\b", r"\1 had \2"),
    (
        r"\b(i|we|he|she|they)'d (?=(?:just )?(?:expected|hoped|thought|wanted|meant|planned|been|forgotten)\b)",
        r"\1 had ",
    ),
    (r"\b(i|you|we|they|he|she|it|that|there)'d\b", r"\1 would"),
    (r"\bwherever (?=(?:can|could|has|have|is|are|did|do|does|might)\b)", "where "),
    (r"\b(?:at present|as of now|as we speak|for the moment)\b", "at the moment"),
    (r"\bi find (?:that )?(?=i (?:am|need|want)\b)", ""),
    (
        r", only (?=(?:i|we|(?:my|our) [a-z]+) (?:(?:just|really) )?(?:can|could|will|would|do|does|am|have|has)\b)",
        ", but ",
    ),
    (r"\b(i|you|we|they|it|that|there)'ll\b", r"\1 will"),
    (r"\b(i|you|we|they)'ve\b", r"\1 have"),
    (r"\b(you|we|they|where)'re\b", r"\1 are"),
    (r"\bi'm\b", "i am"),
    (
        r"\b(i|we) should (?=(?:(?:really|so|very|much|also|just|dearly|be|feel|most|far) )*(?:like|love|prefer"
        r"|appreciate"
        r"|welcome|glad|happy|happier|grateful|pleased|obliged|delighted|thankful|relieved|easier|better|safer|calmer"
        r"|more|sooner)\b)",
        r"\1 would ",
    ),
    (r"\b(\w+)'s (?=(?:in|on|at|under|behind|with|from|off|by|near) (?:an?|the|my|our|his|her|their)\b)", r"\1 is "),
    (r"\b(\w+)'s (?=(?:an?|the|such|my|our|your|no|not|nothing|what|where|why|how)\b)", r"\1 is "),
    (
        r"\b(dinner|lunch|breakfast|supper|tea|work|school)'s (?=(?:over|done|finished|ready|on|nearly"
        r"|almost)\b)", r"\1 is ",
    ),
    (r"\b(\w+)'s (?=(?:still |too |so |very |been |already |now |getting )*(?:on|off|open|ready|empty|full|here|cold"
     r"|asleep|sleeping|late|dirty|running|left|lying|standing|missing|gone|coming|arriving|visiting|sick|ill"
     r"|busy|tired|closed|shut|in the|on"
     r" the)\b)", r"\1 is "),
)  # fmt: skip

_ANYWHERE = (
    r"\b(?:in|around|round|through|inside|throughout) (?:(?:the|this|my|our|whole|entire) )+(?:house|flat|apartment"
    r"|home)\b"
)
_FILLERS = re.compile(
    r"\b(?:somehow|by (?:mistake|accident)|by rights|only (?=(?:this (?:morning|afternoon|evening)|yesterday"
    r"|last night|a (?:moment|minute|second|while) ago)\b)|accidentally|everywhere|all over the place|over there"
    r"|(?<=where )(?:on earth|in the world|the (?:hell|heck"
    r"|devil))|high and low|far and wide|uh+|u+m+|er+m*|hm+"
    r"|(?:i|we) (?:could|would) (?:have sworn|swear)(?: that)?(?= (?:i|we|the|my|our) )"
    r"|(?<=\w )(?:somewhere|anywhere|someplace)(?= (?:in|on|inside|at|near|under|behind|next to|beside|by)"
    r" (?:the|my|our"
    r"|there|here"
    r"|it)\b)"
    r"|gently|carefully|properly|completely|firmly|tightly|fully|neatly|softly|slowly|quietly|nicely"
    r"|tidily|swiftly|promptly"
    r"|urgently|cautiously|directly|straight(?! away))\b|" + _ANYWHERE
)

_IDIOMS = (
    (r"\bis (?=(?:been|got)\b)", "has "),
    # numbered and bulleted lists
    (r"(?:^|(?<=[\s.:;,]))(?:step )?\(?(?:\d{1,2}|[a-d])[.)](?: |:)(?=[a-z])", " . "),
    (r"(?:^|(?<=[\s.:;,]))step (?:\d{1,2}|one|two|three|four|five)\s*[:,-]", " . "),
    (r"^\s*[-*\u2022] |\s[*\u2022] ", " . "),
    (r"\bdoor (?:to|into|leading to) (?=the \w+)", "door of "),
    (r"\b(on|off|open|running) any ?(?:longer|more)(?=\s*[.,;!?])", r"\1"),
    (
        r"\b(?:i|we) do not (?:want|like) (?=(?:the|my|our) [^.;:,]+ (?:in|on) (?:the|my|our)"
        r" [^.;:,]+(?<! open)(?<! on)(?<! off)(?<! running)(?<! is in the)\s*[.;:,])([^.;:,]+?)(?: to (?:stay|be"
        r"|remain))? (?=(?:in|on) )",
        r"\1 should not be ",
    ),
    # all objects of a kind
    (r"\b(?:whatever|whichever) (\w+) (is|are)\b", r"all \1 that \2"),
    (r"\b(?:whatever|whichever|what) (\w+s) (?=(?:you|we|i|there)\b)", r"all \1 "),
    (r"\ball (?:what|that|which) (?:is|are) (?:an? )?(?=\w+ )", "all "),
    (r"\b(the|all) lot of (?:the|my|our)\b", "all the"),
    (r"\bthe (?:bigger|larger)(?: one)? of the (?:two )?(?=\w)", "the one big "),
    (r"\bthe smaller(?: one)? of the (?:two )?(?=\w)", "the one small "),
    # forms with labelled fields
    (
        r"(?:\b(?:target|object|item|what)\s*:\s*)(?P<x>[^.;:\n]+?)\s*[.;,\n]\s*"
        r"(?:destination|goal|place|where(?: to)?|location|to)\s*:\s*(?=\w)",
        r"put \g<x> to the ",
    ),
    (r"\bput (.+?) to the (?=(?:the|my|our|a|an) )", r"put \1 to "),
    # an unwanted current state
    (
        r"(?P<x>(?:the|my|our|all) [^.;:,]+?) (?P<is>is|are|has been left|have been left) (?:still"
        r" )?(?P<state>open|closed|shut|on|off|running|empty)"
        r"[\s.;,]+(?:and |but |though |which )?(?:it|that|they|which)? ?(?P<should>should|ought|must) not"
        r" (?:to )?be(?: so)?\b",
        r"\g<x> \g<should> not be \g<state>",
    ),
    (
        r"(?:(?:check|see|look|find out) (?:if|whether) )?\b(?P<is>is|are) (?P<x>(?:the|my|our|all)"
        r" [^.;:?,]+?) "
        r"(?P<state>open|closed|shut|on|off)\s*[?.,;]\s*(?:if not|otherwise)\b",
        r"make sure \g<x> \g<is> \g<state> . ",
    ),
    (
        r"(?:^|(?<=[.,;:?!] ))((?:oh |so |very )*(?:i am )?(?:sorry|excuse me|pardon|i hate to|forgive me"
        r"|apologies|not to be)\b[^.;,]*?),? but ",
        r"\1 . ",
    ),
    (r"(?:(?<=^)|(?<=[.,;:?!] ))(can|could|would|will) not you\b", r"\1 you"),
    (
        r"(?<!look)(?<!search)(?<!looking) for (?:me|us) (?=(?:in|on|into|onto|next to|beside|by|with|at|under) )",
        " ",
    ),
    (
        r" (?:to|in|into) (?:its|their|the) (?:\w+ )?(?:places?|spots?|homes?) (?=(?:in|on|inside|next to"
        r"|beside) (?:the|my|our) )",
        " ",
    ),
    (r":(?= (?:it|they) \w)", " ."),
    (
        r"(?:^|(?<=[.,;?!] ))(?:i|we) (?:would|could|can not)\b[^.;,]*? (?:myself|ourselves)\b(?:,? but"
        r" (?!(?:please|could|can|would|will|you)\b)[^.;,:]*)?(?=[.;,:])(?!,? but\b)(?![.;,] (?:(?:so|but|and"
        r"|please|could|can|would|will|you) )*\w+ (?:\w+"
        r" )?(?:it"
        r"|them)\b)(?!,? (?:so |and )?(?:(?:please|could you|can you|would you) ?)+(?:do (?:it|that"
        r"|this|so))?)",
        "",
    ),
    (r"\(([^()]*,[^()]*)\)", r" : \1 . "),
    (
        r"\b(can|could|should|must|may|might|will|would|has to|have to|needs? to) (?:then|afterwards|next) (?=be "
        r"|go )",
        r"\1 ",
    ),
    # "the window there should be open"
    (
        r"(?<!\bon )(?<!\bin )(?<!\bat )(?<!\bby )(?<!\bto )(?<!\bunder )(?<!\bnear )(?<!\bbehind )(?<!\binside )"
        r"(?<!\bbeside )(?P<x>\b(?:the|my|our|all|both)(?: the)? \w+(?: \w+)?|(?:open|close|shut|empty|fill"
        r"|(?:turn|switch)"
        r" (?:on|off)) (?:the|all) (?:\w+ )?\w+)(?<! in) there (?=(?:should|must|is|are|needs?|has|have|ought"
        rf"|belongs?"
        rf"|goes|go|{STATE}|{PARTICIPLE})\b(?! (?:be )?(?:a|an|some|any|two|three|four|five)\b))"
        r"(?!(?:is|are)(?:\s*(?:[.,;:?!]|$)| (?:in|on|into|onto|to|from|off)\b))",
        r"\g<x> from there ",
    ),
    (
        r"\b((?:open|close|shut|empty|fill|(?:turn|switch) (?:on|off)) (?:the|all) (?:\w+ )??\w+)(?<! in)"
        r" there(?=\s*[.,;:?!]|$)",
        r"\1 from there",
    ),
    (r"(\bthe one small \w+\b[^.]*?)\bthe (?:bigger|larger)(?: one)?\b(?! of)", r"\1the big one"),
    (r"(\bthe one big \w+\b[^.]*?)\bthe smaller(?: one)?\b(?! of)", r"\1the small one"),
    (r"\bthat (is|are) inside(?! (?:the|my|our|of|a)\b)", r"that \1 in it"),
    (r"(?:^|(?<=[.;?!] ))(?:one|two|three|four|five)\s*(?::\s|,\s(?=(?:please )?" + _BASE + r" ))", " . "),
    (r"\bdo please\b", "please"),
    (r"(?<=\w) \+ (?=\w)", " and "),
    (r"\bup and running\b", "running"),
    (r"\b(where (?:is|are) [^.,;?]+?) at(?=\s*[.?])", r"\1"),
    (r"\bwhere do you (?:think|suppose|reckon|believe|guess|imagine)(?: that)? ", "where "),
    (r",? *\b(?:by any chance|perchance)\b,?|(?<!what )(?<!has )\bhappen(?:ed)? to (?=\w)", ""),
    (
        r"\byou have not (?=(?:seen|found|spotted|come across)\b)|, have you(?=\s*[.?!]|$)",
        lambda m: "have you " if m[0][0] == "y" else "",
    ),
    (r"\b(?:must|may|might|could|should) have (?=(?:left|put|dropped|forgotten|misplaced)\b)", "have "),
    # negative polite questions
    (
        r"(?<!if )\byou (could|would|can|might|do) not (?:possibly )?(?=(?:mind|happen to|know|be able to)\b"
        r"|[^.;]+?,? (?:\1|will|would) you\b)",
        r"\1 you ",
    ),
    # groups: "of the bowls, ... the smallest", "the red one of the cushions"
    # requests without commas
    (
        rf"(?<=\w)(?<! if)(?<! whether)(?<! that)(?<! what)(?<! where)(?<! how)(?<!\bwhy)(?<! when)(?<! and)(?<! or)"
        rf"(?<! so)(?<! then)(?<! but)(?<! please)(?<!robot)(?<!hey)(?<!hi)(?<!hello) "
        rf"(?=(?:can|could|would|will) you (?:please |just |maybe )?{_BASE} (?:the|a|an|my|our|it|them|all|off"
        rf"|on|up|down|me|every|out)\b)",
        " . ",
    ),
    (
        rf"(?<=\w){_NOT_AFTER_SUBJECT} please (?=(?:(?:can|could|would|will) you )?{_BASE} (?:the|a|an|my|our|it"
        rf"|them|all|off|on|up|down"
        r"|me|every|out)\b)",
        " . ",
    ),
    (r"(?<!make) please (?=(?:the|my|our|a|an|all)\b)", " "),
    (r"\b(make|let|keep|put|switch|turn|bring|give) please\b", r"\1"),
)


def normalised(text: str) -> str:
    """Returns a text in normalised spelling, with one space between words.

    Ids such as "coffee_table_2" keep their underscores.
    """
    words = re.sub(r"[\u2018\u2019`]", "'", text.lower())
    words = re.sub(r"_(?!\d+\b)(?!\w+_\d+\b)", " ", words)
    words = _FILLERS.sub("", words)
    for pattern, replacement in (*_CONTRACTIONS, *_IDIOMS):
        words = re.sub(pattern, replacement, words)
    words = re.sub(r"[\"\u201c\u201d()]|(?<![a-z0-9])'|'(?![a-z0-9])", " ", words)
    return " ".join(re.sub(r"[?!.;\u2013\u2014]+|\s-+\s", " . ", words).split())
