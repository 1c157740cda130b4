"""Rules for planning tasks: what is believed by the text of a history, the policy, and the observation summariser."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.pddl import policy
from stma_ros.domains.pddl.believed_state import read_state
from stma_ros.domains.pddl.goals import read_goal
from stma_ros.domains.pddl.ground_task import Atom, atom_of, ground, literal_of
from stma_ros.domains.pddl.observation_summariser import MORE_SEEN, PddlObservationSummariser
from stma_ros.domains.pddl.policy import PddlPolicy
from stma_ros.domains.pddl.state_space import Condition
from stma_ros.memory.working.chunk_text import closed_lines, pair_text
from stma_ros.roles.observation_summariser import ChunkQuery
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import PolicyQuery
from stma_ros.types.action_model import ActionModel
from stma_ros.types.belief import SpatialBelief, SubgoalChunk, SubgoalState, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, TaskNotUnderstoodError
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation
from stma_ros.types.sentences import Sentences
from support.roles.action_models import BOXES, FERRY, FERRY_START, atoms

LOOK = "Observation: c1 at left. c2 at left. left is ferry-at. free."
TASK = "Make this true: c1 at right; c2 at right."
GIVE_UP, LOOK_AROUND = Action("give_up"), Action("command", ("look around",))


def believed(text: str, model: ActionModel = FERRY) -> frozenset[Atom]:
    return frozenset(read_state(text, model, Sentences(model)).true)


def question(
    text: str,
    task: str = TASK,
    model: ActionModel = FERRY,
    *,
    subgoal: str = "",
    chunks: tuple[SubgoalChunk, ...] = (),
    allowed: tuple[Action, ...] = (),
    rejected: tuple[Action, ...] = (),
    subgoals: bool = True,
) -> PolicyQuery:
    temporal = TemporalBelief(text=text, subgoal=subgoal, chunks=chunks)
    return PolicyQuery(
        task,
        temporal,
        SpatialBelief(),
        (*allowed, GIVE_UP),
        rejected=rejected,
        model=model,
        subgoals=subgoals,
    )


def answer(query: PolicyQuery) -> PlanAnswer:
    return PddlPolicy().answer(query)


def command(query: PolicyQuery) -> str:
    return str(answer(query).actions[0])


def record(action: str, feedback: str, model: ActionModel = FERRY, *, failed: bool = False) -> Observation:
    error = Error(ErrorCode.NO_EFFECT, feedback) if failed else Error()
    done = Outcome(
        request_id="t/1",
        action=Action("command", (action,)),
        result=Result.FAILED if failed else Result.SUCCEEDED,
        error=error,
    )
    return Observation(last_outcome=done, feedback=feedback, action_model=model)


class TestBelievedState:
    def test_first_look_says_what_is_true(self) -> None:
        assert believed(LOOK) == FERRY_START

    def test_action_has_its_effects(self) -> None:
        after = believed(f"{LOOK}\n1. Subgoal: c1 is aboard\nAction: board c1 left")
        assert after == FERRY_START - atoms("at c1 left", "free") | atoms("aboard c1")

    def test_action_without_effect_changes_nothing_and_is_remembered(self) -> None:
        text = f"{LOOK}\nAction: land c1 left\nObservation: 'land c1 left' has no effect now."
        state = read_state(text, FERRY, Sentences(FERRY))
        assert (frozenset(state.true), state.failed) == (FERRY_START, {"land c1 left"})
        state = read_state(f"{text}\nAction: board c1 left", FERRY, Sentences(FERRY))
        assert state.failed == set()

    def test_observation_corrects_the_effects(self) -> None:
        after = believed(
            f"{LOOK}\nAction: sail left right\nObservation: left is ferry-at. right is not ferry-at."
        )
        assert after == FERRY_START

    def test_new_place_replaces_the_old_one(self) -> None:
        assert believed(f"{LOOK}\nAction: wave\nObservation: c1 at right.") == FERRY_START - atoms(
            "at c1 left"
        ) | atoms("at c1 right")

    def test_met_subgoal_holds_and_a_later_summary_replaces_it(self) -> None:
        met = f"{LOOK}\n1. Subgoal met: c1 is aboard"
        assert ("aboard", "c1") in believed(met)
        later = f"{met}\n2. Subgoal met: right is ferry-at\nSummary: c1 at right."
        assert believed(later) == atoms("at c1 right", "at c2 left", "ferry-at right", "free")

    def test_subgoal_that_was_not_met_is_not_believed(self) -> None:
        text = f"{LOOK}\n1. Subgoal not met: c1 is aboard\nSummary: Nothing else changed."
        assert believed(text) == FERRY_START

    def test_look_around_replaces_what_was_believed(self) -> None:
        text = f"{LOOK}\nAction: board c1 left\nAction: look around\nObservation: c1 at right. right is ferry-at. free."
        assert believed(text) == atoms("at c1 right", "ferry-at right", "free")

    def test_hidden_fact_is_denied_only_when_it_would_be_seen(self) -> None:
        look = "Observation: box1 is shut. box2 is shut."
        state = read_state(look, BOXES, Sentences(BOXES))
        assert state.denied == set()
        text = f"{look}\nAction: lift box1\nObservation: box1 is open. box1 is not shut. coin in box1."
        state = read_state(text, BOXES, Sentences(BOXES))
        assert ("in", "coin", "box1") in state.true
        assert state.denied == atoms("in key box1")

    @pytest.mark.parametrize(
        "text", ["", "Nonsense", "Observation: ", "Action: fly to the moon", "1. Subgoal met: "]
    )
    def test_text_that_says_nothing_of_the_world_is_ignored(self, text: str) -> None:
        assert believed(f"{LOOK}\n{text}") == FERRY_START


class TestGoals:
    @pytest.mark.parametrize(
        "task", [TASK, "c1 at right; c2 at right", "c1 at right, c2 at right", "c2 at right and c1 at right."]
    )
    def test_goal_is_read_with_and_without_an_introduction(self, task: str) -> None:
        assert read_goal(task, Sentences(FERRY)) == Condition(atoms("at c1 right", "at c2 right"))

    def test_negative_goal_is_read(self) -> None:
        assert read_goal("not c1 at left", Sentences(FERRY)) == Condition(frozenset(), atoms("at c1 left"))

    @pytest.mark.parametrize("task", ["", "Bring me a coffee", "Make this true: c1 at right; c9 at right."])
    def test_task_about_another_world_is_not_understood_and_an_example_given(self, task: str) -> None:
        with pytest.raises(TaskNotUnderstoodError, match="b1 is on b2"):
            read_goal(task, Sentences(FERRY))


class TestPolicy:
    def test_first_answer_has_a_subgoal_and_its_first_action(self) -> None:
        found = answer(question(LOOK))
        assert read_goal(found.subgoal, Sentences(FERRY)).true & atoms("at c1 right", "at c2 right")
        assert str(found.actions[0]) in ("board c1 left", "board c2 left")

    def test_open_subgoal_is_pursued_without_a_new_one(self) -> None:
        found = answer(question(f"{LOOK}\n1. Subgoal: c2 is aboard", subgoal="c2 is aboard"))
        assert (found.subgoal, str(found.actions[0])) == ("", "board c2 left")

    def test_reached_subgoal_is_followed_by_a_new_one(self) -> None:
        found = answer(
            question(f"{LOOK}\n1. Subgoal: c1 is aboard\nAction: board c1 left", subgoal="c1 is aboard")
        )
        assert found.subgoal
        assert str(found.actions[0]) == "sail left right"

    @pytest.mark.parametrize("subgoal", ["do something clever", "c9 is aboard"])
    def test_subgoal_that_cannot_be_read_is_replaced(self, subgoal: str) -> None:
        assert answer(question(LOOK, subgoal=subgoal)).subgoal not in ("", subgoal)

    def test_without_subgoals_there_is_the_action_alone(self) -> None:
        assert answer(question(LOOK, subgoals=False)).subgoal == ""

    def test_action_without_effect_is_not_repeated(self) -> None:
        text = f"{LOOK}\nAction: board c1 left\nObservation: 'board c1 left' has no effect now."
        assert command(question(text, "c1 is aboard; not free")) != "board c1 left"

    def test_rejected_action_is_not_repeated(self) -> None:
        first = answer(question(LOOK)).actions[0]
        assert answer(question(LOOK, rejected=(first,))).actions[0] != first

    def test_task_whose_parts_exclude_one_another_is_given_up(self) -> None:
        found = answer(question(LOOK, "c1 is aboard; c1 at left"))
        assert (found.actions, found.failure) == ((GIVE_UP,), ErrorCode.CONTRADICTION)

    def test_goal_that_cannot_be_reached_is_impossible_only_if_everything_is_known(self) -> None:
        look = "Observation: c1 at left. left is ferry-at."  # the ferry is neither free nor loaded
        known = answer(question(look, "c1 is aboard"))
        assert (known.actions, known.failure) == ((GIVE_UP,), ErrorCode.IMPOSSIBLE)
        gap = answer(question(f"{look}\n(Left out here: 2 actions)", "c1 is aboard"))
        assert (gap.actions, gap.failure) == ((GIVE_UP,), ErrorCode.NONE)

    def test_where_the_whole_goal_is_too_far_for_the_search_a_part_of_it_comes_first(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for bound in ("_EFFORT", "_LAST_EFFORT"):
            monkeypatch.setattr(policy, bound, 8)
        history, done = LOOK, []
        for _ in range(3):
            done.append(command(question(history, subgoals=False)))
            history += f"\nAction: {done[-1]}"
        assert done == ["board c1 left", "sail left right", "land c1 right"]
        assert answer(question(history)).actions != (GIVE_UP,)

    def test_goal_of_which_every_part_is_too_far_for_the_search_is_given_up(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for bound in ("_EFFORT", "_LAST_EFFORT", "_SUBGOAL_EFFORT"):
            monkeypatch.setattr(policy, bound, 1)
        found = answer(question(LOOK))
        assert (found.actions, found.failure) == ((GIVE_UP,), ErrorCode.NONE)

    def test_look_around_comes_first_where_nothing_is_known(self) -> None:
        assert command(question("", allowed=(LOOK_AROUND,))) == "look around"

    def test_history_with_a_gap_that_contradicts_itself_is_followed_by_a_look_around(self) -> None:
        no_effect = "Action: board c1 left\nObservation: 'board c1 left' has no effect now."
        text = f"{LOOK}\n(Left out here: 3 actions)\n{no_effect}"
        assert command(question(text, "c1 is aboard", allowed=(LOOK_AROUND,))) == "look around"

    def test_boxes_are_opened_one_by_one_until_the_thing_is_seen(self) -> None:
        look = "Observation: box1 is shut. box2 is shut."
        first = command(question(look, "key is held", BOXES))
        assert first in ("lift box1", "lift box2")
        box, other = first.split()[1], {"box1": "box2", "box2": "box1"}[first.split()[1]]
        text = f"{look}\n1. Subgoal: {box} is open\nAction: {first}\nObservation: {box} is open. {box} is not shut."
        assert command(question(text, "key is held", BOXES, subgoal=f"{box} is open")) == f"lift {other}"
        text += f"\n2. Subgoal: {other} is open\nAction: lift {other}\nObservation: {other} is open. key in {other}."
        assert (
            command(question(text, "key is held", BOXES, subgoal=f"{other} is open")) == f"take key {other}"
        )

    def test_thing_that_was_looked_for_everywhere_is_given_up(self) -> None:
        look = "Observation: box1 is open. box2 is open. coin in box1."
        assert answer(question(look, "key is held", BOXES)).actions == (GIVE_UP,)

    def test_subgoal_of_which_more_was_seen_is_retrieved_before_searching(self) -> None:
        chunk = SubgoalChunk(
            id=1,
            subgoal="box1 is open",
            state=SubgoalState.MET,
            observation="coin in box1.",
            reason=f"3 {MORE_SEEN}",
        )
        present = SubgoalChunk(id=2, subgoal="box2 is open", state=SubgoalState.OPEN, whole=True)
        text = "\n".join(
            ("Observation: box1 is shut. box2 is shut.", *closed_lines(chunk), "2. Subgoal: box2 is open")
        )
        retrieve = Action("retrieve", ("1",))
        asked = question(text, "key is held", BOXES, chunks=(chunk, present), allowed=(retrieve,))
        assert answer(asked).actions == (retrieve,)
        refused = replace(asked, rejected=(retrieve,))
        assert answer(refused).actions != (retrieve,)


class TestObservationSummariser:
    def summed_up(
        self, subgoal: str, *records: Observation, previous: SubgoalChunk = SubgoalChunk()
    ) -> SubgoalChunk:
        first = Observation(description=LOOK.removeprefix("Observation: "), action_model=FERRY)
        return PddlObservationSummariser().answer(ChunkQuery(TASK, subgoal, records, previous, first))

    def test_met_subgoal_is_not_repeated_in_its_summary(self) -> None:
        found = self.summed_up(
            "c1 is aboard", record("board c1 left", "c1 is aboard. not free. not c1 at left.")
        )
        assert (found.state, found.observation) == (SubgoalState.MET, "Nothing else changed.")

    def test_summary_tells_other_changes_beside_the_subgoal(self) -> None:
        found = self.summed_up("c1 is aboard", record("board c1 left", ""), record("sail left right", ""))
        assert found.observation == "right is ferry-at."

    def test_subgoal_that_was_not_reached_says_what_had_no_effect(self) -> None:
        found = self.summed_up(
            "c1 at right", record("land c1 right", "'land c1 right' has no effect now.", failed=True)
        )
        assert (found.state, found.reason) == (SubgoalState.NOT_MET, "land c1 right had no effect.")

    def test_subgoal_in_free_words_is_not_judged(self) -> None:
        assert self.summed_up("be nice", record("board c1 left", "")).state == SubgoalState.UNKNOWN

    def test_of_many_things_seen_in_passing_few_are_told_and_the_others_counted(self) -> None:
        things = " ".join(f"coin{number}:thing" for number in range(9))
        from support.roles.action_models import parameters

        model = replace(BOXES, objects=(*BOXES.objects, *parameters(things)))
        seen = " ".join(f"coin{number} in box1." for number in range(9))
        first = Observation(description="box1 is shut. box2 is shut.", action_model=model)
        opened = record("lift box1", f"box1 is open. box1 is not shut. {seen}", model)
        found = PddlObservationSummariser().answer(
            ChunkQuery("", "box1 is open", (opened,), SubgoalChunk(), first)
        )
        assert found.observation.count(" in box1.") == 6
        assert found.reason == f"3 {MORE_SEEN}"

    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=4), min_size=1, max_size=6))
    def test_summaries_lose_nothing_of_the_state(self, subgoals: list[list[int]]) -> None:
        """Random walks: what is believed after the summaries is what is true."""
        operators, state, previous = ground(FERRY, FERRY_START), FERRY_START, SubgoalChunk()
        sentences = Sentences(FERRY)
        first = Observation(description=LOOK.removeprefix("Observation: "), action_model=FERRY)
        lines = [pair_text(first)]
        for number, choices in enumerate(subgoals, start=1):
            records, before = [], state
            for choice in choices:
                possible = [each for each in operators if set(each.needs) <= state]
                step = possible[choice % len(possible)]
                state = step.after(state)
                records.append(record(sentences.command(step.action, step.arguments), ""))
            gained = sorted(state - before) or sorted(state)
            subgoal = sentences.sentence(literal_of(gained[0]))
            summary = PddlObservationSummariser().answer(
                ChunkQuery(TASK, subgoal, tuple(records), previous, first)
            )
            assert summary.state == SubgoalState.MET
            previous = replace(summary, id=number, subgoal=subgoal)
            lines.extend(closed_lines(previous))
            assert believed("\n".join(lines)) == state


def test_literal_and_atom_are_the_same() -> None:
    atom = ("at", "c1", "left")
    assert atom_of(literal_of(atom)) == atom
