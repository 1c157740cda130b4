"""A home in text for tests of roles: a few rooms, doors and objects, described as by a text world; no game engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from stma_ros.types import vocabulary as words

HAND = "the hand"

COOKED = {"stove": "fried", "oven": "roasted", "bbq": "grilled"}
CUT = {"chop": "chopped", "slice": "sliced", "dice": "diced"}
TOOLS = ("knife", "cookbook")


@dataclass
class TextHome:
    """A home.

    Attributes:
        exits: room -> direction -> room, both ways.
        doors: (room, direction) -> name, from both sides.
        fixtures: room -> fixtures in it.
        things: name -> place: a room (on its floor), a fixture, or HAND.
        closed: closed doors and containers.
        directions: of the recipe, "fry the ham".
    """

    exits: dict[str, dict[str, str]]
    fixtures: dict[str, tuple[str, ...]]
    things: dict[str, str]
    ingredients: tuple[str, ...]
    directions: tuple[str, ...]
    doors: dict[tuple[str, str], str] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    containers: tuple[str, ...] = ("fridge", "oven")
    room: str = "kitchen"
    states: dict[str, list[str]] = field(default_factory=dict)
    won: bool = False
    lost: str = ""

    # -- what is to be seen

    @property
    def description(self) -> str:
        lines = [f"-= {self.room.title()} =-", f"You are in the {self.room}."]
        for name in self.fixtures.get(self.room, ()):
            if name in self.closed:
                lines.append(f"You see a closed {name}.")
                continue
            held = [thing for thing, place in self.things.items() if place == name]
            contains = f"The {name} contains" if name in self.containers else f"On the {name} is"
            lines.append(
                f"You see the {name}. {contains} {', '.join(held)}." if held else f"You see the {name}."
            )
        for direction in self.exits[self.room]:
            door = self.doors.get((self.room, direction), "")
            state = "a closed" if door in self.closed else "an open"
            lines.append(
                f"There is {state} {door} leading {direction}." if door else f"There is an exit {direction}."
            )
        return "\n".join(lines)

    @property
    def inventory(self) -> str:
        held = [" ".join((*self.states.get(name, ()), name)) for name in self._held]
        return (
            f"You are carrying: {', '.join(f'a {name}' for name in held)}." if held else "You carry nothing."
        )

    @property
    def commands(self) -> tuple[str, ...]:
        return () if self.won or self.lost else tuple(sorted(self._commands()))

    @property
    def _held(self) -> list[str]:
        return [name for name, place in self.things.items() if place == HAND]

    @property
    def _here(self) -> list[str]:
        """Returns the fixtures of this room."""
        return list(self.fixtures.get(self.room, ()))

    def _commands(self) -> Iterator[str]:
        yield from ("look", "inventory")
        for direction in self.exits[self.room]:
            door = self.doors.get((self.room, direction), "")
            if door:
                yield f"{'open' if door in self.closed else 'close'} {door}"
            if door not in self.closed:
                yield f"go {direction}"
        for name in self._here:
            yield f"examine {name}"
            if name in self.containers:
                yield f"{'open' if name in self.closed else 'close'} {name}"
        for thing, place in self.things.items():
            if place == self.room:
                yield from (f"take {thing}", f"examine {thing}")
            elif place in self._here and place not in self.closed:
                yield from (f"take {thing} from {place}", f"examine {thing}")
        for thing in self._held:
            yield from (f"drop {thing}", f"examine {thing}" if thing in TOOLS else f"eat {thing}")
            yield from (
                f"put {thing} on {name}" for name in self._here if name not in (*self.containers, "bbq")
            )
            if thing in TOOLS:
                continue
            yield from (f"cook {thing} with {name}" for name in self._here if name in COOKED)
            if "knife" in self._held:
                yield from (f"{verb} {thing} with knife" for verb in CUT)
        if self.room == "kitchen" and "meal" not in self._held:
            yield "prepare meal"

    # -- what is done

    def do(self, text: str) -> str:
        """Returns the answer of the world to an admissible command."""
        assert text in self.commands, f"{text!r} is not among {self.commands}"
        verb, _, rest = text.partition(" ")
        name, _, tool = rest.partition(" with ")
        if verb == "go":
            self.room = self.exits[self.room][rest]
        elif verb in ("open", "close"):
            self.closed = self.closed - {rest} if verb == "open" else self.closed | {rest}
        elif verb == "take":
            self.things[rest.partition(" from ")[0]] = HAND
        elif verb == "drop":
            self.things[rest] = self.room
        elif verb == "put":
            thing, _, place = rest.partition(" on ")
            self.things[thing] = place
        elif verb == "eat":
            self._eat(rest)
        elif verb == "cook":
            self._change(name, COOKED[tool], COOKED.values())
        elif verb in CUT:
            self._change(name, CUT[verb], CUT.values())
        elif text == "prepare meal":
            self._prepare()
        elif text == "examine cookbook":
            return self.recipe
        return "Done."

    @property
    def recipe(self) -> str:
        listed = "\n  ".join(self.ingredients)
        steps = "\n  ".join((*self.directions, "prepare meal"))
        return f"You open the book:\n\nIngredients:\n{listed}\n\nDirections:\n{steps}"

    def _change(self, food: str, state: str, kinds: Iterable[str]) -> None:
        had = self.states.setdefault(food, [])
        if set(had) & set(kinds):
            self.lost = f"{food} is spoilt: {state}, and {had} before"
        had[:] = [item for item in had if item != "raw"] + [state]

    def _eat(self, food: str) -> None:
        del self.things[food]
        self.won = food == "meal"
        self.lost = "" if food == "meal" or food not in self.ingredients else f"{food} is eaten"

    def _prepare(self) -> None:
        results = {"fry": "fried", "roast": "roasted", "grill": "grilled", **CUT}
        wanted: dict[str, set[str]] = {name: set() for name in self.ingredients}
        for line in self.directions:
            verb, _, food = line.partition(" the ")
            wanted[food].add(results[verb])
        if all(
            name in self._held and set(self.states.get(name, ())) - {"raw"} == states
            for name, states in wanted.items()
        ):
            for name in self.ingredients:
                del self.things[name]
            self.things["meal"] = HAND


def linked(*ways: tuple[str, str, str]) -> dict[str, dict[str, str]]:
    """Returns exits from (room, direction, room), with the ways back."""
    exits: dict[str, dict[str, str]] = {}
    for one, direction, other in ways:
        exits.setdefault(one, {})[direction] = other
        exits.setdefault(other, {})[words.OPPOSITE[direction]] = one
    return exits


def with_doors(*doors: tuple[str, str, str, str]) -> dict[tuple[str, str], str]:
    """Returns doors from (room, direction, room, name), for both sides."""
    return {
        side: name
        for one, direction, other, name in doors
        for side in ((one, direction), (other, words.OPPOSITE[direction]))
    }


def small_home(**changes: object) -> TextHome:
    """Returns a kitchen between a bedroom, a pantry behind a closed door, and a backyard with a bbq and a garden
    beyond."""
    values: dict[str, object] = {
        "exits": linked(
            ("kitchen", "north", "bedroom"),
            ("kitchen", "east", "backyard"),
            ("kitchen", "west", "pantry"),
            ("backyard", "east", "garden"),
        ),
        "doors": with_doors(("kitchen", "west", "pantry", "plain door")),
        "closed": {"plain door", "fridge", "oven"},
        "fixtures": {
            "kitchen": ("fridge", "oven", "stove", "table", "counter"),
            "bedroom": ("bed",),
            "backyard": ("bbq",),
            "pantry": ("shelf",),
        },
        "things": {
            "cookbook": "table",
            "knife": "counter",
            "ham": "fridge",
            "red onion": "garden",
            "salt": "shelf",
            "banana": HAND,
        },
        "states": {"ham": ["raw"]},
        "ingredients": ("red onion", "ham"),
        "directions": ("chop the red onion", "fry the ham"),
        **changes,
    }
    return TextHome(**values)  # type: ignore[arg-type]


ROOMS = ("kitchen", "bedroom", "backyard", "garden", "pantry", "corridor", "living room", "bathroom")
FOODS = ("ham", "red onion", "yellow potato", "salt", "green apple", "chicken leg", "block of cheese")


def random_home(seed: int) -> TextHome:
    """Returns a home whose rooms, doors, objects and recipe follow from the seed; every meal can be made."""
    rng = np.random.default_rng(seed)
    names = ["kitchen", *rng.permutation(ROOMS[1:])[: rng.integers(1, len(ROOMS))].tolist()]
    at: dict[tuple[int, int], str] = {(0, 0): "kitchen"}
    shifts = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
    ways: list[tuple[str, str, str]] = []
    doors: list[tuple[str, str, str, str]] = []
    for name in names[1:]:
        places = [
            (spot, direction, (spot[0] + shift[0], spot[1] + shift[1]))
            for spot in at
            for direction, shift in shifts.items()
            if (spot[0] + shift[0], spot[1] + shift[1]) not in at
        ]
        spot, direction, there = places[rng.integers(len(places))]
        at[there] = name
        ways.append((at[spot], direction, name))
        if rng.random() < 0.4:
            doors.append((at[spot], direction, name, f"door {len(doors) + 1}"))
    fixtures = {name: (f"{name} table",) for name in names}
    fixtures["kitchen"] = ("fridge", "oven", "stove", "table", "counter")
    appliances = ["fry", "roast"]
    if "backyard" in names:
        fixtures["backyard"] = ("bbq",)
        appliances.append("grill")
    foods = rng.permutation(FOODS).tolist()
    count = int(rng.integers(1, 4))
    directions = []
    for food in foods[:count]:
        if rng.random() < 0.5:
            directions.append(f"{rng.choice(['chop', 'slice', 'dice'])} the {food}")
        if rng.random() < 0.6:
            directions.append(f"{rng.choice(appliances)} the {food}")
    spots = [
        *names,
        *(item for items in fixtures.values() for item in items if item not in ("stove", "bbq", "oven")),
    ]
    things = {food: str(rng.choice(spots)) for food in foods[: count + 2]}
    if rng.random() < 0.3:
        things[foods[0]] = HAND
    closed = {"fridge", "oven", *(name for *_, name in doors if rng.random() < 0.7)}
    return TextHome(
        exits=linked(*ways) or {"kitchen": {}},
        fixtures=fixtures,
        things={"cookbook": "counter", "knife": str(rng.choice(["table", "counter"])), **things},
        ingredients=tuple(foods[:count]),
        directions=tuple(directions),
        doors=with_doors(*doors),
        closed=closed,
        room=str(rng.choice(names)),
        states={food: ["raw"] for food in foods[::2]},
    )
