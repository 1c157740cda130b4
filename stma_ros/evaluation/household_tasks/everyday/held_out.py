"""The held-out part of the everyday templates: for reporting only. No grammar or rule is developed by these."""

from __future__ import annotations

from typing import Final

from stma_ros.evaluation.household_tasks.everyday.templates import Templates, Wordings
from stma_ros.types import vocabulary as words

HELD_OUT: Final = Templates(
    greetings=(
        "hello, ",
        "okay, ",
        "right, ",
        "excuse me, ",
        "hello there, ",
        "good evening, ",
        "quick favour: ",
    ),
    reasons=(
        "My parents are coming over this evening.",
        "I have to leave in ten minutes.",
        "I hurt my leg and can't get up.",
        "I'm in the middle of something.",
        "I want the flat to look nice for once.",
        "I've got my hands full with work today.",
        "There are some chores I keep putting off.",
    ),
    closings=("Thank you!", "Many thanks.", "I owe you one.", "That's all I need.", "You're a star."),
    requests=(
        "do me a favour and {do}.",
        "I'd appreciate it if you could {do}.",
        "could I get you to {do}?",
        "can I ask you to {do}?",
        "how about {doing}?",
        "why don't you {do}?",
        "I want you to {do}, please.",
        "if it's not too much trouble, {do}.",
        "would you be able to {do}?",
        "the next thing to do is {doing}.",
        "please go and {do}.",
        "would you {do}, please?",
    ),
    pairs=(
        "please {a} before you {b}.",
        "could you {b}, but only after {a_ing}?",
        "start by {a_ing}, then {b}.",
        "when you've finished {a_ing}, please {b}.",
        "can you {a} and, while you're at it, {b}?",
        "after {a_ing}, {b}.",
    ),
    lists=(
        "here's your to-do list: {list}.",
        "would you please {list}?",
        "here is what I want you to do: {list}.",
        "you can help me if you {list}.",
    ),
    tidying=(
        "it's time to put some things away: {list}.",
        "here is what goes where: {list}.",
        "please clear up a bit: {list}.",
    ),
    links=("on top of that, ", "one more thing: ", "besides, ", "what's more, ", "oh yes, and "),
    request_links=("next, ", "afterwards, ", "when you're finished with that, ", "that done, "),
    last_links=("last of all, ", "and when you're through with all that, ", "to finish, "),
    large=("large", "big", "largest"),
    small=("small", "little", "smallest"),
    on_furniture=("{x} {on_s}", "{x} which {is} {on_s}", "{x} over there {on_s}"),
    in_room=("the {noun} in the {room}", "the {room} {noun}", "the {noun} over in the {room}"),
    all_of=("all the {many}", "every single {one}", "all the {many} you can find", "the {many}"),
    both_of=("both {many}", "both the {many}", "the two {many}", "the {many}"),
    some_of=("{number} {many}", "any {number} of the {many}"),
    one_of=("{a_one}", "any one of the {many}"),
    find=Wordings(
        sentences=(
            "do you happen to know where I could find {x}?",
            "I wonder where {x} could be.",
            "where might I find {x}?",
            "I'm missing {x}, could you go and look for {it}?",
            "did you notice {x} anywhere?",
        ),
        statements=(
            "I seem to have lost {my_x}, please go looking for {it}.",
            "{x} {has} gone missing, can you find {it}?",
            "what happened to {my_x}?",
            "did you see where I left {my_x}?",
        ),
        actions=(
            "*check where I can find {x}",
            "*go looking for {x}",
            "*see if you can find {x}",
            "*let me know where to find {x}",
            "*search the flat for {x}",
            "*find out for me where I can get {x}",
        ),
    ),
    fetch=Wordings(
        sentences=(
            "I could really use {x} right now.",
            "would you be so kind and hand me {x}?",
            "any chance you could bring me {x}?",
            "I want {x}, get {it} for me, please.",
        ),
        statements=(
            "{x}, please, could you bring {it} over?",
            "I'd get {x} myself, but I can't get up, so please do it for me.",
        ),
        actions=(
            "*hand me {x}",
            "*pick up {x} and *bring {it} to me",
            "*go get {x} for me",
            "*bring {x} here",
            "*come over with {x}",
        ),
    ),
    put=Wordings(
        sentences=(
            "I need {x} to be {in_y}.",
            "I'd be happier with {x} {in_y}.",
            "would it be possible to have {x} put {in_y}?",
            "what I want is for {x} to be {in_y}.",
        ),
        statements=(
            "{x} {is} supposed to be {in_y}.",
            "{x} ought to be {in_y}.",
            "{x} {goes} {in_y}, if you don't mind.",
            "the right place for {x} is {in_y}.",
            "I noticed that {x} {is} not {in_y}, please change that.",
        ),
        actions=(
            "*place {x} {in_y} for me",
            "*get {x} {into_y}",
            "*store {x} {in_y}",
            "*find {x} and *put {it} {in_y}",
            "*see to it that {x} {is} {in_y}",
            "*pick up {x} and *place {it} {in_y}",
        ),
        short_actions=("*set {x} down {in_y}",),
    ),
    carry=Wordings(
        sentences=("I want {x} moved {to_y}.", "it would help me to have {x} carried {to_y}."),
        statements=("{x} {has} to get {to_y}.", "could {x} be brought {to_y}?"),
        actions=(
            "*carry {x} over {to_y}",
            "*move {x} over {to_y}",
            "*pick up {x} and *carry {it} {to_y}",
            "*go and *deliver {x} {to_y}",
        ),
    ),
    keep_in_room=Wordings(
        sentences=("I need {x} to be in {y}.", "I'd prefer {x} in {y}."),
        statements=("{x} ought to be in {y}.", "the right place for {x} is {y}."),
        actions=(),
    ),
    put_from=Wordings(
        sentences=(
            "{x} {is} {on_s} at the moment, I want {it} {in_y}.",
            "don't leave {x} {on_s}, put {it} {in_y} instead.",
            "{x} shouldn't be {on_s} but {in_y}.",
        ),
        statements=(),
        actions=(
            "*pick up {x} {off_s} and *place {it} {in_y}",
            "*go to {s}, *pick up {x} and *put {it} {in_y}",
            "*move {x} {off_s} and {into_y}",
        ),
    ),
    carry_from=Wordings(
        sentences=(
            "{x} {is} {on_s}, and I need {it} taken {to_y}.",
            "don't leave {x} {on_s}, bring {it} {to_y} instead.",
        ),
        statements=(),
        actions=(
            "*pick up {x} {off_s} and *carry {it} {to_y}",
            "*go to {s}, *get {x} and *take {it} {to_y}",
        ),
    ),
    states={
        words.STATE_ON: Wordings(
            sentences=(
                "I want {x} switched on.",
                "would you get {x} turned on for me?",
                "I need {x} on for a while.",
            ),
            statements=(
                "why {is} {x} off? please switch {it} on.",
                "{x} {needs} to be on.",
                "nobody has switched on {x} yet, please do.",
            ),
            actions=("*switch on {x} for me", "*see that {x} {is} on", "*go and *turn on {x}"),
            short_actions=("*go and *switch {x} on",),
        ),
        words.STATE_OFF: Wordings(
            sentences=(
                "I'm done with {x}, switch {it} off, please.",
                "we're wasting power, so please turn off {x}.",
            ),
            statements=(
                "{x} shouldn't be on.",
                "why {is} {x} on? please switch {it} off.",
                "I left {x} on, can you take care of that for me?",
                "nobody is using {x}, so {they} should be off.",
            ),
            actions=("*switch off {x} for me", "*see that {x} {is} off", "*go and *turn off {x}"),
            short_actions=("*go and *switch {x} off",),
        ),
        words.STATE_OPEN: Wordings(
            sentences=(
                "I want {x} opened.",
                "would you get {x} open for me?",
                "I can't reach {x}, could you open {it}?",
            ),
            statements=("{x} {needs} to be open.", "why {is} {x} closed? I need {it} open."),
            actions=("*see that {x} {is} open", "*go and *open {x}"),
            short_actions=("*pull {x} open", "*leave {x} open for me"),
        ),
        words.STATE_CLOSED: Wordings(
            sentences=("I want {x} shut.", "would you get {x} closed?"),
            statements=(
                "I forgot to shut {x}, please do it for me.",
                "{x} {has} to be closed.",
                "why {is} {x} open? shut {it}, please.",
            ),
            actions=("*see that {x} {is} shut", "*go and *shut {x}", "*close {x} properly"),
        ),
        words.STATE_FULL: Wordings(
            sentences=("I'd like {x} full of water.", "would you get {x} filled with water?"),
            statements=("{x} {needs} filling up.", "{x} {is} empty, and I want {it} full."),
            actions=("*go to the tap and *fill {x}", "*make sure {x} {is} full of water"),
            short_actions=("*get {x} filled up",),
        ),
        words.STATE_EMPTY: Wordings(
            sentences=("I want {x} emptied.", "could you get rid of whatever is in {x}?"),
            statements=(
                "{x} shouldn't be full.",
                "{x} {is} still full, could you do something about that?",
            ),
            actions=("*tip out whatever is in {x}", "*drain {x}", "*see that {x} {is} empty"),
        ),
    },
    state_and_put={
        words.STATE_FULL: (
            "fill {x} with water before you {then}.",
            "please {then_x}, but fill {it} with water first.",
            "I want {x} filled with water, and when that's done, {then}.",
        ),
        words.STATE_EMPTY: (
            "please {then_x}, but empty {it} first.",
            "empty {x} and, when that's done, {then}.",
            "get rid of whatever is in {x}, then {then}.",
        ),
    },
)
