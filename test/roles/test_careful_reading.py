"""Tests that the grammar reads a task as it is meant, or refuses it: nothing that limits a request is dropped.

`careful_reading_dev.yaml` was used to develop this. `careful_reading.yaml` is held out: only counts are shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language import HouseholdLanguage, typos
from stma_ros.types.errors import TaskNotUnderstoodError
from support.roles.paraphrases import DEVELOPMENT_SETS, Entry, Verdict, accepted, entries, verdict

CATEGORIES = household_categories()
LANGUAGE = HouseholdLanguage(CATEGORIES)
SHARE = 0.95  # least share of the held-out sentences understood or rightly refused; measured: 103 of 104
MISREAD = 0

UNDERSTOOD = [
    entry
    for name in DEVELOPMENT_SETS
    for entry in entries(name)
    if not entry.get("refused") and not entry.get("gap")
]


@pytest.mark.parametrize("entry", entries("careful_reading_dev.yaml"), ids=lambda entry: entry["text"])
def test_sentence_of_the_development_set_is_read_as_meant_or_refused(entry: Entry) -> None:
    if entry.get("refused"):
        with pytest.raises(TaskNotUnderstoodError):
            LANGUAGE.goals(entry["text"])
    else:
        assert LANGUAGE.goals(entry["text"]) in accepted(entry)


def test_share_of_unseen_sentences_misread_is_zero() -> None:
    """Reports only numbers, so that the held-out set stays unseen."""
    unseen = entries("careful_reading.yaml")
    counts = Counter(verdict(LANGUAGE, entry) for entry in unseen)
    print({kind.value: number for kind, number in counts.items()})
    assert len(unseen) >= 100
    assert counts[Verdict.MISREAD] <= MISREAD
    assert counts[Verdict.RIGHT] >= SHARE * len(unseen)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Find the dirty mug.", "'dirty' does not tell me which mug is meant"),
        ("Where is Tom's mug?", '"tom\'s" does not tell me which mug is meant'),
        (
            "Bring me the book that I was reading.",
            "'that i was reading' does not tell me which book is meant",
        ),
        ("Find the second mug.", "'second' does not tell me which mug is meant"),
        ("Find the dirty mug.", "Say it by kind, colour, size or place"),
        ("If the oven is on, close the window.", "'if the oven is on' is a condition that I cannot check"),
        ("Put exactly two mugs on the table.", "'exactly two' is a number that I cannot keep to"),
        ("Bring me a mug, not the blue one.", "'not the blue one' is an exception that I cannot keep"),
        ("Find the mug, no wait, the fridge.", "is a correction that I cannot place"),
        ("Open the fridge. Is the oven on?", "'is the oven on' is a question"),
        ("Find the bork.", "'bork' is a word that I do not know. Do you mean"),
    ],
)
def test_refusal_names_the_words_that_are_not_understood(text: str, named: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match=re.escape(named)):
        LANGUAGE.goals(text)


def test_typing_error_of_a_known_word_is_corrected_and_said() -> None:
    reading = LANGUAGE.read("Put the mug in the cupbord.")
    assert reading.goals == LANGUAGE.goals("Put the mug in the cupboard.")
    assert reading.remarks == ("I read 'cupbord' as 'cupboard'.",)


def test_text_without_typing_errors_has_no_remarks() -> None:
    assert LANGUAGE.read("Put the mug in the cupboard.").remarks == ()


def test_shade_of_a_colour_is_read_as_the_colour_and_said() -> None:
    assert LANGUAGE.read("Find the dark blue mug.").remarks == (
        "I do not tell shades apart: I read 'dark blue' as 'blue'.",
    )


# -- properties

NOT_PERCEIVED = (
    "dirty clean broken old new favourite second third heavier nearest leftmost Tom's wooden striped xqzy"
)


def _things(goals: tuple[Goal, ...]) -> Iterator[str]:
    for goal in goals:
        for thing in (goal.what, goal.destination if isinstance(goal, PlaceGoal) else None):
            while thing is not None:
                yield thing.category
                thing = thing.place


def _nouns(entry: Entry) -> list[int]:
    """Returns where the nouns of known objects in a sentence begin."""
    named = {category for category in _things(LANGUAGE.goals(entry["text"])) if CATEGORIES.is_known(category)}
    found = re.finditer(r"[a-z][A-Za-z'-]+", entry["text"])
    return [match.start() for match in found if CATEGORIES.canonical(match[0]) in named]


@pytest.mark.parametrize("word", ["old", "new", "dirty", "favourite"])
def test_limiting_word_before_a_name_of_two_words_is_refused(word: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match=f"'{word}' does not tell me which shoe rack is meant"):
        LANGUAGE.goals(f"Put the shoes on the {word} shoe rack.")


@given(st.data())
def test_sentence_with_an_added_limiting_word_is_refused(data: st.DataObject) -> None:
    entry = data.draw(st.sampled_from(UNDERSTOOD))
    nouns = _nouns(entry)
    assume(nouns)
    at = data.draw(st.sampled_from(nouns))
    limiting = data.draw(st.sampled_from(NOT_PERCEIVED.split()))
    text = f"{entry['text'][:at]}{limiting} {entry['text'][at:]}"
    with pytest.raises(TaskNotUnderstoodError):
        LANGUAGE.goals(text)


@st.composite
def mistyped(draw: st.DrawFn) -> tuple[str, str]:
    """Returns an understood sentence, and the same with a typing error in a word of at least five letters."""
    text: str = draw(st.sampled_from(UNDERSTOOD))["text"]
    words = list(re.finditer(r"[A-Za-z]{5,}", text))
    assume(words)
    word = draw(st.sampled_from(words))
    at = draw(st.integers(1, len(word[0]) - 2))
    letter = draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    before, here, after = word[0][:at], word[0][at], word[0][at + 1 :]
    wrong = draw(
        st.sampled_from(
            [
                before + after,
                before + letter + after,
                before + letter + here + after,
                before + after[0] + here + after[1:],
            ]
        )
    )
    assume(typos.unknown_words(wrong, CATEGORIES))  # otherwise it is another word
    return text, text[: word.start()] + wrong + text[word.end() :]


@given(mistyped())
def test_typing_error_changes_no_reading_without_saying_so(texts: tuple[str, str]) -> None:
    text, wrong = texts
    try:
        reading = LANGUAGE.read(wrong)
    except TaskNotUnderstoodError:
        return
    assert reading.remarks or reading.goals == LANGUAGE.goals(text)
