"""Texts of several requests are read with all their requests, and each pronoun as what it means."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

read_goals = HouseholdLanguage(household_categories()).goals

SAME = [
    # a reason before its request
    ("Turn off the TV, and since I'm cold bring me a blanket.", "Turn off the TV. Bring me a blanket."),
    (
        "I'll be cooking, so I'd like the pot on the stove and the lamp on.",
        "Put the pot on the stove. Turn on the lamp.",
    ),
    # pronouns over clauses
    (
        "Close all the drawers. I want to put something in the box, please open it.",
        "Close all the drawers. Open the box.",
    ),
    (
        "Turn off the oven. I've finished with the window, please close it.",
        "Turn off the oven. Close the window.",
    ),
    ("Fill the mug. I don't need the water in the jug, pour it out.", "Fill the mug. Empty the jug."),
    ("My phone is hidden in the bedroom. Find it.", "Find the phone in the bedroom."),
    (
        "Put the towels in the basket and carry it to the bedroom.",
        "Put the towels in the basket. Bring the basket to the bedroom.",
    ),
    (
        "Put the vase on the shelf and the candle beside it.",
        "Put the vase on the shelf. Put the candle next to the vase.",
    ),
    # what is left out because it is said before
    ("The lamp must be off, and the heater too.", "Turn off the lamp and the heater."),
    ("The mug goes in the sink. So does the plate.", "Put the mug and the plate in the sink."),
    (
        "Blanket on the bed, lamp off, window shut.",
        "Put the blanket on the bed. Turn off the lamp. Close the window.",
    ),
    ("Bring me the black books and the white ones.", "Bring me the black books. Bring me the white books."),
    (
        "Put the mug in the sink, the plate too, and the fork in the drawer.",
        "Put the mug and the plate in the sink. Put the fork in the drawer.",
    ),
    (
        "The kitchen: close the window. The bedroom: turn off the lamp. Bring me the book.",
        "Close the window in the kitchen. Turn off the lamp in the bedroom. Bring me the book.",
    ),
    # the order of requests
    ("Turn on the lamp once you have closed the window.", "Close the window, then turn on the lamp."),
    ("Close the door. The lamp must be off first.", "Turn off the lamp, then close the door."),
    (
        "Task one is to shut the window, and task two is to take the cup and the plate to the kitchen.",
        "Shut the window, then take the cup and the plate to the kitchen.",
    ),
    (
        "Oh, and job number one is to open the oven; the next is to fill the pot.",
        "Open the oven, then fill the pot.",
    ),
    ("Filling the vase comes first, and then close the door.", "Fill the vase, then close the door."),
    (
        "Start by filling the vase, and finish by coming back with the cup.",
        "Fill the vase, then bring the cup.",
    ),
    (
        "I'd like you to start by filling the vase and to end by closing the door.",
        "Fill the vase, then close the door.",
    ),
    ("First fill the vase, second help me find the cup.", "Fill the vase, then find the cup."),
    (
        "Fill the vase, but before you go back to sleep, close the door.",
        "Fill the vase, then close the door.",
    ),
    ("Fill the vase for starters and close the door to finish.", "Fill the vase, then close the door."),
    ("May I ask you to open the oven and to close up the drawer?", "Open the oven. Close the drawer."),
    (
        "I want you to take the cup to the desk and, after that, to close the drawer.",
        "Take the cup to the desk. Close the drawer.",
    ),
    (
        "Open the oven. To finish, I've noted what needs doing. Please close the drawer.",
        "Open the oven, then close the drawer.",
    ),
    ("Robot, I'd ask my son, but he's ill, so could you close the drawer?", "Close the drawer."),
    ("Get filling the vase over with, then close the door.", "Fill the vase, then close the door."),
    (
        "You'd help us by first filling the vase and then closing the door.",
        "Fill the vase, then close the door.",
    ),
    ("Fill the vase. P.S. Mind you close the door.", "Fill the vase. Close the door."),
    (
        "Tidy a few things away: the book on the desk, the cup in the sink.",
        "Put the book on the desk and the cup in the sink.",
    ),
    ("Filling the vase comes before closing the door.", "Fill the vase, then close the door."),
    ("Close the door, but filling the vase comes first.", "Fill the vase, then close the door."),
    ("Fill the vase, and only then shut the door.", "Fill the vase, then shut the door."),
    ("I want you to shut the door, but not before filling the vase.", "Fill the vase, then shut the door."),
    ("Can you shut the door straight after filling the vase?", "Fill the vase, then shut the door."),
    ("Shut the door, please, but go and fill the vase first.", "Fill the vase, then shut the door."),
    ("Shut the door, but have a look for my hat first.", "Find the hat, then shut the door."),
    (
        "Open the oven before putting the cup, the plate and the spoon in the sink.",
        "Open the oven, then put the cup, the plate and the spoon in the sink.",
    ),
    ("Put the vase on a stand, but not until you have filled it.", "Fill the vase, then put it on a stand."),
    (
        "Shut the door. Once you've got that out of the way, fill the vase.",
        "Shut the door, then fill the vase.",
    ),
    ("Shut the door. And to top it off, fill the vase.", "Shut the door, then fill the vase."),
    ("Shut the door - but only once you've finished filling the vase.", "Fill the vase, then shut the door."),
    ("Once filling the vase is done, shut the door.", "Fill the vase, then shut the door."),
    ("If you fill the vase first, you can shut the door afterwards.", "Fill the vase, then shut the door."),
    ("Your tasks are filling the vase and then shutting the door.", "Fill the vase, then shut the door."),
    # headings
    (
        "I can't bear this chaos, so please do a quick tidy-up: the cup on the shelf, the pan in the cupboard.",
        "Put the cup on the shelf. Put the pan in the cupboard.",
    ),
    (
        "Would you put a few things back where they belong: the cup on the shelf and the pan in the cupboard?",
        "Put the cup on the shelf. Put the pan in the cupboard.",
    ),
    (
        "This is how I want the place: the cup on the shelf and the pan in the cupboard.",
        "Put the cup on the shelf. Put the pan in the cupboard.",
    ),
    ("I want the red can and the board put in the fridge.", "Put the red can and the board in the fridge."),
    # conversation
    ("Are you busy? Put the mug in the sink. That should do it.", "Put the mug in the sink."),
    ("What you have to do: open the door, find the mug.", "Open the door. Find the mug."),
]


@pytest.mark.parametrize(("text", "plain"), SAME, ids=[text for text, _ in SAME])
def test_text_of_several_requests_has_the_goals_of_plain_requests(text: str, plain: str) -> None:
    assert read_goals(text) == read_goals(plain)


@pytest.mark.parametrize(
    "text",
    [
        "Bring me the pen and the paper. It's on the desk.",
        "Put the tray on the table and the cup on it.",
        "I'd need the big pot on the stove, the rice on the counter, and the stove switched on.",
        "Take the headphones. Also my phone, which should be on the desk.",
        "I'd like some music and a book.",
        "Off with the lights, shut the door, and my book please.",
        "While the oven is open, put the pan in it.",
    ],
)
def test_text_whose_requests_have_two_meanings_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't open the fridge before putting the cup in the sink.",
        "The second cup is to go in the sink.",
        "The first one is to be closed.",
        "Closing the door comes last.",
        "I'm busy washing the dishes and putting the plates in the cupboard.",
        "We love opening the windows and closing the door.",
        "My job is closing the window.",
        "My first job is to close the window.",
        "Nothing would please me more than to close the window.",
        "I forgot to close the window, so my wife did it.",
        "The lamp is on at night. Turn it off.",
        "The lamp should be off at noon.",
        "Put the cup in the sink. I don't want that.",
        "Bring me a cup. A small one.",
        "After washing the cup, put it in the cupboard.",
        "Get the cup on one of our shelves.",
    ],
)
def test_action_without_a_request_before_or_after_it_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    "remark",
    [
        "I was thinking of the stove.",
        "We are dreaming of the oven.",
        "I am going for the heater next.",
        "My wife was on about the lamp.",
        "I am done with that dirty mug.",
    ],
)
def test_a_remark_of_people_that_may_ask_for_a_thing_is_not_ignored(remark: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(f"Put the mug in the sink. {remark}")


@pytest.mark.parametrize(
    "remark",
    [
        "I am on the phone.",
        "I sat on the sofa all day.",
        "We are having people over tonight.",
        "I'm stuck in a meeting until half past four.",
        "The exam is at noon.",
        "I've had only three hours of sleep.",
        "It's nearly ten o'clock.",
        "The baby needs changing.",
        "I could do with an early night.",
        "I have to be at the airport by six.",
        "The show is about to begin.",
        "My boss told me to rest.",
        "Everyone is out except me.",
        "The baby has finally nodded off.",
        "My wife is asleep already.",
        "I never got round to it yesterday.",
        "It shouldn't take more than ten minutes.",
        "This place needs to be tidy before my parents get here.",
    ],
)
def test_where_people_are_and_what_they_do_is_ignored(remark: str) -> None:
    assert read_goals(f"{remark} Put the mug in the sink.") == read_goals("Put the mug in the sink.")


@pytest.mark.parametrize(
    "said",
    [
        "Hello again, my friend, {}",
        "Righto, {}",
        "Quick favour: {}",
        "I hate to be a nuisance, but {}",
        "Can you hear me? {}",
        "{} Ta ever so much!",
        "{} Nice one, mate!",
        "{} What a lifesaver you are.",
        "{} Where would I be without you?",
        "{} And that's everything from me for today.",
        "{} That concludes my list.",
        "{} Then you can have a rest.",
        "{} The rest can wait.",
        "{} I'll leave you to it.",
        "{} Bless your heart.",
        "{} And that's an order!",
        "{} Don't let me down.",
        "{} You've got this.",
        "{} Easy peasy.",
        "{} Report back when you're done.",
        "{} Do you think you can manage that?",
        "{} Do all of that for me.",
        "On my list for today: {}",
        "Time for chores! {}",
    ],
)
def test_pleasantry_asks_for_nothing(said: str) -> None:
    text = said.format("put the mug in the sink." if said.endswith("{}") else "Put the mug in the sink.")
    assert read_goals(text) == read_goals("Put the mug in the sink.")


def test_all_of_it_at_the_end_is_no_thing() -> None:
    text = "Open the window and put the mug in the sink, all of it before dinner."
    assert read_goals(text) == read_goals("Open the window and put the mug in the sink.")
