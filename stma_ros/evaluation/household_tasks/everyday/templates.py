"""The form of everyday templates.

Templates are texts with fields in braces:

| field | is replaced by |
|---|---|
| `x`, `my_x` | the objects: "the red mug", "two books"; "my red mug" where there is only one such object |
| `it`, `they` | the pronoun of the objects, as an object and as a subject |
| `is`, `has`, `goes`, `belongs`, `needs`, `ends` | the verb that agrees with the objects |
| `in_y`, `into_y` | the place, as a location and as a destination: "on the table", "onto the table" |
| `to_y`, `y` | the place, as the end of a way, and alone: "to the kitchen", "the kitchen" |
| `on_s`, `off_s`, `s` | the present place of the objects: "on the desk", "from the desk", "the desk" |
| `do`, `doing` | an action: "put the mug on the table", "putting the mug on the table" |
| `a`, `a_ing`, `b`, `b_ing` | two actions, of which the first comes first |
| `list` | several actions, or several objects with their places |
| `then`, `then_x` | the placement of an object: "put it on the table", "put the mug on the table" |

A verb after `*` is turned into its -ing form where the action is a noun. Sentences begin in lower case, except "I".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Wordings:
    """Templates of one kind of subtask.

    Attributes:
        sentences: whole requests.
        statements: whole requests about certain objects; with "a mug" they would mean any mug.
        actions: what is to be done, in the imperative.
        short_actions: likewise, with a word after the objects that is too far away after a long description.
    """

    sentences: tuple[str, ...]
    statements: tuple[str, ...]
    actions: tuple[str, ...]
    short_actions: tuple[str, ...] = ()

    def joined(self, other: Wordings) -> Wordings:
        """Returns the templates of both."""
        return Wordings(
            self.sentences + other.sentences,
            self.statements + other.statements,
            self.actions + other.actions,
            self.short_actions + other.short_actions,
        )


@dataclass(frozen=True)
class Templates:
    """One part of the templates.

    Attributes:
        greetings: beginnings of the first sentence.
        reasons: sentences before the first request, which ask for nothing.
        closings: sentences at the end, which ask for nothing.
        requests: sentences around an action.
        pairs: sentences around two actions.
        lists: sentences around several actions.
        tidying: sentences around several objects with their places.
        links: beginnings of any further sentence.
        request_links: beginnings of further sentences that ask for one or several actions.
        last_links: likewise, of the last sentence.
        large, small: words for the largest and the smallest of several.
        on_furniture: description of an object by its place; fields `x`, `is` and `on_s`.
        in_room: description of furniture by its room; fields `noun` and `room`.
        all_of: all of several objects; fields `one`, `many` and `number`.
        both_of: likewise, of two.
        some_of: a number of more objects.
        one_of: any one of several.
        find, fetch: requests to find and to hand over objects.
        put: requests to put objects in or on something.
        carry: requests to bring objects to something or into a room.
        keep_in_room: sentences and statements about the room in which objects are to be.
        put_from, carry_from: likewise, with the present place of the objects.
        states: requests for a state, by its word.
        state_and_put: sentences on a vessel that is filled or emptied and then put somewhere, by its state.
    """

    greetings: tuple[str, ...]
    reasons: tuple[str, ...]
    closings: tuple[str, ...]
    requests: tuple[str, ...]
    pairs: tuple[str, ...]
    lists: tuple[str, ...]
    tidying: tuple[str, ...]
    links: tuple[str, ...]
    request_links: tuple[str, ...]
    last_links: tuple[str, ...]
    large: tuple[str, ...]
    small: tuple[str, ...]
    on_furniture: tuple[str, ...]
    in_room: tuple[str, ...]
    all_of: tuple[str, ...]
    both_of: tuple[str, ...]
    some_of: tuple[str, ...]
    one_of: tuple[str, ...]
    find: Wordings
    fetch: Wordings
    put: Wordings
    carry: Wordings
    keep_in_room: Wordings
    put_from: Wordings
    carry_from: Wordings
    states: Mapping[str, Wordings]
    state_and_put: Mapping[str, tuple[str, ...]]
