"""Tests of the spatial memory of text worlds: learning, object queries, forgetting, saving and loading."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.components.knowledge_memory.knowledge_memory import (
    HISTORY,
    SUMMARY,
    KnowledgeMemoryComponent,
    KnowledgeMemoryConfig,
)
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.models.embedder import LEXICAL
from stma_ros.roles.relation_aggregator import AggregateQuery, Description, RelationAggregatorRole
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery, Relations
from stma_ros.roles.rendering import fact_text
from stma_ros.storage.memory_store import MemoryNotSavedError
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import MessageRef
from stma_ros.types.errors import ErrorCode, RoleError
from stma_ros.types.message import Message
from stma_ros.types.remembering import (
    MemoryAction,
    MemoryReply,
    MemoryRequest,
    ObjectQuery,
    ObjectQueryResult,
)
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.components.household_components import spatial_memory

Triple = tuple[str, str, str]

HOME: tuple[Triple, ...] = (
    (words.ROBOT, "in", "kitchen"),
    ("kitchen", "exit north", "hall"),
    ("fridge", "in", "kitchen"),
    ("red potato", "in", "fridge"),
    ("purple potato", "in", "hall"),
    ("knife", "on", "table"),
    ("table", "in", "kitchen"),
)


class ScriptedRetriever:
    """A retriever that returns the facts, steps and complete rooms that a test sets."""

    def __init__(self) -> None:
        self.facts: list[Relation] = []
        self.steps: list[int] = []
        self.complete: dict[str, int] = {}
        self.questions: list[RelationQuery] = []
        self.fails = False

    def answer(self, query: RelationQuery) -> Relations:
        self.questions.append(query)
        if self.fails:
            raise RoleError("gibberish")
        return Relations(tuple(self.facts), tuple(self.steps), self.complete)


class Player:
    """Plays the other components to one memory. Like a history buffer, it repeats earlier facts."""

    def __init__(
        self, folder: Path | None = None, aggregator: RelationAggregatorRole | None = None, **settings: object
    ) -> None:
        values = {"embedder": LEXICAL, "memory_dir": str(folder or ""), **settings}
        self.retriever = ScriptedRetriever()
        self.memory = KnowledgeMemoryComponent(
            KnowledgeMemoryConfig(**values),  # type: ignore[arg-type]
            self.retriever,
            aggregator or TextRelationAggregator(),
        )
        self.heard: list[tuple[str, Message]] = []
        self.asked = 0

    def say(self, topic: str, message: Message) -> None:
        self.heard += self.memory.handle(topic, message)

    def see(self, second: int, *facts: Triple, commands: tuple[str, ...] = ("look",)) -> SpatialBelief:
        stamp = Time(second)
        self.retriever.facts += [Relation(*fact) for fact in facts]
        self.retriever.steps += [second] * len(facts)
        self.say(
            topics.OBSERVATION,
            Observation(
                header=Header(stamp),
                task_id="t",
                step=second,
                description="-= Kitchen =-",
                admissible_commands=commands,
            ),
        )
        self.say(
            topics.TEMPORAL_BELIEF,
            TemporalBelief(at=StepStamp(header=Header(stamp), task_id="t", step=second)),
        )
        belief = self.heard[-1][1]
        assert isinstance(belief, SpatialBelief)
        return belief

    def ask(self, description: str, limit: int = 0) -> ObjectQueryResult:
        self.asked += 1
        self.say(
            topics.OBJECT_QUERY,
            ObjectQuery(header=Header(), request_id=f"q{self.asked}", description=description, limit=limit),
        )
        answer = self.heard[-1][1]
        assert isinstance(answer, ObjectQueryResult)
        assert answer.request_id == f"q{self.asked}"
        return answer

    def request(self, kind: MemoryAction, subject: str = "") -> MemoryReply:
        self.asked += 1
        self.say(
            topics.MEMORY_REQUEST,
            MemoryRequest(header=Header(), request_id=f"q{self.asked}", kind=kind, subject=subject),
        )
        reply = self.heard[-1][1]
        assert isinstance(reply, MemoryReply)
        assert reply.request_id == f"q{self.asked}"
        return reply

    def places(self, description: str) -> list[str]:
        return [sighting.place for sighting in self.ask(description).sightings]

    def load_warnings(self) -> list[MemoryReply]:
        return [m for _, m in self.heard if isinstance(m, MemoryReply) and not m.request_id]


def at_home(folder: Path | None = None) -> Player:
    player = Player(folder)
    player.see(1, *HOME)
    return player


class TestRetrieverQuery:
    """The query names the first step for which the retriever has not answered yet."""

    @staticmethod
    def since(player: Player) -> list[int]:
        return [query.since for query in player.retriever.questions]

    @staticmethod
    def step(player: Player, task_id: str, step: int) -> None:
        player.say(topics.OBSERVATION, Observation(task_id=task_id, step=step))
        player.say(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id=task_id, step=step)))

    @pytest.mark.parametrize("source", [SUMMARY, HISTORY])
    def test_retriever_is_asked_for_steps_after_its_last_answer(self, source: str) -> None:
        player = Player(source=source)
        for step in (0, 1, 4):
            self.step(player, "t", step)
        assert self.since(player) == [0, 1, 2]

    def test_retriever_is_asked_again_for_a_step_without_an_answer(self) -> None:
        player = Player()
        for step in range(5):
            player.retriever.fails = step in (0, 2, 3)
            self.step(player, "t", step)
        assert self.since(player) == [0, 0, 2, 2, 2]

    def test_retriever_is_asked_for_all_steps_of_another_task(self) -> None:
        player = Player()
        for task_id, step in (("t", 0), ("t", 1), ("u", 0), ("u", 1), ("t", 2)):
            self.step(player, task_id, step)
        assert self.since(player) == [0, 1, 0, 1, 0]


class TestUnusableAnswers:
    def test_malformed_facts_are_left_out_and_reported(self) -> None:
        player = Player()
        belief = player.see(1, *HOME, ("", "in", "kitchen"), ("fridge", "in", "the fridge"))

        assert {f.subject for f in belief.facts} >= {"red potato", "knife"}
        (call,) = [
            m for _, m in player.heard if isinstance(m, RoleCall) and m.role == RELATION_RETRIEVER.name
        ]
        assert call.error.startswith("2 facts left out; the first: a fact names nothing")

    def test_knowledge_graph_is_unchanged_when_the_retriever_has_no_answer(self) -> None:
        player = at_home()
        player.retriever.fails = True
        belief = player.see(2)

        assert {f.subject for f in belief.facts} >= {"red potato", "knife"}
        call = [m for _, m in player.heard if isinstance(m, RoleCall) and m.role == RELATION_RETRIEVER.name][
            -1
        ]
        assert call.error == "gibberish"

    def test_facts_are_listed_when_the_aggregator_has_no_answer(self) -> None:
        """The planner uses only facts that its prompt contains."""

        class Silent:
            def answer(self, query: AggregateQuery) -> Description:
                raise RoleError("gibberish")

        belief = Player(aggregator=Silent()).see(1, *HOME)

        assert len(belief.facts) == len(HOME)
        assert belief.text.splitlines()[0] == "The facts are not in words (gibberish):"
        assert set(belief.text.splitlines()[1:]) == set(map(fact_text, belief.facts))


def at(task: str, step: int, second: int) -> tuple[Observation, TemporalBelief]:
    """Returns the observation and the temporal belief of a step."""
    feedback, header = f"{task} at {step}", Header(Time(second))
    seen = Observation(
        header=header, task_id=task, step=step, feedback=feedback, admissible_commands=("look",)
    )
    return seen, TemporalBelief(at=StepStamp(header=header, task_id=task, step=step))


class TestObservationBuffer:
    def read(self, order: Sequence[Message], **settings: object) -> dict[tuple[str, int], str]:
        """Returns the text that the retriever received for each step."""
        player = Player(**settings)
        for message in order:
            is_seen = isinstance(message, Observation)
            player.say(topics.OBSERVATION if is_seen else topics.TEMPORAL_BELIEF, message)
        return {(q.temporal.task_id, q.temporal.step): q.temporal.text for q in player.retriever.questions}

    @given(st.permutations([m for task in ("a", "b") for step in range(4) for m in at(task, step, step + 1)]))
    def test_history_for_the_retriever_is_that_of_the_task_up_to_the_step(self, order: list[Message]) -> None:
        read = self.read(order, source=HISTORY, history=2)

        assert len(read) == 8
        seen: set[tuple[str, int]] = set()
        for (task, step), text in read.items():
            feedbacks = re.findall(r"Feedback: (\w) at (\d)", text)
            assert {name for name, _ in feedbacks} == {task}
            steps = [int(number) for _, number in feedbacks]
            assert steps == sorted(steps)
            assert steps[-1] == step
            assert len(steps) <= 2
            seen.add((task, step))

    def test_history_for_the_retriever_does_not_depend_on_the_order_of_arrival(self) -> None:
        before, now, later = (at("t", step, step + 1) for step in (1, 2, 3))

        for order in ((before[0], now[0], later[0], now[1]), (later[0], now[0], before[0], now[1])):
            ((_, text),) = self.read(order, source=HISTORY).items()
            assert re.findall(r"at (\d)", text) == ["1", "2"]

    def test_facts_have_the_stamp_of_the_step_at_which_they_were_seen(self) -> None:
        player = Player()
        player.see(3, *HOME)
        player.see(5, ("knife", "in", "hall"))

        assert player.ask("fridge").sightings[0].last_seen == Time(3)
        assert player.ask("knife").sightings[0].last_seen == Time(5)

    @pytest.mark.parametrize(("step", "second"), [(99, 3), (2, 0)])
    def test_fact_of_an_unknown_step_is_no_newer_than_the_last_step(self, step: int, second: int) -> None:
        player = Player()
        player.retriever.facts, player.retriever.steps = [Relation("knife", "in", "hall")], [step]
        player.see(3)

        assert player.ask("knife").sightings[0].last_seen == Time(second)


class TestRoomsSeenWhole:
    def test_object_missing_from_a_room_seen_whole_has_no_present_place(self) -> None:
        player = at_home()
        player.retriever.complete = {"hall": 2}
        player.see(2, (words.ROBOT, "in", "hall"))

        assert [(s.place, s.present) for s in player.ask("purple potato").sightings] == [("in hall", False)]
        assert player.places("knife") == ["on table, in kitchen"]

    def test_room_is_not_seen_whole_when_no_command_is_admissible(self) -> None:
        player = at_home()
        player.retriever.complete = {"hall": 2}
        player.see(2, (words.ROBOT, "in", "hall"), commands=())

        assert player.ask("purple potato").sightings[0].present


def names(answer: ObjectQueryResult) -> list[str]:
    return [sighting.object_id for sighting in answer.sightings]


class TestLastSeen:
    def test_answer_to_an_object_query_names_all_places_out_to_the_room(self) -> None:
        answer = at_home().ask("where did you last see the red potato?")

        assert answer.text == "I last saw the red potato just now in the fridge in the kitchen."
        (sighting,) = answer.sightings
        assert (sighting.object_id, sighting.place) == ("red potato", "in fridge, in kitchen")
        assert (sighting.present, sighting.first_seen, sighting.last_seen) == (True, Time(1), Time(1))
        assert answer.header.stamp == Time(1)
        assert not answer.error

    def test_answer_to_an_object_query_lists_earlier_places_after_the_newest(self) -> None:
        player = at_home()
        player.see(4, ("knife", words.HELD_BY, words.ROBOT))
        player.see(9, ("knife", "on", "shelf"), ("shelf", "in", "hall"))

        answer = player.ask("knife")

        assert [(s.place, s.present, s.first_seen, s.last_seen) for s in answer.sightings] == [
            ("on shelf, in hall", True, Time(9), Time(9)),
            ("in the hand", False, Time(4), Time(4)),
            ("on table, in kitchen", False, Time(1), Time(1)),
        ]

    def test_held_object_is_in_the_room_of_the_robot(self) -> None:
        player = at_home()
        player.see(4, ("knife", words.HELD_BY, words.ROBOT), (words.ROBOT, "in", "hall"))

        assert player.ask("knife").text == "I last saw the knife just now in the hand in the hall."

    def test_limit_of_an_object_query_keeps_the_newest_sightings(self) -> None:
        player = at_home()
        player.see(4, ("knife", words.HELD_BY, words.ROBOT))

        assert [s.place for s in player.ask("knife", 1).sightings] == ["in the hand, in kitchen"]

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("The Knife", ["knife"]),
            ("potatoes", ["purple potato", "red potato"]),
            ("the potato in the kitchen", ["red potato", "purple potato"]),
            ("the diced red potato", ["red potato"]),
            ("Have you seen a fridge?", ["fridge"]),
            ("red", ["red potato"]),
        ],
    )
    def test_object_query_matches_names_by_their_words(self, asked: str, found: Sequence[str]) -> None:
        assert names(at_home().ask(asked)) == found

    def test_answer_to_an_object_query_names_other_matching_objects(self) -> None:
        assert "I also know of red potato (in fridge, in kitchen)." in at_home().ask("potato").text

    @pytest.mark.parametrize(
        ("asked", "expected"),
        [
            ("unicorn", "I have not seen the unicorn among the 6 things that I remember."),
            ("nife", "I have not seen the nife; I have seen the knife."),
            ("kitchen", "I know the kitchen, but of no place that it was at."),
            ("", "'' names no thing that I could look up."),
            ("where is it?", "'where is it?' names no thing that I could look up."),
        ],
    )
    def test_answer_to_an_object_query_states_what_is_not_known(self, asked: str, expected: str) -> None:
        answer = at_home().ask(asked)

        assert expected in answer.text
        assert answer.error.code == ErrorCode.NOT_REMEMBERED
        assert answer.sightings == ()

    def test_empty_memory_answers_that_it_has_seen_nothing(self) -> None:
        assert Player().ask("knife").text == "I have not seen the knife; I have seen nothing yet."

    def test_disabled_memory_answers_requests(self) -> None:
        player = Player(enabled=False)

        assert player.ask("knife").error.code == ErrorCode.NOT_REMEMBERED
        assert player.request(MemoryAction.FORGET).text == "Forgot everything."

    def test_duplicate_of_an_object_query_is_not_answered(self) -> None:
        memory = at_home().memory
        query = ObjectQuery(request_id="q", description="knife")

        assert [len(list(memory.handle(topics.OBJECT_QUERY, query))) for _ in range(2)] == [1, 0]


class TestForgetting:
    def test_forgotten_object_is_not_found(self) -> None:
        player = at_home()

        assert player.request(MemoryAction.FORGET, "the knife").text == "Forgot knife."
        assert player.places("knife") == []
        assert player.places("fridge") == ["in kitchen"]

    def test_objects_of_a_forgotten_kind_are_not_found(self) -> None:
        player = at_home()

        assert player.request(MemoryAction.FORGET, "potatoes").text == "Forgot purple potato, red potato."
        assert player.places("potato") == []

    def test_forgotten_object_is_not_restored_by_older_observations(self) -> None:
        player = at_home()
        player.request(MemoryAction.FORGET, "knife")

        belief = player.see(2)

        assert player.places("knife") == []
        assert "knife" not in belief.text

    def test_forgotten_object_is_not_restored_by_another_spelling(self) -> None:
        player = at_home()
        player.request(MemoryAction.FORGET, "knife")
        player.retriever.facts.append(Relation("The  Knife", "on", "the shelf"))
        player.retriever.steps.append(1)
        player.see(2)

        assert player.places("knife") == []

    def test_forgotten_object_is_stored_when_it_is_seen_again(self) -> None:
        player = at_home()
        player.request(MemoryAction.FORGET, "knife")
        player.see(5, ("knife", "in", "hall"))

        assert player.places("knife") == ["in hall"]

    def test_forgetting_everything_removes_the_file(self, tmp_path: Path) -> None:
        player = at_home(tmp_path)
        player.request(MemoryAction.SAVE)

        reply = player.request(MemoryAction.FORGET)

        assert reply.text == f"Forgot everything; removed {tmp_path / 'memory.stma'}."
        assert list(tmp_path.iterdir()) == []
        assert player.see(2).facts == ()
        assert player.see(3, ("knife", "in", "hall"), (words.ROBOT, "in", "hall")).room == "hall"

    def test_new_facts_are_stored_after_everything_was_forgotten(self, tmp_path: Path) -> None:
        at_home(tmp_path).memory.close()
        player = Player(tmp_path)
        player.request(MemoryAction.FORGET)
        player.see(0, *HOME)

        assert player.places("knife") == ["on table, in kitchen"]

    def test_forgetting_an_unknown_object_is_an_error(self) -> None:
        reply = at_home().request(MemoryAction.FORGET, "unicorn")

        assert reply.error.code == ErrorCode.NOT_REMEMBERED
        assert "'unicorn'" in reply.text

    def test_forgotten_object_is_removed_from_the_file(self, tmp_path: Path) -> None:
        player = at_home(tmp_path)
        player.request(MemoryAction.SAVE)

        reply = player.request(MemoryAction.FORGET, "knife")

        assert reply.text == f"Forgot knife, also in {tmp_path / 'memory.stma'}."
        player.memory.close()
        assert Player(tmp_path).places("knife") == []


class TestPersistence:
    def test_save_without_a_folder_is_an_error(self) -> None:
        reply = at_home().request(MemoryAction.SAVE)

        assert reply.error.code == ErrorCode.MEMORY_NOT_KEPT
        assert "memory_dir" in reply.text

    def test_knowledge_memory_refuses_a_request_of_unknown_kind(self) -> None:
        assert "asks for nothing" in at_home().request(MemoryAction.UNKNOWN).text

    def test_restarted_memory_has_the_saved_facts_and_their_history(self, tmp_path: Path) -> None:
        player = at_home(tmp_path)
        player.see(4, ("knife", "in", "hall"))
        assert (
            player.request(MemoryAction.SAVE).text
            == f"Saved 7 facts on 8 names to {tmp_path / 'memory.stma'}."
        )

        player.memory.close()
        again = Player(tmp_path)

        assert again.ask("knife").sightings == player.ask("knife").sightings
        assert again.ask("knife").header.stamp == Time(4)
        assert again.load_warnings() == []

    def test_close_saves_new_facts(self, tmp_path: Path) -> None:
        at_home(tmp_path).memory.close()

        assert Player(tmp_path).places("knife") == ["on table, in kitchen"]

    def test_close_writes_no_file_when_nothing_was_seen(self, tmp_path: Path) -> None:
        Player(tmp_path).memory.close()

        assert list(tmp_path.iterdir()) == []

    def test_loaded_facts_are_in_the_belief_of_the_first_step(self, tmp_path: Path) -> None:
        at_home(tmp_path).memory.close()

        belief = Player(tmp_path).see(7, (words.ROBOT, "in", "hall"))

        assert belief.room == "hall"
        assert ("red potato", words.IN_ROOM, "kitchen") in [
            (f.subject, f.predicate, f.object) for f in belief.facts
        ]

    def test_loaded_knowledge_memory_is_moved_into_the_past_when_the_clock_was_set_back(
        self, tmp_path: Path
    ) -> None:
        player = Player(tmp_path)
        player.see(100, *HOME)
        player.memory.close()
        again = Player(tmp_path)

        again.see(5, ("knife", "in", "hall"))

        assert [(s.place, s.last_seen) for s in again.ask("knife").sightings] == [
            ("in hall", Time(5)),
            ("on table, in kitchen", Time(4)),
        ]

    def test_object_no_longer_held_is_assumed_at_its_last_place(self, tmp_path: Path) -> None:
        player = at_home(tmp_path)
        held = words.HELD_BY, words.ROBOT
        player.see(4, ("knife", *held), ("red potato", *held), ("meal", *held))
        player.memory.close()
        again = Player(tmp_path)

        again.see(9, ("red potato", *held))

        (guess, *_) = again.ask("knife").sightings
        assert (guess.place, guess.last_seen, guess.confidence) == ("on table, in kitchen", Time(4), 0.5)
        assert (
            again.ask("knife").text == "I last saw the knife 5 s ago, probably on the table in the kitchen."
        )
        assert again.places("red potato")[0] == "in the hand, in kitchen"

    def test_other_facts_on_an_object_no_longer_held_stay_when_it_was_nowhere_before(
        self, tmp_path: Path
    ) -> None:
        player = Player(tmp_path)
        player.see(4, ("meal", words.HELD_BY, words.ROBOT), ("meal", words.STATE, "roasted"))
        player.memory.close()
        again = Player(tmp_path)

        belief = again.see(9, *HOME)

        assert [(s.place, s.present) for s in again.ask("meal").sightings] == [("in the hand", False)]
        assert [fact_text(fact) for fact in belief.facts if fact.subject == "meal"] == [
            "(meal, state, roasted)"
        ]

    def test_a_new_memory_knows_what_is_held_since_before_the_first_answer_of_the_retriever(self) -> None:
        player = Player()
        player.retriever.fails = True
        player.see(1, ("knife", words.HELD_BY, words.ROBOT))
        player.retriever.fails = False
        player.see(2, (words.ROBOT, "in", "kitchen"))

        assert player.places("knife") == ["in the hand, in kitchen"]

    def test_loaded_memory_of_another_home_is_discarded_and_its_file_unchanged(self, tmp_path: Path) -> None:
        at_home(tmp_path).memory.close()
        before = (tmp_path / "memory.stma").read_bytes()
        player = Player(tmp_path)

        belief = player.see(9, (words.ROBOT, "in", "kitchen"), ("kitchen", "exit west", words.UNEXPLORED))

        assert {fact.subject for fact in belief.facts} == {words.ROBOT, "kitchen"}
        assert [reply.error.code for reply in player.load_warnings()] == [ErrorCode.MEMORY_OF_ANOTHER_PLACE]
        assert player.places("knife") == []
        player.memory.close()
        assert (tmp_path / "memory.stma").read_bytes() == before
        assert (tmp_path / "memory-2.stma").exists()

    def test_older_memory_of_this_home_is_found_behind_one_of_another_home(self, tmp_path: Path) -> None:
        at_home(tmp_path).memory.close()
        elsewhere = Player(tmp_path)
        elsewhere.see(2, ("kitchen", "exit west", "shed"), ("knife", "in", "shed"))
        elsewhere.memory.close()
        again = Player(tmp_path)

        again.see(3, ("kitchen", "exit north", "hall"))

        assert again.places("knife") == ["on table, in kitchen"]
        again.request(MemoryAction.FORGET, "potatoes")
        again.memory.close()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["memory-2.stma", "memory.stma"]

    def test_memory_of_an_unconfirmed_home_is_saved_next_to_the_loaded_file(self, tmp_path: Path) -> None:
        at_home(tmp_path).memory.close()
        player = Player(tmp_path)
        player.see(9, (words.ROBOT, "in", "attic"))

        assert "memory-2.stma" in player.request(MemoryAction.SAVE).text

    @pytest.mark.parametrize(
        ("kind", "subject", "lamp"),
        [(MemoryAction.SAVE, "", ["in attic"]), (MemoryAction.FORGET, "lamp", [])],
    )
    def test_another_home_is_recognised_after_a_save_and_after_a_part_was_forgotten(
        self, tmp_path: Path, kind: MemoryAction, subject: str, lamp: list[str]
    ) -> None:
        at_home(tmp_path).memory.close()
        before = (tmp_path / "memory.stma").read_bytes()
        player = Player(tmp_path)
        player.see(9, ("lamp", "in", "attic"))
        assert "memory-2.stma" in player.request(kind, subject).text

        player.see(10, ("kitchen", "exit west", words.UNEXPLORED))

        (warning,) = player.load_warnings()
        assert warning.error.code == ErrorCode.MEMORY_OF_ANOTHER_PLACE
        assert str(tmp_path / "memory.stma") in warning.error.text
        assert (player.places("knife"), player.places("lamp")) == ([], lamp)
        player.memory.close()
        assert (tmp_path / "memory.stma").read_bytes() == before
        assert sorted(path.name for path in tmp_path.iterdir()) == ["memory-2.stma", "memory.stma"]

    @pytest.mark.parametrize(
        ("damage", "code"),
        [
            (lambda content: content[:-20], ErrorCode.MEMORY_UNREADABLE),
            (lambda content: b"some text", ErrorCode.MEMORY_UNREADABLE),
            (lambda content: content.replace(b"memory 1.", b"memory 9.", 1), ErrorCode.MEMORY_VERSION),
        ],
    )
    def test_unreadable_memory_file_is_reported_once_and_unchanged(
        self, tmp_path: Path, damage: Callable[[bytes], bytes], code: ErrorCode
    ) -> None:
        at_home(tmp_path).memory.close()
        path = tmp_path / "memory.stma"
        path.write_bytes(damage(path.read_bytes()))
        before = path.read_bytes()

        player = Player(tmp_path)
        player.see(1, *HOME)
        player.ask("knife")
        player.memory.close()

        assert [reply.error.code for reply in player.load_warnings()] == [code]
        assert path.read_bytes() == before
        assert Player(tmp_path).places("knife") == ["on table, in kitchen"]  # from the new file

    def test_memory_file_of_another_kind_is_not_loaded(self, tmp_path: Path) -> None:
        """The memory of the household agents uses files of the same name."""
        from stma_ros.components.spatial_memory.spatial_memory import SpatialMemoryConfig

        household = spatial_memory(SpatialMemoryConfig(memory_dir=str(tmp_path)))
        list(household.handle(topics.MEMORY_REQUEST, MemoryRequest(request_id="s", kind=MemoryAction.SAVE)))
        household.close()

        player = at_home(tmp_path)
        player.memory.close()

        assert [reply.error.code for reply in player.load_warnings()] == [ErrorCode.MEMORY_VERSION]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["memory-2.stma", "memory.stma"]

    def test_unusable_memory_folder_is_an_error_at_the_start(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(MemoryNotSavedError, match="memory_dir"):
            Player(tmp_path / "file")

    def test_failed_save_leaves_the_old_file_unchanged(self, tmp_path: Path) -> None:
        player = at_home(tmp_path)
        player.request(MemoryAction.SAVE)
        before = (tmp_path / "memory.stma").read_bytes()
        player.see(4, ("knife", "in", "hall"))
        (tmp_path / "memory.stma.tmp").mkdir()  # nothing can be written there

        reply = player.request(MemoryAction.SAVE)

        assert reply.error.code == ErrorCode.MEMORY_NOT_KEPT
        assert (tmp_path / "memory.stma").read_bytes() == before


class TestMemoryActions:
    """A memory action makes a temporal belief of the next revision that recalls past observations."""

    def recall(self, player: Player, second: int, revision: int = 1) -> SpatialBelief:
        temporal_belief = TemporalBelief(
            at=StepStamp(header=Header(Time(second)), task_id="t", step=second, revision=revision),
            active_goals=("red potato",),
        )
        player.say(topics.TEMPORAL_BELIEF, temporal_belief)
        belief = player.heard[-1][1]
        assert isinstance(belief, SpatialBelief)
        return belief

    def test_belief_follows_the_revision_of_the_temporal_belief(self) -> None:
        player = Player()
        player.see(1, *HOME)

        belief = self.recall(player, 1)

        assert (belief.step, belief.revision) == (1, 1)
        assert MessageRef(topics.TEMPORAL_BELIEF, "t/1", 1) in belief.derived_from
        assert ("red potato", "in", "fridge") in {(f.subject, f.predicate, f.object) for f in belief.facts}

    def test_recalled_temporal_belief_is_not_stored_as_present_facts(self) -> None:
        player = Player()
        player.see(1, *HOME)
        self.recall(player, 1)

        assert len(player.retriever.questions) == 1

    def test_step_without_stored_facts_is_stored_in_a_later_revision(self) -> None:
        player = Player()
        observed = Observation(header=Header(Time(1)), task_id="t", step=1, description="-= Kitchen =-")
        player.say(topics.OBSERVATION, observed)
        self.recall(player, 1)

        assert len(player.retriever.questions) == 1

    def test_revision_that_overtakes_the_observation_waits_for_it(self) -> None:
        player = Player()
        for revision in (1, 0):
            temporal_belief = TemporalBelief(
                at=StepStamp(header=Header(Time(1)), task_id="t", step=1, revision=revision)
            )
            player.say(topics.TEMPORAL_BELIEF, temporal_belief)
        assert player.heard == []

        player.say(topics.OBSERVATION, Observation(header=Header(Time(1)), task_id="t", step=1))

        beliefs = [message for _, message in player.heard if isinstance(message, SpatialBelief)]
        assert [belief.revision for belief in beliefs] == [0, 1]
