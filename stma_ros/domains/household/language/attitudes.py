"""Words by which people say what they want or think best, as building blocks of the matrix of an indirect request."""

from __future__ import annotations

from stma_ros.domains.household.language.patterns import OTHER_PEOPLE

ADVERB = (
    r"(?:really|just|also|actually|simply|please|kindly|perhaps|maybe|possibly|still|now|honestly|definitely"
    r"|certainly"
    r"|rather|so|quite|truly|dearly|much|very|very much|greatly|absolutely|only|probably|ever so|even|too"
    r"|all(?! (?:of|the|my|our|these|those|two|three|four|five|six)\b)"
    r"|more|most"
    r"|particularly|especially|extremely|terribly|awfully|incredibly|super|pretty|a bit|a little|a lot|far|always"
    r"|personally|ideally|obviously|clearly|usually|always|generally|urgently|badly|desperately|then|by now)"
)
GOOD = (
    r"(?:an? )?(?:(?:nice|good|great|lovely|wonderful|fantastic|brilliant|perfect|ideal|helpful|kind|handy|useful"
    r"|best"
    r"|better|awesome|amazing|super|excellent|marvellous|splendid|sweet|cool|neat|grand|fab|fabulous|terrific|swell"
    r"|appreciated|preferable|desirable|advisable|wise|wiser|sensible|smart|important|necessary|essential|vital"
    r"|crucial|possible|ok|okay|fine|alright|all right|convenient|pleasant|delightful|welcome|feasible|nicer"
    r"|safer|easier|tidier|appropriate|proper|fitting|right|thoughtful|decent|generous|clever|worthwhile|big"
    r"|huge|real|massive|enormous|tremendous|immense|colossal|giant|major|serious|total|absolute|genuine|true)"
    r" ?)*(?:(?:help|relief|favou?r|idea|thing|pleasure|treat|bonus|godsend|kindness|blessing|plan|move|moment|time"
    r"|start|touch|gesture|must|support|boost|boon|plus|win|gift|joy|delight|comfort|lifesaver|life saver|game ?changer"
    r"|miracle|surprise|service|improvement|(?:load|weight|burden) off my (?:mind|shoulders|back|plate)))?(?<=\w)"
)
"""What is called so is wanted, as in "it would be ... if": adjectives, nouns, or both."""

BENEFIT = (
    r"(?:help(?: (?:me|us))?(?: out)?|please|suit(?: (?:me|us))?(?: (?:best|better|fine|very well"
    r"|down to the ground))?|delight|mean a lot|mean the world"
    r"|make (?:my|our) (?:day|evening|morning|night|week)|make (?:me|us) (?:very |so |really )?happy|work best"
    r"|make (?:(?:my|our) )?(?:life|things|everything|it|(?:morning|evening|day)) (?:so |much |a lot |far |that much )*"
    r"(?:easier|better|simpler|nicer|smoother|more pleasant|more bearable)"
    r"|(?:save|spare) (?:me|us|(?:my|our) [\w-]+)(?: (?!if\b|when\b|for\b)[\w'-]+){0,4}?"
    r"|(?:take|lift) (?:a|one|that|the|some) (?:[\w-]+ ){0,2}?(?:load|weight|burden|worry|job|thing|task|pressure)"
    r" off (?:my|our|me|us)(?: \w+)?|(?:put|set) (?:my|our) minds? at (?:ease|rest)|ease (?:my|our) minds?"
    r"|give (?:me|us) (?:some |a bit of |a little |a )?(?:peace of mind|breather|break|breathing space|rest)"
    r"|do (?:me|us) (?:good|a power of good)|cheer (?:me|us) up|free (?:me|us) up|lighten (?:my|our) load"
    r"|go a long way|come in (?:\w+ )?handy|get (?:me|us) out of a (?:jam|bind|hole|fix|tight spot))"
)
"""What something that is wanted would do for the speaker, as in "it would ... if you"."""

NORMATIVE = (
    r"(?:an? )?(?:best|better|important|necessary|essential|vital|crucial|imperative|advisable|preferable|wise"
    r"|sensible"
    r"|good idea|must|required|needed|(?:high |about )?time|critical|mandatory|urgent|safer|wiser)"
)
"""What is called so without "would" is wanted as well: "it is important that"."""

CONTENT = (
    r"(?:happy|glad|grateful|thankful|pleased|delighted|obliged|relieved|content|over the moon|thrilled|happier"
    r"|better"
    r"|calmer|safer|more comfortable|more relaxed|indebted|keen|eager|overjoyed|ecstatic|reassured|at ease|more"
    r" at ease"
    r"|forever grateful|in your debt)"
)
"""How the speaker would feel about what is wanted."""

SPEAKER = rf"(?:i|we|{OTHER_PEOPLE})"
WANT = (
    r"(?:(?:wants?|needs?)(?! that you\b)|like|love|prefers?|appreciate|wish(?:es)?|expects?|asks?|requests?"
    r"|requires?|demands?"
    r"|suggests?|propose|recommend|insists?(?: on it)?|hopes?|fancy|welcome|opt|vote"
    r"|beg|urge|advise|trust|desire|had better|have got to|might as well"
    r"|(?:am|are|was|were|is|have been|had been)(?: \w+ly| just| rather)? (?:hoping|wanting|asking|looking"
    r"|requesting|thinking"
    r"|wishing|hoping for|suggesting|expecting|keen|eager|longing|itching|dying|counting on it))"
)
"""Verbs of wanting. With "I want that you bring it on the table", said as in other languages, it is not clear whether
the thing is on the table or is to be there."""

OPINION = (
    r"(?:think|believe|reckon|guess|suppose|feel|figure|say|would say|would think|would have thought|imagine"
    r"|(?:am|are) (?:sure|certain|convinced|afraid|told|pretty sure|fairly sure)|know|(?:have )?(?:decided"
    r"|agreed)|agree|insist"
    r"|gather|mean|remember)"
)
WISHED = (
    r"(?:wish|request|hope|plan|idea|goal|aim|job|task|mission|order|instruction|preference|suggestion|intention"
    r"|desire|step|duty|assignment|chore|errand|objective|proposal|priority|advice|recommendation|favou?r|dream"
    r"|(?:next|only|best|first|last) thing|(?:item|point|thing) on (?:the|my|your|our|today's) (?:[\w-]+ )?(?:list"
    r"|agenda))"
)
"""Nouns whose content is what is wanted: "my wish is that"."""

TROUBLE = (
    r"(?:too much (?:trouble|bother|to ask|hassle|of a (?:bother|problem))|too much|asking too much|asking a lot"
    r"|an? (?:imposition|trouble|bother|problem|hassle|big ask))"
)
"""What a polite question is not meant to be: "would it be ... to"."""
