"""Patterns of what people tell of themselves and of their day: "my knees hurt", "I have been up since six".

The lists of predicates are closed: whatever else is told may be about a request.
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language.quantities import NUMBER

_NUMBER = rf"(?:{NUMBER}|(?:thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-{NUMBER})?)"

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
_ADVERB = (
    r"(?: (?:really|already|almost|nearly|hardly|barely|scarcely|finally|currently|probably|usually|simply|truly"
    r"|honestly|just|only|also|still|now|never|always|often|even|soon|once|all|both|not))*"
)
_DEGREE = r"(?:(?:so|too|very|really|quite|rather|pretty|a bit|a little|completely|totally|all|dead) )*"
_UNIT = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)"
_TIME = (
    rf"(?:(?:about|around|nearly|almost|early|late|the|this|next|last|all|half|quarter|past|to|an?|one|few|couple of"
    rf"|past|{_NUMBER}) )*(?:(?:{_NUMBER}|half an?|few|an?) {_UNIT}|(?<= ){_NUMBER}(?: (?:o'clock|am|pm))?|\w+days?"
    rf"|today|tonight|tomorrow|yesterday|noon|midnight|midday|morning|afternoon|evening|night|week|weekend|month|year"
    rf"|while|lunch|lunchtime|dinner|dinnertime|breakfast|bedtime|spring|summer|autumn|winter|christmas|easter|dawn|day"
    rf"|moment)"
)
_WORD = rf"(?!(?:{_NUMBER}(?!-)|at|in|on|to|for|of|with|and|but|so|because|or|if|until|than|you|it|them|not)\b)[a-z'-]+"
_NOUN = rf"(?:(?:the|my|our|his|her|their|an?|some|this|all|no) )?{_WORD}(?: {_WORD})?"
_ADJUNCTS = (
    rf"(?: (?:(?:(?:at|by|until|till|before|after|since|in|for|on|from|during|over) )?{_TIME}|(?:at|in|on|from|off|to"
    rf"|into|out of|round|around|with|by|over|behind|of|about|for) {_NOUN}|here|there|home|back|now|just now|right now"
    rf"|at the moment|again|already|well|badly|ill|early|late|long|alone|by hand|ourselves|myself|much|yet|any ?more"
    rf"|these days|nowadays|away|apart|round|over|outside|upstairs|downstairs|soon|since (?:i|we) (?:got in|got up"
    rf"|got home|woke up)|over(?= (?:at|in|on|for|this|to)\b)))*"
)
_HOW = (
    rf"(?:tired|exhausted|worn out|wiped out|shattered|knackered|drained|weary|ill|sick|poorly|unwell|pregnant|asleep"
    rf"|awake|fast asleep|sound asleep|old|young|elderly|retired|busy|stuck|late|early|tied up|occupied|dead on (?:my"
    rf"|our) feet|grateful|glad|happy|sad|lonely|bored|stressed|nervous|excited|afraid|sore|stiff|bad|weak|blind|deaf"
    rf"|injured|swollen|broken|frail|dizzy|worse|bandaged|strapped up|tender|painful|shaky|unsteady|slow|well|wet|messy"
    rf"|greasy|dirty|in plaster|in a cast|run off (?:my|our) feet|expected|covered in [a-z]+|behind (?:with|on) {_NOUN}"
    rf"|up to (?:my|our) (?:eyes|ears|neck)|no use(?: to anyone)?|home|out|away|here|there|back|off|up|upstairs"
    rf"|downstairs|outside|in|not what they (?:once )?(?:were|used to be)|allergic|on (?:my|our|his|her|the) {_WORD}"
    rf"|as [a-z]+(?: on (?:my|our) feet)? as (?:i|we|they) used to be|{_NUMBER}(?: (?:now|years old|this year))?)"
)
_OWN = (
    r"(?:get(?: (?:up|out|away|home|in|to|dressed|ready|started|dinner started|any rest|any sleep|some rest|back))?"
    r"|stand(?: up)?|sit(?: down| still)?|walk|move|bend(?: down)?|kneel(?: down)?|climb|lift|lie down|sleep|rest|go"
    r"|come|leave|drive|work|study|eat|drink|be|catch|run|hear|breathe|concentrate|focus|think straight|manage|cope"
    r"|reach|touch|carry|stay|keep off|keep out|visit|arrive|return|wake|disturb|overdo|feel|dare(?: to)? move"
    r"|see (?:well|properly)|bear|face|strain|do (?:their|his|her|my|our) (?:share|homework|bit)|talk|look after|teach"
    r"|help|finish|have)"
)
"""What people do with their own bodies and times."""
_OBJECT = (
    rf"(?: (?:everything|anything(?: heavy)?|much|stairs|heavy (?:things|loads)|his side|her side|their side|my side"
    rf"|(?:the )?(?:house|baby|children|kids)|him|her|us|me|(?:my|our|his|her|their) (?:{BODY}|{PEOPLE}|share|homework"
    rf"|house|friends)|(?:a|the) (?:train|bus|flight|plane|taxi|ferry|exam|test|call|class|lesson|rest|nap|break)))?"
)
_DOES = (
    r"(?:come|arrive|visit|work|sleep|live|end|finish|return|ache|hurt|shake"
    r"|swell|play|rehearse|meet|cry|snore|nap|rest|travel|commute|teach|practise)s?|gets? (?:up|home|in|back)|cries"
    r"|studies|teaches|practises"
)
_DID = (
    rf"(?:came|went|got (?:home|in|up|back)|slept|overslept|woke(?: up)?|fell|(?:hurt|twisted|broke|sprained|pulled"
    rf"|strained|injured|cut|burnt|bruised|banged) (?:my|our|his|her) {BODY}|pulled an all-nighter|worked|taught"
    rf"|drove (?:a|the) (?:bus|taxi|truck|lorry|train|tram|van)|lived|grew up|cried|had (?:an? )?(?:\w+ )?(?:party"
    rf"|operation|day|night|morning|week|evening|fall|stroke|accident)|did (?:all of )?this(?= (?:ourselves|myself"
    rf"|by hand))|stayed up|finished|arrived|spent (?:the|all) (?:\w+ )?(?:day|night|morning|week|afternoon|evening))"
)
_DONE = (
    r"(?:come|gone|got (?:home|in|up|back)|slept|overslept|woken(?: up)?|fallen(?: fast)? asleep|fallen(?: over"
    r"| down)?|come off|dropped off|worked|eaten|finished (?:eating"
    rf"|work|changing (?:his|her|my) \w+)|stopped|arrived|sat down|moved in|been|been able to {_OWN}{_OBJECT}|left for"
    rf" (?:work|school|the \w+)|wiped (?:me|us) out|worn (?:me|us) out|settled|nodded off|retired|(?:noted|listed"
    rf"|written)(?: down)? what needs doing)|{_DID}"
)
_DOING = (
    rf"(?:visiting|coming|arriving|leaving|(?:bringing|taking) (?:his|her|the|their) {PEOPLE}|working|studying|sleeping"
    rf"|resting|crying|cooking|expecting (?:guests|visitors|company|a (?:baby|call|visit))|helping {_NOUN}"
    rf"|trying to {_OWN}{_OBJECT}|driving (?:me|us) (?:up the wall|mad|crazy|insane)|napping|playing|teething"
    rf"|travelling|recovering|feeding {_NOUN}|bathing {_NOUN}|holding (?:the|a|my) (?:baby|toddler|child)"
    rf"|getting (?:old|older|ready|dressed|late|tired|on)|going (?:out|to (?:bed|work|sleep|school)|away|home)|staying"
    rf"|aching|shaking|hurting|killing me)"
)
_POSSESSION = (
    rf"(?:(?:an?|the|my|our|no|some|so|such|much|many|lots|of|about|only|little|bad|busy|long|hard|terrible|important"
    rf"|early|big|small|new|broken|sprained|sore|very|an awful|enough|{_NUMBER}|[a-z]+(?=(?: \w+)? (?:meeting|exam"
    rf"|shift|call|class|appointment)\b)) )*(?:meetings?|seminars?|exams?|essays?(?: due)?|tests?|calls?|appointments?"
    rf"|class(?:es)?|lectures?|lessons?|shifts?|interviews?|deadlines?|trains?|flights?|guests?|visitors?|company|baby"
    rf"|toddler|headaches?|migraines?|cold|flu|fever|backache|cough|arthritis|asthma|gloves on|hands full|time|energy"
    rf"|strength|day|morning|night|evening|week|hours? of sleep|sleep|rest|homework|operation|surgery|cast|party|stairs"
    rf"|babies|twins|{BODY})(?: hanging off (?:my|our) (?:arm|leg|hip)s?| due| full| for anything else)?"
)
_CAN = (
    rf"(?:can|could|may|must|should|will|would|do|does|did|(?:have|has)(?: got)? to|need to|(?:am|is|are|was"
    rf"|were){_ADVERB} (?:allowed|supposed|able|unable|meant|due|going|about|afraid|too [a-z]+|in no (?:state"
    rf"|position))(?= to\b))"
)
_PREDICATE = (
    rf"(?:(?:am|is|are|was|were|(?:has|have|had){_ADVERB} been|(?:will|would|can){_ADVERB} be|feels?|felt|got|became"
    rf"|looks?){_ADVERB} (?:{_DEGREE}{_HOW}(?: and {_HOW})?|{_DOING}|in the middle of {_NOUN}|at {_NOUN}|on {_NOUN})"
    rf"|(?:has|have|had){_ADVERB} been(?= (?:on|at|in|here|since|today|this)\b)"
    rf"|(?:has|have|had)(?: got| had)?{_ADVERB} {_POSSESSION}|(?:has|have|had){_ADVERB} (?:{_DONE})"
    rf"|{_CAN}{_ADVERB}(?: rather not| hardly| barely)?(?: to)? {_OWN}{_OBJECT}|(?:{_DOES})|(?:{_DID})"
    r"|can not (?:bear|stand) (?:this|the|all this) (?:mess|clutter|chaos|noise|untidiness|disorder)"
    rf"|refus(?:e|es|ed) to {_OWN}"
    r"|would ask (?:my|our|the) [a-z]+|(?:likes?|loves?) an? [a-z-]+ (?:house|home|life))"
)
_TOLD = r"(?:(?:has|have|had) )?(?:told|advised|ordered|warned|says?|said|thinks?|insists?)(?: (?:me|us|him|her))?"
_PLAIN = rf"{SUBJECT}{_ADVERB} {_PREDICATE}{_ADJUNCTS}"
_EVENT = (
    rf"(?:it|that|this) (?:is|was|has been)(?: (?:already|almost|nearly|just|only|so|rather|quite|very|really|too|an?"
    rf"|the|one|such|not))* (?:(?:long|busy|trying|hard|rough|tough|hectic|late|early|exhausting|awful|terrible|bad"
    rf"|stressful|full|big|great|special) )*(?:day|morning|evening|afternoon|night|week|month|year|weekend"
    rf"|time for (?:(?:my|our|his|her|their|the) )?(?:{PEOPLE}'s )?[a-z]+|of (?:those|these) (?:days|mornings|nights"
    rf"|weeks)|late|early|dark outside|bedtime|lunchtime|dinnertime|noon|midnight|my birthday){_ADJUNCTS}|there (?:is"
    rf"|are) (?:still |just |only |always |simply )*(?:(?:so |too |very )*(?:much|many|a lot|lots|plenty"
    rf"|loads)(?: to (?:do|get through|finish|see to))?|no (?:end|time|rest|great hurry)|(?:never|hardly"
    rf"|barely) (?:enough|any) (?:time|peace|rest|sleep)){_ADJUNCTS}|(?:electricity|energy|power|heating"
    rf"|gas) is {_DEGREE}(?:expensive|cheap|dear|precious)|everything has its place|(?:the|our|my|this) (?:house|flat"
    rf"|apartment|place|home) (?:is|looks){_ADVERB} {_DEGREE}(?:a (?:bit of a )?(?:mess|tip|disaster|sight)|messy"
    rf"|untidy|dreadful|awful)|the (?:house|flat|apartment|place) does not look good|(?:bedtime|lunchtime|the (?:day"
    rf"|night|morning|week|party)|everything) (?:is|was) an? (?:nightmare|disaster|rush|mess)|(?:exam season|work"
    rf"|the (?:week|day|trip|journey|flight|heat)|this (?:week|heat)) (?:has )?(?:wiped|worn|tired) (?:me|us) out"
    rf"|this is my (?:message|note|list){_ADJUNCTS}|(?:(?:the|my|our|his|her) )?(?:[a-z]+ ){{1,2}}?(?:(?:{_DOES})"
    rf"|(?:starts?|begins?|ends?|finishes)) (?:(?:here|at home) )?(?:at|in|on|until|from|since) {_TIME}{_ADJUNCTS}"
)
_CLAUSE = (
    rf"(?:(?:in|at) (?:my|our) (?:day|time|age|state|condition|youth|family|house)s? ,? ?)?"
    rf"(?:{SUBJECT}{_ADVERB} {_TOLD}(?: that {_PLAIN}|(?: not)? to {_OWN}{_OBJECT}{_ADJUNCTS})|{_PLAIN}|{_EVENT}"
    rf"|(?:i|we|he|she) would rather not {_OWN}{_OBJECT}{_ADJUNCTS})"
)
_AND = (
    r"(?: ?, ?(?:(?:and|but|so|because) )?| (?:and|but|so|because|as|since) )(?:(?:now|also|then|so|even) )*"
)
TELLS = re.compile(
    rf"(?:(?:well|oh|you see|and|but|so|now|also|plus),? )*(?:i am (?:afraid|sorry to say)(?: that)? )?{_CLAUSE}"
    rf"(?:{_AND}(?:{_CLAUSE}|{_PREDICATE}{_ADJUNCTS}|no time for anything else|{_HOW}))*"
)
