"""The rules of policy and observation summariser in homes, and that the stand-in model answers the same from text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.examples import EXAMPLES
from stma_ros.domains.household.observation_summariser import HouseholdObservationSummariser
from stma_ros.domains.household.policy import HouseholdPolicy
from stma_ros.memory.working.chunk_text import pair_text
from stma_ros.memory.working.subgoal_chunks import Closed, SubgoalChunks
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER, ChunkQuery
from stma_ros.roles.policy import POLICY, PolicyQuery
from stma_ros.testing.model_server.household import choose, sum_up
from stma_ros.testing.model_server.household_chunks import (
    outcomes_told,
    read_records,
    read_temporal,
)
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SubgoalChunk, SubgoalState, Summary
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation
from support.roles.described_games import DescribedGame, FixedTaskParser, random_game
from support.roles.scripted_client import HOUSEHOLD, ScriptedClient, prompted, text_of
from support.roles.scripted_home import navigate, open_, outcome, with_goals

TASK = "Put the green book into the cupboard."
CHOOSE: PolicyQuery = EXAMPLES[POLICY.name]
SUM_UP: ChunkQuery = EXAMPLES[OBSERVATION_SUMMARISER.name]
PICK = Action(words.SKILL_PICK, ("mug_1",))
PUT = Action(words.SKILL_PLACE_IN, ("sink_1",))


def record(done: Outcome, *, holding: bool = False, bumper: bool = False) -> Observation:
    return Observation(step=done.step, last_outcome=done, holding=holding, bumper=bumper)


def asked(query: ChunkQuery | None = None, *done: Outcome, **changes: object) -> ChunkQuery:
    """Returns a question about these outcomes. query: about the subgoal before; None = there is none."""
    previous = SubgoalChunk()
    if query is not None:
        previous = replace(summed_up(query), id=1, subgoal=query.subgoal)
    records = tuple(record(each) for each in done)
    return replace(ChunkQuery("", "fetch mug_1", records, previous), **changes)  # type: ignore[arg-type]


def summed_up(query: ChunkQuery) -> SubgoalChunk:
    return HouseholdObservationSummariser().answer(query)


def steps(outcomes: tuple[Outcome, ...]) -> list[tuple[str, Result, ErrorCode]]:
    return [(str(each.action), each.result, each.error.code) for each in outcomes]


# -- the policy


def decide(**changes: object) -> tuple[str, list[str]]:
    query = replace(CHOOSE, **changes)  # type: ignore[arg-type]
    query = replace(query, temporal=with_goals(query.temporal, TASK))
    answer = HouseholdPolicy(household_categories()).answer(query)
    return answer.subgoal, [str(action) for action in answer.actions]


def test_policy_goes_on_with_its_subgoal_by_one_action() -> None:
    assert decide() == ("", ["pick(book_2)"])


@pytest.mark.parametrize("present", ["", "look around"])
def test_policy_gives_a_subgoal_only_when_it_is_new(present: str) -> None:
    subgoal, actions = decide(temporal=replace(CHOOSE.temporal, subgoal=present))

    assert (subgoal, actions) == ("put book_2 into cupboard_1", ["pick(book_2)"])


def test_policy_gives_no_subgoal_where_there_are_none() -> None:
    without = replace(CHOOSE.temporal, subgoal="", chunks=())

    assert decide(temporal=without, subgoals=False) == ("", ["pick(book_2)"])


# -- the observation summariser


def test_summary_has_the_outcomes_of_the_subgoals_before() -> None:
    first = asked(None, outcome(1, navigate("cupboard_1")), outcome(2, open_("cupboard_1")))
    chunk = summed_up(asked(first, outcome(3, PICK)))

    assert steps(chunk.completed) == [
        ("navigate(cupboard_1)", Result.SUCCEEDED, ErrorCode.NONE),
        ("open(cupboard_1)", Result.SUCCEEDED, ErrorCode.NONE),
        ("pick(mug_1)", Result.SUCCEEDED, ErrorCode.NONE),
    ]
    assert "1 went to cupboard_1; 2 opened cupboard_1" in chunk.observation
    assert "In the hand: mug_1." in chunk.observation
    assert "\n" not in chunk.observation


def test_failure_at_the_end_is_not_met_with_its_reason() -> None:
    chunk = summed_up(asked(None, outcome(1, PICK, ErrorCode.GRASP_FAILED)))

    assert (chunk.state, chunk.reason) == (SubgoalState.NOT_MET, "pick(mug_1) failed: the grip slipped.")


@pytest.mark.parametrize(
    "done",
    [
        (outcome(1, PICK),),
        (outcome(1, PICK, ErrorCode.GRASP_FAILED), outcome(2, PICK)),
        (replace(outcome(1, navigate("sink_1")), result=Result.CANCELED),),
    ],
    ids=["done", "done at last", "stopped"],
)
def test_subgoal_without_evidence_is_not_called_met(done: tuple[Outcome, ...]) -> None:
    chunk = summed_up(asked(None, *done))

    assert (chunk.state, chunk.reason) == (SubgoalState.UNKNOWN, "")


GOOD = {"observation": "All is well.", "state": "met", "reason": ""}


def test_outcomes_of_a_models_summary_are_those_of_the_records() -> None:
    before = asked(None, outcome(1, navigate("sink_1")))
    query = asked(before, outcome(2, PICK, ErrorCode.TOO_FAR), outcome(3, PICK))

    chunk = prompted(OBSERVATION_SUMMARISER, ScriptedClient(GOOD), domain=HOUSEHOLD).answer(query)

    assert chunk.observation == "All is well."
    assert chunk.completed == summed_up(query).completed
    assert len(chunk.completed) == 3


def test_look_at_the_beginning_is_no_outcome_of_a_subgoal() -> None:
    looked = outcome(1, Action(words.SKILL_OBSERVE))

    assert asked(None, looked, outcome(2, PICK)).completed == (outcome(2, PICK),)


# -- how actions of a robot are written and read back

ENDED = (
    outcome(1, navigate("cupboard_1")),
    outcome(2, open_("cupboard_1"), ErrorCode.BLOCKED),
    outcome(3, navigate("sink_1"), ErrorCode.BLOCKED, distance=0.02),
    replace(outcome(4, navigate("sink_1"), distance=2.5), result=Result.CANCELED),
    replace(
        outcome(5, PICK, ErrorCode.TOO_FAR),
        error=replace(outcome(5, PICK, ErrorCode.TOO_FAR).error, text="0.9 m (at most)\nis 'within reach'"),
    ),
)


def test_actions_of_robots_are_written_with_how_and_when_they_ended() -> None:
    lines = [pair_text(record(done)).splitlines()[1] for done in ENDED]

    assert lines == [
        "Done: step 1, 1 s",
        "Failed: step 2, 2 s: blocked",
        "Failed: step 3, 3 s, after 0.1 m: blocked",
        "Stopped: step 4, 4 s, after 2.5 m",
        "Failed: step 5, 5 s: too far (0.9 m (at most) is 'within reach')",
    ]


def test_records_are_read_back_from_their_text() -> None:
    records = [record(done, holding=done.step > 2, bumper=done.step == 3) for done in ENDED]

    read = list(read_records("\n".join(map(pair_text, records))))

    assert [(each.step, each.holding, each.bumper) for each in read] == [
        (each.step, each.holding, each.bumper) for each in records
    ]
    outcomes = tuple(each.last_outcome for each in read)
    assert steps(outcomes) == steps(ENDED)
    assert [each.distance > 0 for each in outcomes] == [each.distance > 0 for each in ENDED]
    assert outcomes[-1].error.text == "0.9 m (at most) is 'within reach'"


def test_summary_in_one_line_tells_the_same_outcomes() -> None:
    chunk = summed_up(asked(asked(None, *ENDED), outcome(6, PICK), outcome(7, PUT, ErrorCode.IS_CLOSED)))

    told = outcomes_told(chunk)

    assert steps(told) == steps(chunk.completed)
    assert [each.header.stamp.sec for each in told] == [each.header.stamp.sec for each in chunk.completed]


def test_outcome_that_is_told_and_shown_is_read_once() -> None:
    memory = SubgoalChunks(100)
    for step, subgoal in ((1, "a"), (2, "a"), (3, "b"), (4, "c")):
        memory.add(record(outcome(step, navigate(f"place_{step}"))), subgoal)
    while (closed := memory.summary_input()) is not None:
        previous = closed.previous.chunks[-1] if closed.previous.chunks else SubgoalChunk()
        chunk = summed_up(ChunkQuery("", closed.subgoals[-1], closed.records, previous))
        memory.condense(Summary(chunks=(chunk,)))
    memory.retrieve((1,))

    read = read_temporal(memory.content.text)

    assert read.subgoal == "c"
    assert steps(read.completed) == steps(memory.content.completed)
    assert len(read.completed) == 4


# -- whole tasks


@dataclass
class Compared:
    """The history of a game in chunks, whose questions are answered by the rules and by the stand-in.

    Attributes:
        asked: number of questions that both answered.
        differences: their answers, where they differ.
    """

    game: DescribedGame
    closed: Closed
    subgoals: bool

    def __post_init__(self) -> None:
        self.asked = 0
        self.differences: list[tuple[object, object]] = []
        self._memory = SubgoalChunks(1000, closed=self.closed)
        self._subgoal = ""

    def follow(self) -> None:
        """Asks about each step of the game, whose actions are those of the planner by rules."""
        for query, seen in self._steps():
            self._memory.add(seen, self._subgoal)
            self._sum_up()
            self._decide(query)

    def _steps(self) -> Iterator[tuple[CritiqueQuery, Observation]]:
        first = {q.temporal.at.step: q for q in reversed(self.game.asked) if isinstance(q, CritiqueQuery)}
        return ((first[step], self.game.records[step]) for step in sorted(first))

    def _sum_up(self) -> None:
        while (closed := self._memory.summary_input()) is not None:
            previous = closed.previous.chunks[-1] if closed.previous.chunks else SubgoalChunk()
            query = ChunkQuery("", closed.subgoals[-1], closed.records, previous)
            chunk, reply = summed_up(query), sum_up(text_of(query))
            by_words = prompted(OBSERVATION_SUMMARISER, ScriptedClient(vars(reply)), domain=HOUSEHOLD).answer(
                query
            )
            self._compare(replace(chunk, completed=()), replace(by_words, completed=()))
            self._compare(steps(chunk.completed), steps(outcomes_told(by_words)))
            self._memory.condense(Summary(chunks=(chunk,)))

    def _decide(self, judged: CritiqueQuery) -> None:
        content = self._memory.content
        temporal = replace(
            judged.temporal,
            subgoal=self._subgoal,
            completed=content.completed,
            chunks=content.chunks,
            text=content.text,
        )
        query = PolicyQuery("", temporal, judged.spatial, judged.allowed_actions, subgoals=self.subgoals)
        answer = HouseholdPolicy(household_categories()).answer(query)
        reply = choose(text_of(query), FixedTaskParser(self.game.goals))
        self._compare((answer.subgoal, str(answer.actions[0])), (reply.subgoal, reply.action))
        self._subgoal = answer.subgoal or self._subgoal

    def _compare(self, rules: object, model: object) -> None:
        self.asked += 1
        if rules != model:
            self.differences.append((rules, model))


@pytest.mark.parametrize("seed", range(8))
def test_stand_in_decides_like_the_rules_in_random_homes(seed: int) -> None:
    compare(seed)


@pytest.mark.parametrize(
    ("closed", "subgoals"),
    [(Closed.WHOLE, True), (Closed.SUMMARY, False)],
    ids=["nothing closed", "no subgoals"],
)
def test_stand_in_decides_like_the_rules_with_another_history(closed: Closed, subgoals: bool) -> None:
    compare(3, closed, subgoals)


def compare(seed: int, closed: Closed = Closed.SUMMARY, subgoals: bool = True) -> None:
    game = random_game(seed)
    game.play(250)
    compared = Compared(game, closed, subgoals)

    compared.follow()

    assert compared.asked >= len(game.records)
    assert compared.differences == []
