"""KnowledgeMemory stores triples and sentences, and retrieves the facts that matter for a question."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros import KnowledgeMemory, RetrievalConfig
from stma_ros.library.knowledge.sentences import read_sentence
from stma_ros.memory.predicates import canonical
from stma_ros.models.embedder import EMBEDDERS, LEXICAL
from stma_ros.roles.relation_retriever import RelationQuery, Relations
from stma_ros.storage.memory_store import MemoryInUseError, MemoryNotSavedError
from stma_ros.types.errors import ConfigurationError, NotRememberedError, RoleError
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

TEXT = """The red mug is on the table. The table is in the kitchen.
The kitchen contains a fridge; the fridge is closed. The kitchen is north of the hall.
The coat is in the hall. The mug is red."""

NAMES = st.sampled_from(["mug", "cup", "table", "shelf", "kitchen", "hall", "garden gnome", "ladder"])
PREDICATES = st.sampled_from(["in", "on", "near", "is north of", "contains", "likes"])
TRIPLES = st.lists(st.tuples(NAMES, PREDICATES, NAMES), max_size=25)


def triples(memory: KnowledgeMemory) -> set[tuple[str, str, str]]:
    return {(fact.subject, fact.predicate, fact.object) for fact in memory.facts}


def home_with_two_mugs() -> KnowledgeMemory:
    memory = KnowledgeMemory()
    memory.add_text("The blue mug is in the kitchen.", stamp=1)
    memory.add_text("The blue mug is in the bath.", stamp=2)
    memory.add_text("The blue mug is in the hall. The red mug is on the table.", stamp=3)
    memory.add_text("The table is in the kitchen. The coffee is in the pantry.", stamp=3)
    return memory


def test_plain_sentences_are_read_and_unreadable_ones_are_reported() -> None:
    memory = KnowledgeMemory()
    learned = memory.add_text(f"{TEXT} Somebody whistles.")
    assert learned.rejected == ("not read: 'Somebody whistles'",)
    assert triples(memory) == {
        ("red mug", "on", "table"),
        ("table", "in", "kitchen"),
        ("fridge", "in", "kitchen"),
        ("fridge", "state", "closed"),
        ("hall", "exit north", "kitchen"),
        ("coat", "in", "hall"),
        ("mug", "colour", "red"),
    }


@pytest.mark.parametrize("fact", [("mug", "table"), ("mug", "is", "on", "table"), "mug is on table"])
def test_add_refuses_a_malformed_fact_and_stores_none(fact: object) -> None:
    memory = KnowledgeMemory()
    with pytest.raises(ConfigurationError, match="a subject, a predicate and an object, as in"):
        memory.add([("coat", "is in", "hall"), fact])  # type: ignore[list-item]
    assert triples(memory) == set()


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("The keys are lying on the shelf", ("The keys", "are lying on", "the shelf")),
        ("The fridge is on", ("The fridge", "state", "on")),
        ("Rex is a dog", ("Rex", "is a", "dog")),
        ("the hall leads north to the kitchen", ("the hall", "leads north to", "the kitchen")),
        ("the lamp is beautiful", None),
        ("No mug is on the table", None),
        ("nothing is in the fridge", None),
        ("the kitchen contains no fridge", None),
        ("None of the mugs is red", None),
        ("The no-name jam is on the shelf", ("The no-name jam", "is on", "the shelf")),
        ("No-name jam is on the shelf", ("No-name jam", "is on", "the shelf")),
        ("The table does not contain a mug", None),
        ("The table doesn't contain a mug", None),
        ("The table doesn\u2019t contain a mug", None),
        ("The robot never holds a knife", None),
        ("The robot no longer holds a knife", None),
        ("The mug cannot contain water", None),
        ("I don't think the mug is in the sink", None),
        ("It is false that the mug is in the sink", None),
        ("If the mug is on the table, wash it", None),
        ("I ask whether the mug is red", None),
        ("That mug is on the table", ("That mug", "is on", "the table")),
        ("The forget-me-not is on the shelf", ("The forget-me-not", "is on", "the shelf")),
        ("", None),
    ],
)
def test_a_sentence_is_read_as_one_fact(sentence: str, fact: tuple[str, str, str] | None) -> None:
    assert read_sentence(sentence) == fact


def test_a_sentence_that_denies_is_reported_and_leaves_what_is_known() -> None:
    memory = KnowledgeMemory()
    memory.add_text("The mug is in the sink.")
    learned = memory.add_text("The table does not contain the mug.")
    assert learned.rejected == ("not read: 'The table does not contain the mug'",)
    assert triples(memory) == {("mug", "in", "sink")}


def test_retrieve_returns_facts_near_in_meaning_and_within_the_given_hops() -> None:
    memory = KnowledgeMemory(config=RetrievalConfig(top=1, hops=1))
    memory.add_text(TEXT)
    found = memory.retrieve("where is the red mug?")
    assert found.seeds == ("red mug",)
    assert memory.render(found) == "(red mug, on, table)"
    assert set(memory.retrieve("where is the red mug?", hops=2).entities) == {"red mug", "table", "kitchen"}
    assert len(memory.render().splitlines()) == 7


def test_a_newer_fact_replaces_an_older_one_which_stays_in_the_history() -> None:
    memory = KnowledgeMemory()
    memory.add([("mug", "on", "table")], stamp=10)
    memory.add([("mug", "in", "sink")], stamp=20)
    memory.add([("mug", "on", "shelf")], stamp=15)  # added late, with an earlier stamp
    assert triples(memory) == {("mug", "in", "sink")}
    answer = memory.last_seen("the mug")
    assert answer.text == "I last saw the mug just now in the sink."
    assert [sighting.place for sighting in answer.sightings] == ["in sink", "on table"]
    assert answer.position is None


def test_a_fact_without_a_stamp_is_newer_than_the_stamps_of_earlier_relations() -> None:
    memory = KnowledgeMemory()
    memory.add([Relation("mug", "on", "table", first_seen=Time(1000), last_seen=Time(1000))])
    memory.add([("mug", "in", "sink")])
    assert [(fact.object, fact.last_seen) for fact in memory.facts] == [("sink", Time(1001))]


def test_a_fact_without_a_stamp_is_refused_when_no_second_comes_after_the_newest_one() -> None:
    memory = KnowledgeMemory()
    memory.add([("mug", "on", "table")], stamp=2**31 - 1)
    with pytest.raises(
        ConfigurationError, match=r"the newest stamp is 2147483647, .* give these facts a stamp"
    ):
        memory.add([("mug", "in", "sink")])
    assert triples(memory) == {("mug", "on", "table")}


def test_a_fact_that_is_not_newer_than_its_forgetting_is_rejected_with_the_reason() -> None:
    memory = KnowledgeMemory()
    memory.add([("mug", "on", "table")], stamp=5)
    memory.forget("mug")
    (reason,) = memory.add([("mug", "in", "sink"), ("fork", "in", "sink")], stamp=5).rejected
    assert reason.startswith("(mug, in, sink) is not newer")
    assert triples(memory) == {("fork", "in", "sink")}
    assert memory.add_text("The mug is in the sink.").rejected == ()


@pytest.mark.parametrize("name", ["walk-in closet", "sign-in sheet", "man in the moon"])
def test_a_name_with_a_preposition_is_found_and_forgotten(name: str) -> None:
    memory = KnowledgeMemory()
    memory.add([(name, "on", "desk"), ("sign", "on", "wall"), ("man", "in", "hall")])
    assert memory.last_seen(f"where is the {name}?").text == f"I last saw the {name} just now on the desk."
    assert memory.forget(name) == f"Forgot {name}."


@pytest.mark.parametrize(
    ("phrase", "forgotten"),
    [
        ("the mug in the kitchen", "red mug"),
        ("the mug on the table in the kitchen", "red mug"),
        ("the mug in the bath", "blue mug"),  # it was there before
        ("mugs", "blue mug, red mug"),
        ("the coffee in the pantry", "coffee"),
    ],
)
def test_things_that_a_phrase_names_at_its_place_are_forgotten(phrase: str, forgotten: str) -> None:
    assert home_with_two_mugs().forget(phrase) == f"Forgot {forgotten}."


@pytest.mark.parametrize(
    ("phrase", "near"), [("coffee machine", "coffee"), ("the coffee in the hall", "coffee")]
)
def test_names_that_are_only_near_to_a_phrase_are_told_and_not_forgotten(phrase: str, near: str) -> None:
    memory = home_with_two_mugs()
    before = memory.facts
    with pytest.raises(NotRememberedError, match=rf"no '{phrase}' is remembered. Did you mean {near}\?"):
        memory.forget(phrase)
    assert memory.facts == before


def test_invalid_facts_are_rejected_with_the_reason() -> None:
    learned = KnowledgeMemory().add([("mug", "in", "mug"), ("mug", "on", "table")])
    assert len(learned.rejected) == 1
    assert "itself" in learned.rejected[0]


def test_a_custom_retriever_reads_texts() -> None:
    class Retriever:
        def answer(self, query: RelationQuery) -> Relations:
            if not query.temporal.text:
                raise RoleError("nothing to read")
            return Relations((Relation("note", "says", query.temporal.text),), (0,))

    memory = KnowledgeMemory(retriever=Retriever())
    memory.add_text("buy milk")
    assert triples(memory) == {("note", "says", "buy milk")}
    with pytest.raises(RoleError):
        memory.add_text("")
    assert len(memory.facts) == 1


def test_a_saved_knowledge_memory_is_loaded_from_one_file_in_the_next_session(tmp_path: Path) -> None:
    for session in range(3):
        with KnowledgeMemory(tmp_path) as memory:
            memory.add([(f"thing {session}", "in", "box")])
            with pytest.raises(MemoryInUseError):
                KnowledgeMemory(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["memory.stma"]
    with KnowledgeMemory(tmp_path) as memory:
        assert triples(memory) == {(f"thing {session}", "in", "box") for session in range(3)}
        assert memory.retrieve("thing 1").seeds[0] == "thing 1"
        assert "Forgot thing 1, also in" in memory.forget("thing 1")
    with KnowledgeMemory(tmp_path) as memory:
        assert not memory.last_seen("thing 1")
        with pytest.raises(NotRememberedError):
            memory.forget("thing 1")
        memory.forget_everything()
        assert memory.facts == ()
    assert list(tmp_path.iterdir()) == []


def test_saved_facts_stay_at_their_times_when_older_ones_are_added(tmp_path: Path) -> None:
    with KnowledgeMemory(tmp_path) as memory:
        memory.add([("mug", "on", "table")], stamp=100)
    for stamp in (99.5, 10):
        with KnowledgeMemory(tmp_path) as memory:
            memory.add([("mug", "in", "sink")], stamp=stamp)
            memory.add([("fork", "on", "plate")], stamp=stamp)
            assert triples(memory) == {("mug", "on", "table"), ("fork", "on", "plate")}
            assert memory.last_seen("mug").sightings[0].last_seen.seconds == 100


def test_facts_on_held_things_stay_when_others_are_added_to_a_loaded_memory(tmp_path: Path) -> None:
    with KnowledgeMemory(tmp_path) as memory:
        memory.add([("mug", "held by", "robot"), ("mug", "is a", "cup"), ("spoon", "on", "tray")])
        memory.add([("spoon", "held by", "robot")])
        before = triples(memory)
    with KnowledgeMemory(tmp_path) as memory:
        memory.add([("coat", "in", "hall")])
        assert triples(memory) == before | {("coat", "in", "hall")}
        assert memory.last_seen("spoon").text == "I last saw the spoon 1 s ago in the hand."


def test_a_held_thing_stays_held_when_a_newer_fact_is_added_with_it() -> None:
    memory = KnowledgeMemory()
    held = Relation("mug", "held by", "robot", first_seen=Time(5), last_seen=Time(5))
    assert memory.add([held, ("coat", "in", "hall")], stamp=10).rejected == ()
    assert triples(memory) == {("mug", "held by", "robot"), ("coat", "in", "hall")}


def test_the_place_of_an_uncertain_fact_is_called_probable() -> None:
    memory = KnowledgeMemory()
    memory.add([Relation("mug", "on", "table", confidence=0.6)], stamp=5)
    assert memory.last_seen("mug").text == "I last saw the mug just now, probably on the table."


def test_a_knowledge_memory_refuses_unusable_arguments() -> None:
    with pytest.raises(ConfigurationError, match="Did you mean 'lexical'"):
        KnowledgeMemory(embedder="lexcal")
    with pytest.raises(ConfigurationError, match=r"top .*from 1 to 1000"):
        KnowledgeMemory().retrieve("mug", top=0)
    for stamp in (math.nan, -math.inf, 1e12):
        with pytest.raises(ConfigurationError, match=rf"the stamp is {stamp}; give seconds"):
            KnowledgeMemory().add([("mug", "on", "table")], stamp=stamp)
    with pytest.raises(ConfigurationError, match="the limit is -1; give the largest number of sightings"):
        KnowledgeMemory().last_seen("mug", limit=-1)
    with pytest.raises(ConfigurationError, match="forget_everything"):
        KnowledgeMemory().forget("")
    with pytest.raises(MemoryNotSavedError):
        KnowledgeMemory().save()


@given(TRIPLES, TRIPLES)
@settings(max_examples=60, deadline=None)
def test_a_loaded_knowledge_memory_answers_as_the_original(
    tmp_path_factory: pytest.TempPathFactory,
    first: list[tuple[str, str, str]],
    second: list[tuple[str, str, str]],
) -> None:
    folder = tmp_path_factory.mktemp("memory")
    original = KnowledgeMemory()
    original.add(first)
    with KnowledgeMemory(folder) as memory:
        memory.add(first)
    with KnowledgeMemory(folder) as memory:
        assert set(memory.facts) == set(original.facts)
        original.add(second)
        memory.add(second)
        assert set(memory.facts) == set(original.facts)
        assert set(memory.retrieve("a mug").facts) == set(original.retrieve("a mug").facts)


@given(TRIPLES, st.integers(1, 4), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_retrieval_seeds_are_the_nearest_entities_and_all_retrieved_facts_hold(
    facts: list[tuple[str, str, str]], top: int, hops: int
) -> None:
    memory = KnowledgeMemory()
    memory.add(facts)
    found = memory.retrieve("mug", top=top, hops=hops)
    assert set(found.facts) <= set(memory.facts)
    names = {name for fact in memory.facts for name in (fact.subject, fact.object)}
    assert set(found.seeds) <= names
    assert len(found.seeds) == min(top, len(names))
    embed = EMBEDDERS[LEXICAL]().embed
    query = embed(["mug"])[0]
    nearness = {
        name: float(vector @ query / np.linalg.norm(vector) / np.linalg.norm(query))
        for name, vector in zip(names, embed(list(names)), strict=True)
    }
    worst = min((nearness[name] for name in found.seeds), default=1.0)
    assert all(nearness[name] <= worst + 1e-6 for name in names - set(found.seeds))


@given(TRIPLES)
@settings(max_examples=60, deadline=None)
def test_every_fact_is_stored_in_canonical_words(facts: list[tuple[str, str, str]]) -> None:
    memory = KnowledgeMemory()
    memory.add(facts)
    assert all(canonical(fact) == fact for fact in memory.facts)
