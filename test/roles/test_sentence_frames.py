"""Tests that requests are read in any frame, and that frames which make another one act are not passed over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.domains.household.language.frames import FRAME_WORDS
from stma_ros.types.errors import TaskNotUnderstoodError

LANGUAGE = HouseholdLanguage(household_categories())

PUT = LANGUAGE.goals("Put the mug in the sink.")
OPEN = LANGUAGE.goals("Open the fridge.")


@pytest.mark.parametrize(
    "frame",
    [
        "You would do me a great favour by {doing}.",
        "What I have in mind for you is to {do}.",
        "It would be such a relief if you could {do}.",
        "Might I trouble you to {do}?",
        "I'd rather you {did}.",
        "I was just about to ask you to {do}.",
        "{Doing} is your next job.",
        "If you feel like it, {do}.",
        "Come to think of it, {do}.",
        "Besides that, what needs doing is to {do}.",
        "Instead of lounging about, {do}.",
        "{Doing} would be an enormous relief, rather than me having to do it.",
        "Roll up your sleeves and {do}.",
        "Show a bit of initiative and {do}.",
        "It's {doing} that I need you for.",
        "Make this your first priority to {do}.",
        "I don't suppose you could {do}?",
        "Focus on {doing}.",
        "This evening's job is to {do}.",
        "I'd rest easier if you could {do}.",
        "I was just about to {do}, but my phone rang, so could you please do it?",
        "Be an absolute gem and {do}.",
        "Perhaps you could {do} while my sister feeds the baby?",
        "While I iron the shirts, {do}.",
        "Somebody ought to {do}, and it might as well be you.",
        "If you could {do}, we could finally put the kids to bed.",
        "If you would {do}, my evening would be saved.",
        "I'm late, so you'll have to {do}.",
        "The baby is asleep, so it falls to you to {do}.",
        "I'm making you responsible for {doing}.",
        "{Doing} is entirely up to you.",
        "It would take a huge weight off my shoulders if you {did}.",
        "It would make my life so much easier if you {did}.",
        "I haven't the heart to {do}, so would you please do it?",
        "A couple of things still need sorting out, so please {do}.",
        "All I ask of you is this: {do}.",
        "Hello, to keep the place nice, please {do}.",
        "I wonder whether you'd be kind enough to {do}.",
        "You could make an old lady very happy by {doing}.",
        "{Doing} would be a real kindness to an old man.",
        "It would suit me down to the ground if you {did}.",
        "What would really help is if you {did}.",
        "I hereby order you to {do}.",
        "Could you find a moment to {do}?",
        "I leave it to you to {do}.",
        "The next item on the agenda is {doing}.",
        "{Doing} is next on your list today.",
        "{Doing} still needs to happen.",
        "When you've got a sec, {do}.",
        "Wrap things up by {doing}.",
        "{Doing} is what's needed, pretty please with a cherry on top.",
        "Forgive the intrusion, {do}.",
        "Please excuse me for interrupting you again, {do}.",
        "If I may have a quick word, {do}.",
        "May I have a word? Please {do}.",
        "Good evening, my dear, please {do}.",
        "Be so good as to {do}, there's a good lass.",
        "I want you to {do}, that's a good boy.",
        "It has been quite a day, I have to admit, so {do}.",
        "In my condition, one can't be too careful, so {do}.",
        "I have got to be at the office in ten minutes, so {do}.",
        "A lot of things here are not where we want them, so {do}.",
        "The sooner you {do}, the happier I'll be.",
        "You'd spare me the walk by {doing}.",
        "You could make my life so much easier if you could {do}.",
        "We're leaving it to you to {do}.",
        "Grandma wondered whether you could {do}.",
        "My husband asked me to ask you if you would {do}.",
        "Someone has got to {do}, and this time it's you.",
        "When you find ten minutes, {do}.",
        "While I get the children out, {do}.",
        "Instead of making me walk, {do}.",
        "A further matter: {do}.",
        "{Do}. Best wishes to you all.",
        "Finish by {doing}.",
        "The one thing left to do is to {do}.",
        "I'd thank you to {do}.",
        "For the sake of peace, {do}.",
        "As we agreed yesterday, {do}.",
        "By all means {do}.",
        "Commence {doing}.",
        "Fancy a job? {Do}.",
        "I was going to {do} myself, but could you do it?",
        "Once you're fully charged, {do}.",
        "I don't mean to be a bother, {do}.",
        "{Do}. You've earned a rest.",
        "{Do}. It saves me so much trouble.",
        "{Do}. What a comfort to have you here.",
    ],
)
def test_request_is_read_behind_any_words_that_only_ask_for_it(frame: str) -> None:
    text = frame.format(
        do="put the mug in the sink",
        doing="putting the mug in the sink",
        did="put the mug in the sink",
        Doing="Putting the mug in the sink",
        Do="Put the mug in the sink",
    )
    assert LANGUAGE.goals(text) == PUT


@pytest.mark.parametrize(
    "text",
    [
        "I want to open the fridge.",
        "I was thinking of opening the fridge.",
        "I like the way you open the fridge.",
        "I will help you to open the fridge.",
        "Thank you for opening the fridge.",
        "The plan was to open the fridge.",
        "What is the point of opening the fridge?",
        "Tell me how to open the fridge.",
        "You need not open the fridge.",
        "I don't want you to open the fridge.",
        "Did you open the fridge?",
        "You took the mug to the kitchen.",
        "If you are hungry, open the fridge.",
        "As soon as it rains, open the fridge.",
        "Has the fridge been left open?",
        "Instead of opening the fridge, sit down.",
        "I can't open the fridge.",
        "Somebody should open the fridge, and I'd like it to be my brother.",
        "Open the fridge while I'm away tomorrow.",
        "Only open the fridge while I am here.",
        "While I have the fridge open, sit down.",
        "The sooner the fridge is open, the better.",
        "Grandma asked if the fridge was open.",
        "My husband asked to open the fridge.",
        "You saved me a trip by opening the fridge.",
        "Put the mug and the better in the fridge.",
        "It's up to me to open the fridge.",
        "One has to be careful about opening the fridge.",
        "I have to admit that I opened the fridge.",
        "Opening the fridge is my second job.",
        "Opening the fridge would be a kindness to the flies.",
    ],
)
def test_text_in_which_nobody_asks_the_robot_to_act_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)


@given(st.lists(st.sampled_from(sorted(FRAME_WORDS)), max_size=7))
def test_words_of_a_frame_never_change_what_is_requested(frame: list[str]) -> None:
    try:
        goals = LANGUAGE.goals(" ".join((*frame, "open the fridge.")))
    except TaskNotUnderstoodError:
        return
    assert goals == OPEN


@pytest.mark.parametrize(
    "text",
    [
        "Once the mug is in the sink, open the fridge.",
        "Open the fridge after putting the mug in the sink.",
        "Open the fridge, but put the mug in the sink first.",
        "Open the fridge. Before that, though, put the mug in the sink.",
        "Prior to opening the fridge, put the mug in the sink.",
        "Put the mug in the sink, after which open the fridge.",
        "As soon as you're done putting the mug in the sink, open the fridge.",
        "Finish with opening the fridge, but start with putting the mug in the sink.",
        "Put the mug in the sink. With that out of the way, open the fridge.",
        "Not only put the mug in the sink, but also open the fridge.",
        "Kick things off by putting the mug in the sink and wrap up by opening the fridge.",
        "Open the fridge. Make sure you put the mug in the sink beforehand.",
        "On top of putting the mug in the sink, please open the fridge.",
        "Open the fridge, but do me the kindness of putting the mug in the sink first.",
        "Open the fridge, but I'd like you to put the mug in the sink first.",
        "Open the fridge, but not without putting the mug in the sink first.",
        "Putting the mug in the sink is your first job, and opening the fridge is your second.",
        "Opening the fridge is your second job, putting the mug in the sink is your first.",
    ],
)
def test_order_of_requests_is_that_of_the_actions(text: str) -> None:
    assert LANGUAGE.goals(text) == (*PUT, *OPEN)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I think the TV and the radio should be off.", "Switch off the TV and the radio."),
        ("Somebody left the TV and the radio on.", "Switch off the TV and the radio."),
        ("Get the cup and the plate put on the table.", "Put the cup and the plate on the table."),
        ("Take the cup and the plate that are in the sink.", "Take the cup and the plate from the sink."),
        ("The box should be emptied, then closed.", "Empty the box, then close the box."),
        ("Make sure the watering can is full.", "Fill the watering can."),
    ],
)
def test_a_predicate_of_coordinated_things_holds_for_each(text: str, plain: str) -> None:
    assert LANGUAGE.goals(text) == LANGUAGE.goals(plain)


def test_lamp_after_a_complete_wish_has_a_predicate_of_its_own() -> None:
    assert LANGUAGE.goals("I'd like a cup, and the lamp should be off.") == LANGUAGE.goals(
        "Bring me a cup. Switch off the lamp."
    )


@pytest.mark.parametrize(
    "text",
    ["I need the mug in the kitchen.", "Get the mug on the table.", "Could I have the mug on the tray?"],
)
def test_place_that_may_be_present_or_wanted_is_asked_back(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match="may say where a thing is, or where to put it"):
        LANGUAGE.goals(text)


def test_closing_it_means_what_the_text_has_opened() -> None:
    opened, placed, closed = LANGUAGE.goals("Open the backpack, put the notebook in it, and close it.")
    assert closed.what == opened.what != placed.what


def test_question_of_a_state_is_read_before_the_request_to_change_it() -> None:
    assert LANGUAGE.goals("Is the stove still on? Turn it off, please.") == LANGUAGE.goals(
        "Turn off the stove."
    )


def test_story_about_a_thing_is_passed_over_and_a_statement_of_its_state_is_not() -> None:
    assert LANGUAGE.goals("The vase came from my grandmother. Open the fridge.") == OPEN
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals("The vase is on the floor. Open the fridge.")
