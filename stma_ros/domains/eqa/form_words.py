"""Groups of words in the forms of questions, as parts of regular expressions."""

from __future__ import annotations

BE = r"(?:is|are|was|were)"
WHICH = r"(?:what|which)"
CAN = r"(?:can|could|should|shall|might|may|would|will|must|do|does|did)"
ONE = r"(?:i|we|you|one|someone|somebody|people|he|she|they|a person|(?:the|my|our|a|an) \w+)"
MODAL = r"(?:can|could|should|shall|might|may|would|will|must)"
ONE_CAN = (
    rf"(?:{MODAL} {ONE}|(?:do|did) (?:i|we|you|people)|does (?:one|someone|somebody|a person)|{ONE} {MODAL})"
)
SEE = r"(?:(?:possibly |first )?(?:see|find|notice|spot|touch|expect|count))"
SEEN = rf"(?:(?:can|could|might|may|will|would|do|did) {ONE} {SEE}|(?:can|could|might) be (?:seen|found))"
HAVE = r"(?:has|have|had|contains?|holds?|features?|shows?)"
LOSE = r"(?:leave|left|put|lose|lost|forget|forgot|placed?|keep|kept|store|hide|see|seen|saw)"
ROOM = r"(?:rooms?|floors?|level|storey|part of the (?:house|home)|area|space)"
HOME = r"(?:room|house|home|apartment|flat|building|place|space|scene)"
MEANS = r"(?:way|place|spot|method|thing|object|item|tool|device)s?"
SORT = r"(?:kind|type|sort|style|make|model|species|flavou?r|genre)s?"
PARTICIPLE = (
    r"(?:(?!placed|located|attached|connected|fixed|tied|linked|glued|taped)\w+ed|shown|drawn|written|worn)"
)
COMPARED = (
    r"(?:the )?(?!(?:under|over|other|upper|lower|inner|outer)\b)(?:\w+(?:er|est)|more|most|less|least)\b"
)
SERVES = (
    r"(?:is |are )?(?:help|allow|let|keep|provid|control|heat|cool|light|illuminat|power|charg|protect|prevent)"
    r"(?:s|es|ing)(?: up)?"
)
LOCATED = (
    r"(?:located|placed|kept|stored?|hanging from|hanging|sitting|situated|positioned|written|found|at|now|before"
    r"|today|yesterday|lately|recently)"
)
MAIN = (
    r"(?:main|principal|primary|dominant|predominant|overall|general|exact|base|background|two|three|other)"
)
ATTRIBUTE = (
    rf"(?P<attribute>(?:{MAIN} )*colours?(?: pattern| scheme)?|(?:{SORT} of )?(?:shape|size|pattern|print|texture"
    r"|design|finish|condition|temperature|material|fabric|wood|metal|stone|flooring)|height|length|width|depth|weight"
    r"|brand(?: name)?)"
)
SOMETHING = (
    r"(?:(?:any|some)(?:thing|where|one)"
    r"|(?:a|an|any|some) (?:\w+ )??(?:place|way|thing|object|item|device|tool|spot)s?)"
)
FREE = r"(?:(?:a|an|any|some|enough|sufficient|still|more|much) )*(?:room|spaces?|area|walkable path|path|free \w+)"


PUT = r"(?:put|place|fit|keep|store|add|throw|hang|leave|set|lay)"
"""Verbs that put a thing somewhere."""
