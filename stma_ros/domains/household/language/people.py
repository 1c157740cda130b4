"""Patterns of people, and of parts of them, of whom something is told: "my mother", "both of the kids", "my knees"."""

from __future__ import annotations

PEOPLE = (
    r"(?:kids?|child(?:ren)?|baby|babies|twins?|toddlers?|boys?|girls?|guests?|visitors?|family|parents?|mother|father"
    r"|mum|mom|dad|wife|husband|partner|son|daughter|sister|brother|siblings|grand(?:ma|pa|mother|father|son|daughter"
    r"|children|parents|kids)|granny|nan|nana|aunt|auntie|uncle|cousins?|niece|nephew|in-laws|(?:mother|father|sister"
    r"|brother|son|daughter)-in-law|boss|colleagues?|neighbou?rs?|friends?|flatmates?|roommates?|housemates?|landlord"
    r"|landlady|doctor|nurse|physio(?:therapist)?|therapist|dentist|surgeon|carer|caregiver|patients?|plumber"
    r"|electrician|builders?|workmen|cleaners?|teachers?|pupils?|students?|clients?|customers?|tenants?|inspector"
    r"|singers?|players?|men|women|lady|ladies|gentleman|man|woman|people|others|agent|dog|cat|puppy|kitten|pets?)"
)
BODY = (
    r"(?:backs?|knees?|hips?|legs?|ankles?|foot|feet|toes?|arms?|elbows?|wrists?|hands?|fingers?|thumbs?|shoulders?"
    r"|neck|head|eyes?|eyesight|sight|hearing|ears?|heart|stomach|joints?|bones?|muscles?|body|memory|voice|nerves"
    r"|balance|strength|arthritis|rheumatism|asthma|cough|fever|cold|flu|headache|migraine|sciatica|hay fever)"
)
_TITLE = r"(?:mr|mrs|ms|miss|dr|doctor|nurse|professor|aunt|auntie|uncle|grandma|grandpa|granny)"
NAME = rf"{_TITLE}(?: (?!is\b|has\b|was\b|will\b)[a-z]+)?"
_PERSON = (
    rf"(?:i|we|he|she|everyone|everybody|{NAME}|mum|mom|mummy|mommy|dad|daddy|guests|visitors|people|friends"
    rf"|(?:(?:all|both) (?:of )?)?(?:the|my|our|his|her) (?:[a-z]+ )?{PEOPLE}|all (?:my|our) {PEOPLE}"
    rf"|(?:my|our|his|her) (?:[a-z]+ )?{BODY})"
)
SUBJECT = rf"{_PERSON}(?: and {_PERSON})?"
