"""Recognises what people say before and after their requests: greetings, thanks, praise, and that it is all."""

from __future__ import annotations

import re

ADDRESSEE = (
    r"(?:robots?|buddy|mate|friend|pal|everyone|folks|guys|dear|dearest|darling|love|honey|hon|sweetheart|sweetie|sir"
    r"|young (?:man|lady)|old (?:chap|boy)|ladies|gentlemen|team|gang|chief|champ|boss|hun|babe|everybody"
    r"|you lot|madam|butler|assistant|(?:little )?helper|bot|bro|dude|chum|poppet|fella|kiddo"
    r"|sunshine|angel|treasure|superstar|genius|amigo|comrade|captain|partner|housemate|little (?:one|friend)"
    r"|my man|metal friend|tin man)"
)
"""Whom a text calls."""

_TIME = r"(?:\w+ )?(?:minute|moment|second|sec|mo|time|bit)"
_VERY = r"(?:(?:very|so|really|such|just|simply|truly|always|honestly|absolutely|totally|only|quite|too) )*"
_HERO = (
    r"(?:star|superstar|legend|angel|gem|hero|lifesaver|life saver|diamond|treasure|darling|dear|love|genius|champ"
    r"|champion|saint|godsend|marvel|wonder|miracle|blessing|gift|sweetheart|sport|brick|trooper|pro|rock|rockstar"
    r"|good (?:one|robot|egg|sport|lad|lass|girl|boy|man|woman|chap|fellow|friend|helper|soul)|best|great help"
    r"|big help|real help|help)"
)
_PRAISE = (
    r"(?:nice|great|good|super|lovely|brilliant|magic|perfect|awesome|excellent|fantastic|wonderful|marvellous"
    r"|marvelous|fab|fabulous|grand|ace|cool|sweet|wicked|splendid|amazing|terrific|smashing|stellar|legend|bravo"
    r"|well done|good (?:job|work|stuff|robot|lad|girl|boy)|nice (?:one|work|job)|great (?:job|work|stuff)"
    r"|lovely (?:stuff|jubbly)|top (?:stuff|marks|job)|bingo|sorted|star|champion)"
)
_THANKS = (
    r"(?:(?:many|so many|endless|heartfelt|big|huge|a (?:thousand|million|hundred)(?: times)?|with) )*(?:thanks"
    r"|thank you|cheers|ta|gracias|merci|danke|much (?:obliged|appreciated))"
)
_SO_MUCH = (
    r"(?: (?:a (?:lot|million|bunch|ton|heap|thousand)|ever so(?: much)?|so (?:very )?much|very much|kindly|again|heaps"
    r"|loads|tons|in advance|ever so kindly|from (?:all of us|the bottom of my heart|me|us)|you|as (?:always|ever)"
    rf"|my dear|,|{ADDRESSEE}|for (?:that|this|it|everything|all (?:that|this|of this|your help|you do)|your \w+"
    r"|(?:being|doing|helping|listening)\b.*)))*"
)
_DONE = (
    r"(?:it|all|everything|the lot|the end(?: of (?:it|the list|my list))?|enough|the whole (?:list|lot)|all there is"
    r"|all folks|the last of it|me done|us done|that|a wrap)"
)
_ALL_OF_IT = (
    r"(?: (?:from (?:me|us|my side)|for (?:me|us|now|today|tonight|the moment|the time being)|then|now|really|today"
    r"|tonight|done|this time|i think|i guess|i believe|folks|(?:that )?(?:i|we) (?:wanted|needed|need|want|have|had"
    r"|ask|asked|require|can think of|am asking|was after|am after)(?: (?:of you|from you|to ask|to say|done|for"
    r" (?:now|today)|today|now))*|on (?:my|the|your) list|there is(?: to (?:it|do))?|to do|you need to (?:do|know)"
    r"|that needs doing|needed|please))*"
)

_PLEASANTRIES = (
    # calling
    rf"(?:well |oh |ah |why )*(?:hey|hi|hello|hallo|hullo|heya|hiya|howdy|bonjour|hola|ciao|aloha|namaste|salut"
    rf"|beep boop|yo|oi|ahoy|ahem|psst|greetings|good day|g'day|salutations|evening|morning|afternoon"
    rf"|top of the (?:morning|evening)|long time no see|wakey wakey|rise and shine|pay attention|attention(?: please)?"
    rf"|listen(?: up| here| carefully)?|look here|heads up)(?: (?:there|again|to you|you|all|my|little(?! helper)"
    rf"|old|good|sweet|clever|trusty|lovely|favou?rite|{ADDRESSEE}))*",
    r"(?:ok|okay|okey|right|righto|right-o|alright|alrighty|all right|now|well|so|aha|ah|oh|oops|phew|whew|gosh"
    r"|goodness(?: me)?|blimey|crikey|dear|dear me|oh dear|oh no|oh my|dokey|okey-dokey|ugh|argh|wow|hooray|um|er|hmm)"
    rf"(?: (?:then|now|well|so|me|my|there|dokey|{ADDRESSEE}))*",
    r"(?:my |dear |old |good )+(?:friend|robot|buddy|mate|pal|chap|fellow|helper|companion|sidekick)|yoo-hoo"
    r"|(?:can|do|did) you (?:hear|see|read|follow|copy) (?:me|this)|are you (?:listening|paying attention|awake|on)",
    r"(?:oh |ah |good |great |and )*(?:there|here) you are(?: at last| again)?|(?:ah |oh )?just (?:the (?:one|robot)"
    r"|who) (?:i|we) (?:was|were|wanted|needed|am|are)(?: looking for| hoping for| to see| after)?",
    r"(?:a |one |another |just a )?(?:(?:quick|small|little|tiny|short|brief|big|last|final|more) )+(?:question|favou?r"
    r"|request|job|task|errand)(?: (?:for you|please|today|to ask))*|(?:a |one |another |just )*(?:quick|last|final"
    r"|more) (?:thing|one|word|note)(?: for you| please| today)?",
    r"(?:can|could|would|will) you (?:please )?do (?:something|a thing|one thing|another thing|a few things)(?: (?:for"
    r"|to help) (?:me|us))?|do (?:something|one thing|a few things) for (?:me|us)|(?:may|can|could) (?:i"
    r"|we) have your attention(?: please)?|(?:a )?(?:very )?good (?:morning|day|evening|afternoon)(?: to (?:you|all))?"
    r"|(?:i know )?(?:i am|we are) being (?:a \w+|annoying|demanding|difficult)|(?:one|just a|a) (?:moment|second"
    r"|minute)(?: please)?|so as not to forget|lest (?:i|we) forget|before it slips my mind|no (?:excuses|arguments"
    r"|buts|questions asked)",
    r"(?:give|drop|send) (?:me|us) a (?:shout|call|holler|text|message|note|sign|heads up)(?: .*)?",
    r"(?:i|we) would (?:really )?(?:love|like|be glad|be happy) to (?:help|lend a hand|do it|join in)(?: (?:you"
    r"|myself|out))*"
    r"(?: but .*)?|but (?:i|we) (?:can not|could not)(?: \w+)?",
    r"happy (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|new year|easter|christmas|birthday|holidays)",
    rf"(?:can|could|would|will) you (?:please )?(?:help|assist)(?: (?:me|us))?(?: out)?(?: (?:here|a (?:little|bit)"
    rf"|for {_TIME}|today|again))*|(?:please )?help (?:me|us)(?: out)?(?: (?:here|a (?:little|bit)|today|again))*",
    r"(?:i )?(?:hate|(?:am )?(?:so |very )?sorry|do not mean|do not want|did not want) to (?:be a (?:pain|bother"
    r"|nuisance)|bother|trouble"
    r"|disturb|interrupt|nag|ask|impose)(?: you)?(?: again)?|(?:i )?(?:know|realise|realize|see) (?:that )?you are"
    rf" {_VERY}(?:busy|occupied|tired|charging|resting|in the middle of something)",
    # thanks and praise
    rf"(?:and )?{_THANKS}{_SO_MUCH}|please and thank you|thank (?:god|goodness|heavens) (?:for you|you are here)",
    rf"{_VERY}{_PRAISE}(?: {ADDRESSEE}| (?:thanks|stuff|job|work|then|of you))*",
    rf"(?:and )?(?:that|there) is (?:an?|my) (?:\w+ )?{_HERO}|(?:what|such) (?:a|an) (?:\w+ )?{_HERO}(?: you are)?"
    rf"|(?:how|{_VERY}) (?:kind|nice|sweet|good|lovely) of you",
    rf"(?:it|that|this) (?:is|would be|was) {_VERY}(?:kind|nice|sweet|good|lovely|decent|generous|thoughtful) of you",
    rf"you (?:are|will be|would be|have been) {_VERY}(?:(?:an?|the|my|our) )?(?:\w+ )?{_HERO}(?: (?:robot|ever|there is"
    rf"|of the day|in the world|honestly))?|you (?:rock|rule|are the man|never let me down|spoil (?:me|us))",
    r"you (?:are (?:really |literally )?sav(?:ing|e)|have (?:just |really )?saved|saved|will save|just saved) (?:me|us"
    r"|(?:my|our) \w+|the day|me (?:a lot of )?\w+(?: here)?)(?: (?:here|today|again))?",
    r"(?:i (?:honestly |really )?do not know )?(?:what|how|where) (?:would |could |should |i would )(?:(?:i|we|ever) )*"
    r"(?:do|be|manage|cope|live|survive) without you|(?:i|we) (?:could|would) (?:not|never) (?:\w+ )*?without you"
    r"|(?:i|we) would be (?:lost|nothing|stuck|helpless) without you",
    r"you (?:have (?:no|any) idea|do not know|would not believe|can not imagine) how (?:much|grateful|happy|glad"
    r"|big)\b.*",
    r"(?:i|we) (?:really |truly |do |very much |so )*appreciate (?:it|this|that|you|your \w+|all (?:you do|of it|this))"
    r"(?: (?:so much|a lot|very much|greatly))?|(?:really |much |greatly )*appreciate(?:d)?(?: (?:it|that|this))?",
    r"(?:i|we) (?:owe you(?: .*)?|am (?:in|forever in) your debt|(?:will|shall) (?:make it up to you|return the favou?r"
    r"|be (?:for)?ever grateful|repay you|owe you(?: .*)?)(?: (?:some|one) (?:day|time))?)"
    r"|(?:that|this|it) (?:means|will mean|would mean|helps)(?: (?:so|very))? (?:a lot|much|the world"
    r"|loads)(?: to me)?",
    r"(?:i|we) (?:always |can always |knew i (?:can|could) |know i can )*(?:rely|count|depend) on you",
    r"(?:and |oh )?(?:that|this|it)(?: (?:really|truly|certainly|always|just|surely))* (?:(?:takes"
    r"|lifts) (?:(?:quite )?an?|one|some|such an?) (?:[\w-]+ ){0,2}?(?:load|weight|burden|worry|job|thing|task|pressure"
    r"|stress) off (?:my|our) \w+|(?:takes|lifts) (?:the|some|a lot of|all the) (?:load|weight|pressure|stress"
    r"|strain) off(?: (?:me|us|my \w+))?|(?:saves|spares) (?:me|us|my \w+)(?: (?:a|an|the|so|quite|awful|much|lot|loads"
    r"|some|of|another|time|trouble|effort|trip|journey|walk|bother|hassle|pain|worry|running|bending|work|job"
    r"|every day|today))*|makes (?:me|us)(?: \w+)? (?:happy|glad|feel better|smile)|makes (?:my|our|all the|a (?:big"
    r"|huge|real)) (?:day|morning|evening|week|life|lives|work|difference)(?: (?:so|a lot|much|easier|better|simpler"
    r"|nicer|to (?:me|us))){0,4}|means (?:a lot|so much|the world|everything|a great deal"
    r"|more than you know)(?: to (?:me|us))?|(?:puts|sets) my mind at (?:ease|rest)|gives (?:me|us) (?:some |a bit of "
    r"|such )?(?:peace of mind|peace|a break|a breather)|cheers (?:me|us) up|(?:warms|gladdens) my heart|helps(?: (?:me"
    r"|us|out|a lot|so much|no end|enormously|more than you know))*)",
    r"what an? (?:\w+ )?(?:relief|blessing|pleasure|comfort|joy|delight|treat|luxury|godsend|help|pity"
    r"|shame) (?:that )?(?:it"
    r" is |to have you|you are|having you)\b.*",
    r"(?:i |we )?(?:do not|did not) (?:want|mean) to be (?:a|an) (?:\w+ )?(?:pain|bother|burden|nuisance|pest|drag"
    r"|nag)(?: \w+)?"
    r"|not to be (?:a|an) (?:\w+ )?(?:pain|bother|burden|nuisance|pest|drag|nag)",
    r"you (?:(?:have )?(?:really |certainly |more than |well and truly )?(?:earn|earned|deserve|deserved)) (?:a|an|your"
    r"|some|the) (?:[\w-]+ ){0,3}?(?:medal|prize|award|trophy|keep|rest|break|raise|bonus|holiday|treat|pat on the back"
    r"|thanks|praise|place|hug|round of applause)(?: (?:today|for (?:this|that|it)|after (?:this|that)))*",
    r"(?:(?:are )?you )?(?:fancy|want|feel like|ready for|up for|care for|got time for|in the mood for)(?: an?"
    r"| some| another"
    r"| a bit of| a spot of)? (?:\w+ )?(?:job|task|errand|chore|work|challenge|housework|tidying|favou?r)s?",
    r"(?:please )?(?:excuse|pardon|forgive) me(?: (?:please|again))?|(?:good )?(?:morning|day|evening|afternoon|night)",
    r"(?:do not ask|never mind|who knows|i wonder) why|mind how you go|(?:are there )?any (?:more |further )?questions"
    r"|you never (?:disappoint|fail)(?: (?:me|us))?|(?:i|we) (?:will|shall|can) leave (?:it|this|everything"
    r"|the rest) (?:with you|to you|in your (?:\w+ )?hands)|(?:(?:and )?then )?come back to (?:me|us)(?: (?:when"
    r"|once) you are (?:done|finished))?|that (?:ought to|will|would|must) keep you (?:busy|going|occupied)"
    r"|do not trip over the (?:cat|dog|children|kids|rug)",
    r"over (?:and|&) out|(?:nothing|no) more from (?:me|us)|do not (?:work|overdo it|strain yourself|exert yourself)"
    r"(?: too hard| yourself)?|(?:it (?:is|was) )?(?:always )?(?:a )?(?:nice|good|great|lovely|pleasure|joy) (?:working"
    r"|doing business|dealing|talking|chatting)(?: (?:with|to) you)?|until (?:next time|we meet again)",
    # how frankly something is said
    r"(?:and |but )?(?:i|we) (?:must|have to|will|do|should|can|dare|would)(?: \w+ly)? (?:confess|admit|say|own up"
    r"|grant|allow|concede)(?: (?:that|so|it))?|(?:as )?(?:i am|we are) (?:sad|sorry|ashamed|embarrassed|afraid"
    r"|loath) to (?:say|admit|confess|report)",
    # that it is all
    rf"(?:and |so |right |ok |okay |well |with that )*(?:that|this|it|then that) (?:is|was|would be|will be|should be"
    rf"|makes)(?: (?:about|just|really|pretty much|basically))* {_DONE}{_ALL_OF_IT}",
    r"(?:that|this|which) (?:completes|concludes|ends|finishes|covers|sums up|wraps up|rounds off|should cover|will"
    r" cover|takes care of) (?:it|things|everything|all|(?:my|the|your|our|today's) (?:\w+ )?(?:list|lists|instructions"
    r"|requests|orders|wishes|jobs|tasks|chores|lot|day|round))(?: (?:for (?:now|today|me)|nicely|today|all|of it|of my"
    r" (?:list|wishes|instructions)))*",
    r"(?:no more|nothing more)(?: (?:for (?:now|today|tonight)|after this|than that))*|(?:i )?promise|my hero"
    r"|that should keep you (?:busy|going|occupied)(?: .*)?|there is no (?:hurry|rush)(?: (?:though|at all))?"
    r"|(?:that is )?me (?:off|gone|done)(?: .*)?",
    rf"(?:there is )?(?:nothing (?:more|else|further|other)|no (?:(?:more|other|further) )+(?:jobs?|tasks?|chores?"
    rf"|wishes|requests|instructions|orders))(?: (?:for you|to (?:do|add|say)))*{_ALL_OF_IT}",
    r"(?:and )?(?:then |after that |afterwards |once (?:that is )?done |when (?:that is )?done )*(?:you|we"
    r"|i) (?:are (?:all )?(?:done|finished|free(?: to go)?|off duty|good to go|all set)|(?:can|may|could|deserve to"
    r"|should) (?:(?:go|have|take|get|enjoy|put) )?(?:rest|relax|recharge|charge|stop|an? (?:\w+ )?(?:rest|break"
    r"|breather)|your (?:\w+ )?(?:rest|break|evening)|back to (?:whatever|sleep|your \w+).*))(?: (?:then|now|after that"
    r"|afterwards|for (?:now|today)))*",
    r"(?:over and out|end of (?:list|message|transmission|instructions|story)|the end|job done|all done|done"
    r"|you know the"
    r" drill|(?:the )?usual drill|same as (?:always|ever|usual))",
    r"(?:go on|off you go|get (?:to it|going|cracking|moving)|on you go|away you go|go for it|go ahead|hop to it"
    r"|make it so|you may (?:begin|start|go)|ready when you are|chop chop|quick march)(?: then| now| please)?",
    r"take (?:your time|it easy|care|all the time you need)|(?:there is )?no (?:need to )?(?:rush|hurry|pressure|stress"
    r"|panic)(?: (?:at all|though|on (?:this|that|any of this)))*|whenever (?:you (?:are ready|can|like|have time)"
    r"|suits(?: you)?|it suits(?: you)?)|in your own time|at your own pace",
    r"(?:i )?(?:am )?(?:so |very |really )*(?:sorry|apologies)(?: (?:for|about) (?:the|this|that|all|being|bothering"
    r"|asking|such)\b.*)?|(?:i )?hope (?:that|this|it) (?:is|was) (?:ok|okay|alright|all right|fine|clear|not (?:too"
    r"|asking) .*)",
    r"(?:god )?bless(?: (?:you|your \w+(?: \w+)?|'em))*|(?:lots of |much |big |all my )*(?:love|hugs?|kiss(?:es)?"
    r"|xoxo)",
    rf"(?:and )?(?:it|that|this) (?:is|was|would be|will be) {_VERY}(?:(?:an?|the|my|your|our) )?(?:\w+ )?(?:help"
    rf"|favou?r|relief|order|job|task|mission|cue|plan|pleasure|final|urgent|important|weight off my \w+)(?: (?:to"
    rf"|for) (?:me|us|you))?|call it a day|(?:the rest|everything else|the other things) can wait"
    rf"|(?:there is )?no need to (?:report(?: back)?|reply|answer|ask|thank me|hurry|rush|wait|knock)(?: .*)?",
    r"do (?:me|us) (?:a few|some|two|three|several|a couple of|these) (?:\w+ )?favou?rs",
    r"(?:it|this|that) (?:should|will|would|does|must)(?: (?:only|not|hardly|barely|just))* (?:take|be)(?: (?:you|me"
    r"|us))?(?: (?:long|quick|(?:more|less|longer) than|a|an|the|few|couple|of|one|two|three|four|five|ten|fifteen"
    r"|twenty|thirty|\d+|about|only|just|minutes?|moments?|seconds?|hour|half|time|ages|forever|all|day|much|too"
    r"|at most))+",
    r"(?:i|we) (?:(?:never|did not|have not|can not|could not|will not|do not) (?:really |even |quite )*(?:(?:got|get"
    r"|gotten|manage|managed) (?:(?:a)?round )?to|(?:have|had|find|found)(?: (?:the|any|enough))? (?:time|energy"
    r"|chance) (?:to|for))(?: do| doing)?|(?:can not|could not|will not|(?:do|did) not want to|would rather not"
    r"|am not able to|am unable to|have no (?:time|energy|strength) to) do) (?:it|that|this|(?:any|all"
    r"|half) (?:of )?(?:it|this|that|these(?: things)?)|everything|so much)(?: (?:all|myself|ourselves|this (?:morning"
    r"|evening|afternoon|week)|today|yesterday|yet|in time|alone|on my own|right now|now|either|any ?more))*",
    r"dismissed|carry on|as you were|at ease|(?:please )?do not (?:let (?:me|us) down|disappoint (?:me|us)"
    r"|fail (?:me|us)"
    r"|keep (?:me|us) waiting)|you (?:have got|have|got) this|easy peasy(?: lemon squeezy)?|nothing (?:fancy"
    r"|special|major"
    r"|complicated|difficult)|(?:do you )?think you can (?:do|manage|handle) (?:that|it|this)(?: for (?:me|us))?",
    r"(?:please )?report back(?: (?:to (?:me|us)|here))?(?: (?:when|once) finished)?"
    r"|(?:please )?(?:come (?:over )?here"
    r"|over here)(?: (?:for )?a (?:second|minute"
    r"|moment|sec))?(?: please)?|(?:i )?beg your pardon|you would be saving (?:me|us|my \w+|the day)",
    r"(?:and )?(?:your|you) (?:[a-z]+ )?(?:is|are|have|can \w+) (?:so much |far |much |a lot |way )?(?:sharper"
    r"|stronger|younger|better|quicker"
    r"|faster|fitter|steadier|longer|nimbler|more \w+)(?: \w+)? than (?:mine|ours|me|us|i am|i do|i ever \w+|my own)",
    # farewell
    r"(?:with )?(?:(?:my|our|many|all|very|kind|kindest|best|warm|warmest|fond) )*(?:regards|wishes"
    r"|greetings)(?: (?:from|to) (?:all of us|us all|everyone|everybody|your \w+))?|(?:yours|ever so)? ?(?:sincerely"
    r"|truly|faithfully|gratefully|warmly|respectfully|cordially)(?: yours)?|yours(?: (?:ever|as ever|always))?",
    r"(?:good)?(?: )?(?:bye|goodbye|night|good night|night night|ciao|cheerio|toodle-oo|so long|farewell|adios"
    r"|au revoir|ta-ta|tata|laters)(?: (?:now|for now|then|all|everyone|you))*|(?:see|talk to|speak to|catch) (?:you"
    r"|ya)(?: all)?(?: (?:later|soon|then|tomorrow|tonight|around|in a (?:bit|while|moment|minute)|this \w+))*|(?:have"
    r"|enjoy) (?:a (?:good|nice|great|lovely|wonderful|restful) (?:one|day|evening|night|morning|afternoon|time|weekend"
    r"|rest)|your \w+|yourself)|sleep (?:well|tight)|sweet dreams|good luck(?: with (?:that|it))?",
    r"(?:right |ok |okay |well |now |so |anyway )*(?:i|we) (?:am|are) (?:just )?(?:off|out|away|going|going off|heading"
    r"|heading off|leaving|out of here|gone)(?: (?:to (?:bed|work|school|sleep|town|the \w+)|for (?:a|an|my"
    r"|some) [\w-]+"
    r"(?: [\w-]+)?|out|home|upstairs|downstairs|now|then|back to (?:bed|sleep|work)|shopping|jogging|running))*"
    r"|(?:i|we) (?:will|shall) (?:leave you to (?:it|that)|get out of your way|let you get on(?: with it)?|be back"
    r"(?: (?:soon|later|shortly|in .*|by .*|at .*|before .*))?|be (?:right |just )?(?:here|upstairs|downstairs|outside"
    r"|next door|in (?:the|my) \w+(?: room)?|on the \w+|waiting|around|out)(?: (?:if .*|waiting|until .*|all \w+))?)",
    r"(?:just )?(?:shout|call|holler|yell|ring|ask|text|message|ping)(?: (?:me|us|out))? if (?:you|there|anything"
    r"|something|it|that)\b.*",
)
_PLEASANTRY = re.compile("|".join(f"(?:{each})" for each in _PLEASANTRIES))


def is_pleasantry(clause: str) -> bool:
    """Whether a clause only greets, thanks, praises, says farewell or that it is all."""
    return bool(_PLEASANTRY.fullmatch(clause.replace("&", "and")))
