"""Random games in scripted households whose beliefs have texts, for roles that are asked by prompt."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal, goal_message
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.memory.descriptions import Description
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.roles.task_parser import ParsedTask, TaskQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.goals import ALL
from support.roles.scripted_household import Game, Household, Item, Luck, Piece

KINDS = ("kitchen", "hallway", "living room", "bedroom")
NAMES = (
    "counter",
    "fridge",
    "cupboard",
    "sink",
    "shoe rack",
    "sofa",
    "coffee table",
    "sideboard",
    "bed",
    "wardrobe",
)
PIECES = tuple(Piece(min(index // 3, 3), name, 3) for index, name in enumerate(NAMES))
CATEGORIES = ("mug", "book", "apple", "toy car", "vase")


class DescribedGame(Game):
    """A game whose beliefs have texts that describe them."""

    def temporal(self) -> TemporalBelief:
        return replace(super().temporal(), text=self.summary.text)

    def spatial(self) -> SpatialBelief:
        return described(super().spatial())


def described(belief: SpatialBelief) -> SpatialBelief:
    query = AggregateQuery(belief.room, belief.facts, belief.routes)
    return replace(belief, text=SymbolicRelationAggregator(household_categories()).answer(query).text)


def random_game(seed: int) -> DescribedGame:
    rng = random.Random(seed)
    closed = ("fridge", "cupboard", "sideboard", "wardrobe")
    spots = [(name, name in closed) for name in NAMES if name != "shoe rack"]
    items = tuple(
        Item(
            f"{rng.choice(CATEGORIES)}#{i}",
            *rng.choice(spots),
            rng.choice(("red", "blue")),
            rng.choice((0.08, 0.2)),
        )
        for i in range(rng.randint(1, 6))
    )
    what = Description(rng.choice(CATEGORIES), rng.choice(((), ("red",))), rng.choice(("", "", "small")))
    count = rng.choice((1, ALL))
    goals: tuple[Goal, ...] = (
        FindGoal(what),
        StateGoal(Description(rng.choice(closed[:2])), rng.choice(("open", "closed"))),
        PlaceGoal(what, count, words.IN, Description(rng.choice(("sink", "fridge")))),
        PlaceGoal(what, count, words.IN_ROOM, Description(rng.choice(KINDS))),
        PlaceGoal(what, 1, words.HELD_BY),
    )
    ways = {(0, 1): rng.random() < 0.3, (1, 2): rng.random() < 0.3, (1, 3): False}
    luck = Luck(grasp=0.15, drop=0.08, blocked=0.08, seed=seed)
    house = Household(KINDS, ways, PIECES, items, luck=luck)
    return DescribedGame(
        house, tuple(dict.fromkeys(rng.sample(goals, rng.randint(1, 2)))), rng.randint(5, 25)
    )


@dataclass(frozen=True)
class FixedTaskParser:
    """A TaskParserRole that returns fixed goals for every task."""

    goals: tuple[Goal, ...]

    def answer(self, query: TaskQuery) -> ParsedTask:
        return ParsedTask(tuple(map(goal_message, self.goals)))
