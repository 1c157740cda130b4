"""The development part of the everyday templates: a grammar may be extended by these."""

from __future__ import annotations

from typing import Final

from stma_ros.evaluation.household_tasks.everyday.templates import Templates, Wordings
from stma_ros.types import vocabulary as words

DEVELOPMENT: Final = Templates(
    greetings=(
        "hey, ",
        "hi, ",
        "hey there, ",
        "hi robot, ",
        "good morning, ",
        "sorry to bother you, ",
        "listen, ",
    ),
    reasons=(
        "We're having people over tonight.",
        "I'm running late this morning.",
        "It's been a long day and I could use a hand.",
        "I'm on the phone right now, so I can't do this myself.",
        "I promised to have the place in order before dinner.",
        "My back is killing me today.",
        "There's a bit of housework left.",
    ),
    closings=("Thanks!", "Thank you so much.", "That's it for now.", "That would help me a lot.", "Cheers."),
    requests=(
        "{do}, please.",
        "please {do}.",
        "could you {do}?",
        "could you please {do}?",
        "can you {do} when you get a chance?",
        "I need you to {do}.",
        "would you mind {doing}?",
        "I was hoping you could {do}.",
        "go ahead and {do}.",
        "if you have a moment, {do}.",
        "it would be great if you could {do}.",
        "you need to {do}.",
    ),
    pairs=(
        "please {a} and then {b}.",
        "first {a}, and after that {b}.",
        "before you {b}, {a}.",
        "once you're done {a_ing}, {b}.",
        "could you {a} and {b}?",
        "I'd like you to {a}, then {b}.",
    ),
    lists=(
        "please {list}.",
        "I have a few jobs for you: {list}.",
        "could you {list}?",
        "I need you to {list}.",
    ),
    tidying=(
        "a few things need to be tidied away: {list}.",
        "let's sort this place out: {list}.",
        "I'd like some things moved: {list}.",
    ),
    links=("also, ", "oh, and ", "and ", "another thing: ", "plus, "),
    request_links=("then ", "after that, ", "once that's done, ", "now "),
    last_links=("finally, ", "when all of that is done, ", "at the very end, "),
    large=("large", "big", "biggest"),
    small=("small", "little", "smallest"),
    on_furniture=("{x} {on_s}", "{x} that {is} {on_s}"),
    in_room=("the {noun} in the {room}", "the {room} {noun}", "the {noun} that's in the {room}"),
    all_of=("all the {many}", "all of the {many}", "every {one}", "all {number} {many}"),
    both_of=("both {many}", "both of the {many}", "the two {many}", "all the {many}"),
    some_of=("{number} {many}", "{number} of the {many}"),
    one_of=("{a_one}", "one of the {many}"),
    find=Wordings(
        sentences=(
            "where did I put {my_x}?",
            "I can't find {x} anywhere, can you help?",
            "have you seen {x}?",
            "any idea where {x} might be?",
            "I've been looking for {x} all morning, where could {they} be?",
            "I'm trying to find {x}, could you have a look around?",
        ),
        statements=(
            "where {is} {my_x}?",
            "I'd like to know where {x} {is}.",
            "I've lost {my_x} again, please look for {it}.",
            "{x} must be around here somewhere, can you see {it}?",
        ),
        actions=(
            "*tell me where I can find {x}",
            "*have a look for {x}",
            "*help me find {x}",
            "*track down {x}",
            "*look around for {x}",
            "*try to find {x}",
        ),
    ),
    fetch=Wordings(
        sentences=(
            "I need {x}, please bring {it} here.",
            "could I have {x}, please?",
            "my hands are full, can you get me {x}?",
            "I'd love to have {x}, could you go and grab {it}?",
        ),
        statements=("I'm stuck here and need {x}.", "can you see {x}? please bring {it} to me."),
        actions=(
            "*grab {x} for me",
            "*bring {x} over to me",
            "*pass me {x}",
            "*come back with {x}",
            "*go and *get me {x}",
        ),
    ),
    put=Wordings(
        sentences=(
            "I'd like {x} to be {in_y}.",
            "I want {x} put {in_y}.",
            "{in_y} is where I'd like {x}.",
            "can we keep {x} {in_y}, please?",
        ),
        statements=(
            "{x} {belongs} {in_y}.",
            "{x} {needs} to go {into_y}.",
            "{x} should be {in_y}, please put {it} there.",
            "{x} {is} in the wrong place, {they} should be {in_y}.",
            "can {x} go {into_y}?",
        ),
        actions=(
            "*put {x} away {in_y}",
            "*stick {x} {in_y}",
            "*leave {x} {in_y}",
            "*grab {x} and *put {it} {in_y}",
            "*pop {x} {into_y}",
            "*make sure {x} {ends} up {in_y}",
            "*go and *put {x} {in_y}",
        ),
    ),
    carry=Wordings(
        sentences=("I'd like {x} brought {to_y}.", "I need {x} taken {to_y}."),
        statements=("{x} {needs} to go {to_y}.", "{x} should go {to_y}, please take {it} there."),
        actions=(
            "*bring {x} over {to_y}",
            "*take {x} {to_y} for me",
            "*grab {x} and *take {it} {to_y}",
            "*get {x} over {to_y}",
        ),
    ),
    keep_in_room=Wordings(
        sentences=("I'd like {x} to be in {y}.", "I'd rather have {x} in {y}."),
        statements=("{x} {belongs} in {y}.", "{x} should be in {y}, please put {it} somewhere in there."),
        actions=(),
    ),
    put_from=Wordings(
        sentences=(
            "someone left {x} {on_s}, but {they} should be {in_y}.",
            "see {x} {on_s}? please put {it} {in_y}.",
            "{x} that {is} {on_s} {belongs} {in_y}.",
        ),
        statements=(),
        actions=(
            "*get {x} {off_s} and *put {it} {in_y}",
            "*take {x} that {is} {on_s} and *put {it} {in_y}",
            "*grab {x} {off_s} and *stick {it} {in_y}",
        ),
    ),
    carry_from=Wordings(
        sentences=(
            "someone left {x} {on_s}, please take {it} {to_y}.",
            "{x} that {is} {on_s} should go {to_y}.",
        ),
        statements=(),
        actions=(
            "*take {x} {off_s} and *bring {it} {to_y}",
            "*grab {x} that {is} {on_s} and *take {it} {to_y}",
        ),
    ),
    states={
        words.STATE_ON: Wordings(
            sentences=(
                "I'd like {x} on.",
                "could we have {x} on?",
                "I'm about to use {x}, please turn {it} on.",
            ),
            statements=(
                "{x} {is} off, and I'd like {it} on.",
                "{x} {is} still off, can you change that?",
                "{x} should be on.",
            ),
            actions=("*turn on {x}", "*make sure {x} {is} on", "*get {x} switched on"),
            short_actions=("*turn {x} on for me", "*switch {x} on"),
        ),
        words.STATE_OFF: Wordings(
            sentences=("I'd like {x} off.", "I don't need {x} any more, please turn {it} off."),
            statements=(
                "somebody forgot to turn off {x}, could you do it?",
                "{x} {is} still on, please see to that.",
                "there's no need for {x} to be on.",
                "{x} can go off now.",
            ),
            actions=("*turn off {x}", "*make sure {x} {is} off", "*get {x} switched off"),
            short_actions=("*turn {x} off for me", "*switch {x} off"),
        ),
        words.STATE_OPEN: Wordings(
            sentences=(
                "I'd like {x} open.",
                "I need to get into {x}, could you open {it}?",
                "my hands are full, would you open {x}?",
            ),
            statements=("{x} {is} closed, and I need {it} open.", "{x} should be open."),
            actions=("*open {x} for me", "*make sure {x} {is} open", "*open up {x}"),
        ),
        words.STATE_CLOSED: Wordings(
            sentences=("I'd like {x} closed.",),
            statements=(
                "somebody left {x} open, please close {it}.",
                "{x} shouldn't be open.",
                "{x} {is} still open, could you take care of it?",
            ),
            actions=("*close {x} for me", "*make sure {x} {is} closed", "*close up {x}"),
            short_actions=("*push {x} shut",),
        ),
        words.STATE_FULL: Wordings(
            sentences=("I need {x} filled with water.", "could I have {x} filled up?"),
            statements=(
                "{x} {is} empty, please fill {it} up.",
                "there's no water in {x}, please fill {it}.",
            ),
            actions=("*fill {x} at the tap", "*fill {x} to the top", "*go and *fill {x} with water"),
            short_actions=("*fill {x} up with water",),
        ),
        words.STATE_EMPTY: Wordings(
            sentences=("I'd like {x} empty.",),
            statements=(
                "{x} {is} full, please pour {it} out.",
                "{x} {needs} emptying.",
                "there's still something in {x}, please empty {it}.",
            ),
            actions=("*pour out what's in {x}", "*empty out {x}", "*make sure {x} {is} empty"),
        ),
    },
    state_and_put={
        words.STATE_FULL: (
            "{x} {needs} filling first, then {then}.",
            "once you've filled {x} with water, please {then}.",
            "fill {x} and, when {it} {is} full, {then}.",
        ),
        words.STATE_EMPTY: (
            "as soon as you've emptied {x}, {then}.",
            "pour out what's in {x} before you {then}.",
            "{x} {needs} emptying, and then please {then}.",
        ),
    },
)
