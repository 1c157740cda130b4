"""Tests that why something is asked, and where there is a spot for a thing, is read as a plain request."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.types.errors import TaskNotUnderstoodError

read_goals = HouseholdLanguage(household_categories()).goals


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Fill the vase. So that we all know where the hat is, hang it in the wardrobe.",
         "Fill the vase. Put the hat in the wardrobe."),
        ("So that the hat and the scarf don't get lost, put them in the wardrobe.",
         "Put the hat and the scarf in the wardrobe."),
        ("My sister needn't see the hat on the bed, so put it in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("Fill the vase. I keep stumbling over the bucket, so put it in the wardrobe.",
         "Fill the vase. Put the bucket in the wardrobe."),
        ("The baby can't sleep with the radio on. Turn it off, please.", "Turn off the radio."),
        ("Nobody's going to drink what's in the vase, so please pour it out.", "Empty the vase."),
        ("I can't get at the switch, so would you turn on the lamp?", "Turn on the lamp."),
        ("We shall need one of the hats later, so please put it on the bed.", "Put one hat on the bed."),
        ("We shall need every hat later, so please put them on the bed.", "Put all hats on the bed."),
        ("As for every hat, I'd like them put on the bed.", "Put all hats on the bed."),
        ("Fill the vase. I don't want the hat getting lost, so please put it in the wardrobe.",
         "Fill the vase. Put the hat in the wardrobe."),
        ("Fill the vase. Before the milk goes off, put it in the fridge.",
         "Fill the vase. Put the milk in the fridge."),
        ("My fingers tremble at the tap, so could you fill the vase?", "Fill the vase."),
        ("I need the bed for something else, so take the hat off the bed and put it in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("I'd like to see what's inside the wardrobe, so open it.", "Open the wardrobe."),
        ("I need the hat for what I'm doing, please hand it to me.", "Bring me the hat."),
        ("Somebody left the hat and the scarf lying around, can you put them in the wardrobe?",
         "Put the hat and the scarf in the wardrobe."),
    ],
)  # fmt: skip
def test_motive_names_the_thing_of_its_request(text: str, same: str) -> None:
    assert set(read_goals(text)) == set(read_goals(same))


@pytest.mark.parametrize(
    "text",
    [
        "So that we all know where the hat is, I hung it in the wardrobe.",
        "My sister needn't see the hat on the bed.",
        "The baby can't sleep with the radio on.",
        "I can't get at the switch.",
        "Nobody's going to drink what's in the vase.",
    ],
)
def test_motive_without_a_request_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("In the wardrobe: that's where I want the hat, the scarf and the coat to go.",
         "Put the hat, the scarf and the coat in the wardrobe."),
        ("Where I'd like both hats is in one of the wardrobes.", "Put both hats in one wardrobe."),
        ("Where the hat belongs is in the wardrobe.", "Put the hat in the wardrobe."),
        ("Find a spot in a wardrobe for all three hats.", "Put three hats in a wardrobe."),
        ("The hat shouldn't be on the bed but in the wardrobe.", "Put the hat from the bed in the wardrobe."),
        ("The hat shouldn't be anywhere but in the wardrobe.", "Put the hat in the wardrobe."),
        ("It's to the office that the hat should be taken.", "Take the hat to the office."),
        ("What's the hat doing on the bed? Put it in the wardrobe, where it belongs.",
         "Put the hat from the bed in the wardrobe."),
        ("The hat is on the bed. Take it from there and put it in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("The hat is still on the bed, although I'd like it to be in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("Could we have the hat put on the shelf that's in the office?", "Put the hat on the shelf in the office."),
        ("May I ask for the hat and the scarf to be brought to the office?",
         "Take the hat and the scarf to the office."),
        ("Carrying the hat to the office is too much for me, could you do it?", "Take the hat to the office."),
        ("I find it hard to open the fridge. Would you do it?", "Open the fridge."),
        ("Would you mind seeing that the hat goes on the shelf?", "Put the hat on the shelf."),
        ("Once you're done seeing that the hat goes on the shelf, open the fridge.",
         "Put the hat on the shelf. Then open the fridge."),
        ("Fill the vase before you have it moved to the office.", "Fill the vase. Then take it to the office."),
        ("Instead of being left on, the lamp should be switched off.", "Turn off the lamp."),
        ("Make sure I get the hat.", "Bring me the hat."),
        ("We've decided to have the hat in the wardrobe, so please put it there.", "Put the hat in the wardrobe."),
        ("We always keep the hat in the office, so take it there, please.", "Take the hat to the office."),
        ("I've told everyone that the hat belongs in the wardrobe, so put it there.", "Put the hat in the wardrobe."),
        ("The hat is not in the wardrobe yet, could you put it there?", "Put the hat in the wardrobe."),
        ("It's in the office that I need the hat, so would you take it there?", "Take the hat to the office."),
        ("I need more space on the bed, so please take the hat away from there and put it in the wardrobe.",
         "Put the hat from the bed in the wardrobe."),
        ("Put both hats where they belong, in the wardrobe.", "Put both hats in the wardrobe."),
        ("Would you take care of the hat? It should go in the wardrobe.", "Put the hat in the wardrobe."),
        ("If I had the strength, I'd put the hat in the wardrobe myself, but please do it for me.",
         "Put the hat in the wardrobe."),
        ("Instead of where they are now, the hat and the scarf should be in the wardrobe.",
         "Put the hat and the scarf in the wardrobe."),
        ("It would be so much nicer with the lamp on, could you see to it?", "Turn on the lamp."),
        ("To one of the offices is where the hat should go.", "Take the hat to an office."),
        ("Take the hat with you to an office and leave it there.", "Take the hat to an office."),
        ("Go to the stove, take the pot from there and put it in the sink. Bring me the soap.",
         "Put the pot from the stove in the sink. Bring me the soap."),
        ("Switch the lamp off to save some electricity.", "Turn off the lamp."),
        ("I was hoping you could return to me with the hat.", "Bring me the hat."),
        ("Provide me with the hat, please.", "Bring me the hat."),
        ("Someone put the hat on the bed instead of in the wardrobe. Please put it there.",
         "Put the hat from the bed in the wardrobe."),
        ("The vase needs water before it goes on the shelf.", "Fill the vase. Then put it on the shelf."),
        ("With the vase emptied, put it on the shelf.", "Empty the vase. Then put it on the shelf."),
        ("I'd rather the hat were on the shelf than on the bed.", "Put the hat from the bed on the shelf."),
        ("Whoever left the hat on the bed should be ashamed. Put it on the shelf.",
         "Put the hat from the bed on the shelf."),
        ("Turn on the lamp on the desk. I left my lamp on the bed, could you get it for me?",
         "Turn on the lamp on the desk. Bring me the lamp on the bed."),
        ("I'm done with both of the glasses, can you put them on the shelf?", "Put two glasses on the shelf."),
        ("Put the kettle on the shelf so that I can find it, but fill it first.",
         "Fill the kettle. Then put it on the shelf."),
        ("I'm not able to fetch the hat myself. Would you bring it to me?", "Bring me the hat."),
        ("There's too much stuff on the bed, so could you take the hat and put it in the wardrobe?",
         "Put the hat from the bed in the wardrobe."),
        ("It would help us to have the hat, the scarf and the coat carried to the office.",
         "Take the hat, the scarf and the coat to the office."),
        ("Put the hat in the wardrobe instead of on the bed.", "Put the hat from the bed in the wardrobe."),
        ("Tidy the hat, the towel and the lamp inside the wardrobe.",
         "Put the hat, the towel and the lamp in the wardrobe."),
        ("Put the hat on the bed so that I know where it is and see where the scarf is.",
         "Put the hat on the bed. Find the scarf."),
        ("The office is the room I'd like the hat to be in.", "Put the hat in the office."),
        ("The hats go over to the office.", "Take all the hats to the office."),
        ("It's to the office that the hat and the scarf should be taken.", "Take the hat and the scarf to the office."),
        ("The vase is not empty yet, would you pour out the rest?", "Empty the vase."),
        ("My guests mustn't go thirsty, so please fill the vase.", "Fill the vase."),
        ("Make sure the hat gets to me.", "Bring me the hat."),
        ("Pop the hat over to me, would you?", "Bring me the hat."),
        ("We've made some room on the shelf for the hat, so please put it there.", "Put the hat on the shelf."),
        ("There's a gap on the shelf where the hat should go.", "Put the hat on the shelf."),
        ("Clear a spot on the shelf and put the hat there.", "Put the hat on the shelf."),
        ("The shelf is the hat's new home.", "Put the hat on the shelf."),
        ("The hat would look great on the shelf, don't you think?", "Put the hat on the shelf."),
        ("The hat hasn't been put on the shelf yet. Please do so.", "Put the hat on the shelf."),
        ("The hat still isn't on the shelf. Please fix that.", "Put the hat on the shelf."),
        ("I thought the hat was on the shelf, but it isn't, so please put it there.", "Put the hat on the shelf."),
        ("I can't relax until the hat is on the shelf.", "Put the hat on the shelf."),
        ("I took the hat off the shelf, please put it back there.", "Put the hat on the shelf."),
        ("Does the radio have to be on? Turn it off.", "Turn off the radio."),
        ("Is there still something in the vase? Empty it.", "Empty the vase."),
        ("The water in the vase is stale. Get rid of it.", "Empty the vase."),
        ("Nobody is listening to the radio any more, so turn it off.", "Turn off the radio."),
        ("The fridge has been standing open for an hour, so close it.", "Close the fridge."),
    ],
)  # fmt: skip
def test_place_that_is_said_in_another_way_is_read(text: str, same: str) -> None:
    assert set(read_goals(text)) == set(read_goals(same))


@pytest.mark.parametrize(
    "text",
    [
        "That's where I want the hat to go.",
        "Where I want the hat is a secret.",
        "The hat shouldn't be on the bed.",
        "It was to the office that the hat was taken.",
        "Closing the fridge is too much for me.",
        "Make sure I get some rest.",
        "I made sure I got the hat.",
        "Instead of being empty, the vase was full.",
        "We've decided to have the hat in the wardrobe.",
        "We always keep the hat in the office.",
        "The hat is not in the wardrobe yet.",
        "We need one of the hats on a bed before dinner.",
        "Tidy the hat, the scarf and the coat on the bed.",
        "If I had the strength, I'd put the hat in the wardrobe myself.",
        "I was told where to find the hat.",
        "My guests mustn't go thirsty.",
        "I thought the hat was on the shelf, so I put it there.",
        "We've made some room on the shelf for the hat.",
        "The hat has never been on the shelf.",
        "Does the radio have to be on?",
        "Is there still something in the vase?",
        "The fridge has been standing open for an hour.",
        "You see the shoes? They should be on the bench.",
        "Do you see the cushion? It should be in the wardrobe.",
    ],
)
def test_statement_that_asks_for_no_place_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError):
        read_goals(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did I leave my hat somewhere? Please find out where.",
        "What I'd like to know is where my hat is.",
        "I've forgotten where my hat is, so please tell me.",
        "My eyes aren't good enough to spot my hat, so find it.",
        "I could use another pair of eyes to help me find my hat.",
        "I've looked for my hat in every drawer.",
        "Would you mind going in search of my hat?",
        "I'm after my hat, any clue where I should look?",
        "I can't leave until I know where my hat is, please help me look.",
        "Somebody has moved my hat, can you find out where it is now?",
        "Nobody can find my hat, so could you have a look?",
        "The kids want to know where my hat is, can you tell them?",
        "Keep an eye out for my hat and tell me where you see it.",
        "Can you show me the place where I can find my hat?",
        "Instead of me hunting all day for my hat, could you tell me where to look?",
        "What would be the best place to look for my hat?",
        "I'd be glad to be told where to find my hat.",
        "Any chance you've come across my hat?",
        "I'm at a loss as to where my hat might have got to.",
        "My hat seems to have grown legs. Find it, please.",
        "Let me know as soon as you find my hat.",
        "Keep looking until my hat turns up.",
        "I need to know my hat's whereabouts.",
    ],
)
def test_lost_thing_is_found(text: str) -> None:
    assert read_goals(text) == read_goals("Find my hat.")
