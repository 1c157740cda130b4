"""Tests of the knowledge graph, which holds one fact in each slot, in any order and wording of updates."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.exclusive_facts import is_link, slot_of
from stma_ros.memory.knowledge_graph import MAX_PAST, KnowledgeGraph
from stma_ros.memory.predicates import MAX_NAME, canonical
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import MalformedTripleError
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time


def fact(subject: str, predicate: str, item: str, seconds: int = 0) -> Relation:
    return Relation(
        subject, predicate, item, confidence=1.0, first_seen=Time(seconds), last_seen=Time(seconds)
    )


def triples_of(graph: KnowledgeGraph) -> set[tuple[str, str, str]]:
    return {(item.subject, item.predicate, item.object) for item in graph.facts}


def graph_of(*facts: Relation) -> KnowledgeGraph:
    graph = KnowledgeGraph()
    graph.update(facts)
    return graph


class TestCanonical:
    @pytest.mark.parametrize(
        ("triple", "expected"),
        [
            (("The Kitchen", "contains", "a fridge"), ("fridge", words.IN, "kitchen")),
            (("table", "holds", "knife"), ("knife", words.ON, "table")),
            (("carrot", "is in", "the fridge"), ("carrot", words.IN, "fridge")),
            (("carrot", "lying on", "counter"), ("carrot", words.ON, "counter")),
            (("hall", "is at north of", "kitchen"), ("kitchen", "exit north", "hall")),
            (("hall", "to the west of", "kitchen"), ("kitchen", "exit west", "hall")),
            (("key", "is carried by", "robot"), ("key", words.HELD_BY, "robot")),
            (("the robot", "holds", "a key"), ("key", words.HELD_BY, "robot")),
            (("robot", "carries", "key"), ("key", words.HELD_BY, "robot")),
            (("robot", "has", "key"), ("key", words.HELD_BY, "robot")),
            (("kitchen", "has", "key"), ("key", words.IN, "kitchen")),
            (("kitchen", "leads north to", "hall"), ("kitchen", "exit north", "hall")),
            (("kitchen", "leads to the north to", "hall"), ("kitchen", "exit north", "hall")),
            (("kitchen", "north", "hall"), ("kitchen", "exit north", "hall")),
            (("kitchen", "has exit north", "hall"), ("kitchen", "exit north", "hall")),
            (("kitchen", "has an exit north to", "hall"), ("kitchen", "exit north", "hall")),
            (("cup", "is similar to", "mug"), ("cup", "is similar to", "mug")),
        ],
    )
    def test_canonical_reads_the_usual_wordings(
        self, triple: tuple[str, str, str], expected: tuple[str, str, str]
    ) -> None:
        item = canonical(fact(*triple))

        assert (item.subject, item.predicate, item.object) == expected

    @pytest.mark.parametrize(
        "triple",
        [
            ("", "in", "fridge"),
            ("carrot", " ", "fridge"),
            ("x" * (MAX_NAME + 1), "in", "fridge"),
            ("The fridge", "in", "fridge"),
        ],
    )
    def test_canonical_refuses_malformed_facts(self, triple: tuple[str, str, str]) -> None:
        with pytest.raises(MalformedTripleError):
            canonical(fact(*triple))

    @given(st.tuples(st.text(), st.text(), st.text()))
    def test_canonical_is_idempotent(self, triple: tuple[str, str, str]) -> None:
        """The canonical form of a canonical fact is that fact."""
        try:
            once = canonical(fact(*triple))
        except MalformedTripleError:
            return
        assert canonical(once) == once


class TestSlots:
    def test_object_has_one_place(self) -> None:
        graph = graph_of(fact("carrot", "in", "fridge", 1), fact("carrot", "on", "table", 2))

        assert triples_of(graph) == {("carrot", words.ON, "table")}
        assert [item.object for item in graph.history(("carrot", "place", ""))] == ["fridge"]
        assert "fridge" not in graph

    def test_exit_leads_to_one_place(self) -> None:
        graph = graph_of(fact("kitchen", "exit east", "hall", 1), fact("kitchen", "exit east", "yard", 2))

        assert triples_of(graph) == {("kitchen", "exit east", "yard")}

    def test_door_is_either_open_or_closed(self) -> None:
        graph = graph_of(fact("wooden door", "state", "closed", 1), fact("wooden door", "state", "open", 2))

        assert triples_of(graph) == {("wooden door", words.STATE, "open")}

    def test_new_state_replaces_that_of_its_dimension_only(self) -> None:
        graph = graph_of(
            *(fact("carrot", words.STATE, state, n) for n, state in enumerate(("raw", "diced", "fried")))
        )

        assert {item.object for item in graph.facts} == {"diced", "fried"}

    def test_states_of_different_dimensions_hold_together(self) -> None:
        graph = graph_of(fact("oven", "state", "closed"), fact("oven", "state", "on"))

        assert len(graph) == 2

    def test_update_ignores_an_older_fact(self) -> None:
        graph = graph_of(fact("carrot", "in", "fridge", 5), fact("carrot", "on", "table", 4))

        assert triples_of(graph) == {("carrot", words.IN, "fridge")}

    @pytest.mark.parametrize(
        ("known", "not_known"),
        [
            (fact("kitchen", "exit east", "hall", 1), fact("kitchen", "exit east", words.UNEXPLORED, 2)),
        ],
    )
    def test_unknown_value_replaces_no_known_one(self, known: Relation, not_known: Relation) -> None:
        assert graph_of(known, not_known).facts == (known,)
        assert graph_of(not_known, known).facts == (known,)

    def test_repeated_fact_becomes_newer_without_a_change(self) -> None:
        graph = graph_of(fact("carrot", "in", "fridge", 1))

        revision = graph.update([fact("carrot", "in", "fridge", 7)])

        (item,) = graph.facts
        assert (item.first_seen, item.last_seen) == (Time(1), Time(7))
        assert not revision.began
        assert not revision.ended

    def test_complete_room_keeps_only_the_exits_that_were_seen(self) -> None:
        graph = graph_of(
            fact("kitchen", "exit east", "unexplored", 1),
            fact("kitchen", "door east", "plain door", 1),
            fact("kitchen", "exit north", "hall", 1),
            fact("hall", "exit east", "unexplored", 1),
            fact("knife", words.IN, "kitchen", 1),
        )

        revision = graph.update(
            [fact("kitchen", "exit north", "unexplored", 2)], complete={"The Kitchen": Time(1)}
        )

        assert triples_of(graph) == {
            ("kitchen", "exit north", "hall"),
            ("hall", "exit east", "unexplored"),
            ("knife", words.IN, "kitchen"),
        }
        assert {item.predicate for item in revision.ended} == {"exit east", "door east"}
        assert [item.object for item in graph.history(("kitchen", "exit east", ""))] == ["unexplored"]

    def test_complete_room_ends_places_of_objects_that_were_not_seen(self) -> None:
        graph = graph_of(
            fact("ham", words.IN, "shed", 1),
            fact("table", words.IN, "shed", 4),
            fact("knife", words.ON, "table", 4),
            fact("apple", words.ON, "table", 3),
            fact("rope", words.IN, "shed", 5),
            fact("egg", words.IN, "hall", 1),
            fact(words.ROBOT, words.IN, "shed", 1),
            fact("key", words.HELD_BY, words.ROBOT, 1),
        )

        revision = graph.update([], complete={"shed": Time(4)})

        assert {item.subject for item in revision.ended} == {"ham", "apple"}
        assert [item.object for item in graph.history(("ham", "place", ""))] == ["shed"]

    def test_complete_room_keeps_places_in_closed_or_absent_objects(self) -> None:
        graph = graph_of(
            fact("fridge", words.IN, "kitchen", 9),
            fact("fridge", words.STATE, "closed", 9),
            fact("ham", words.IN, "fridge", 1),
            fact("egg", words.IN, "box", 1),
            fact("box", words.IN, "fridge", 1),
            fact("table", words.IN, "kitchen", 1),
            fact("knife", words.ON, "table", 1),
        )

        revision = graph.update([], complete={"kitchen": Time(9)})

        assert [item.subject for item in revision.ended] == ["table"]
        graph.update([fact("fridge", words.STATE, "open", 10), fact("fridge", words.IN, "kitchen", 10)])
        revision = graph.update([], complete={"kitchen": Time(10)})
        assert {item.subject for item in revision.ended} == {"ham", "box"}

    def test_repeated_ended_fact_is_in_the_history_once(self) -> None:
        graph = KnowledgeGraph()
        old = [fact("ham", words.IN, "hall", 1), fact("ham", words.IN, "shed", 2)]

        for _ in range(3):
            assert graph.update(old, complete={"shed": Time(3)}).appeared in ((), ("hall", "shed"))

        assert graph.facts == ()
        assert [item.object for item in graph.history(("ham", "place", ""))] == ["hall", "shed"]

    def test_corrected_mistake_gives_way_to_the_former_fact(self) -> None:
        graph = graph_of(fact("ham", words.IN, "fridge", 1), fact("ham", words.IN, "shed", 2))

        graph.update([fact("ham", words.IN, "fridge", 1)], complete={"shed": Time(3)})
        graph.update([fact("ham", words.IN, "fridge", 1)], complete={"shed": Time(3)})

        assert triples_of(graph) == {("ham", words.IN, "fridge")}

    def test_graph_stores_the_newest_of_unknown_states(self) -> None:
        moods = [fact("ham", words.STATE, f"mood {n}", n) for n in range(20)]
        graph = graph_of(*moods, fact("ham", words.STATE, "raw", 0))

        for _ in range(2):
            assert {item.object for item in graph.facts} == {"raw", *(f"mood {n}" for n in range(16, 20))}
            assert graph.saved().past == ()
            graph.update(moods)

    def test_complete_room_without_a_name_is_ignored(self) -> None:
        graph = graph_of(fact("kitchen", "exit east", "unexplored", 1))

        assert graph.update([], complete={"": Time(9), "x" * (MAX_NAME + 1): Time(9)}).ended == ()

    def test_history_of_a_slot_is_bounded(self) -> None:
        graph = graph_of(*(fact("cat", "in", f"room {n}", n) for n in range(3 * MAX_PAST)))

        assert [item.object for item in graph.history(("cat", "place", ""))] == [
            f"room {n}" for n in range(2 * MAX_PAST - 1, 3 * MAX_PAST - 1)
        ]


class TestLoops:
    def test_newer_fact_breaks_a_loop_of_places(self) -> None:
        graph = graph_of(
            fact("box", "in", "bag", 1), fact("bag", "in", "crate", 1), fact("crate", "in", "box", 2)
        )

        assert triples_of(graph) == {("box", words.IN, "bag"), ("crate", words.IN, "box")}

    def test_older_fact_that_would_make_a_loop_is_rejected(self) -> None:
        graph = graph_of(fact("box", "in", "bag", 2))

        revision = graph.update([fact("bag", "in", "box", 1)])

        assert triples_of(graph) == {("box", words.IN, "bag")}
        assert "loop" in revision.rejected[0][1]


class TestRevision:
    def test_revision_lists_what_began_and_ended(self) -> None:
        graph = graph_of(fact("carrot", "in", "fridge", 1))

        revision = graph.update([fact("carrot", "on", "table", 2), fact("", "in", "x", 2)])

        assert revision.appeared == ("table",)
        assert revision.vanished == ("fridge",)
        assert [item.object for item in revision.began] == ["table"]
        assert [item.object for item in revision.ended] == ["fridge"]
        assert len(revision.rejected) == 1

    def test_ended_fact_is_history_and_the_other_facts_on_the_entity_stay(self) -> None:
        held = fact("cup", words.HELD_BY, words.ROBOT, 1)
        graph = graph_of(held, fact("cup", words.STATE, words.STATE_CLOSED, 1))

        revision = graph.end(slot_of(held))

        assert (revision.ended, revision.vanished) == ((held,), (words.ROBOT,))
        assert triples_of(graph) == {("cup", words.STATE, words.STATE_CLOSED)}
        assert graph.history(slot_of(held)) == (held,)
        assert graph.end(slot_of(held)).ended == ()

    def test_forget_removes_an_entity_with_its_facts_and_history(self) -> None:
        graph = graph_of(
            fact("carrot", "in", "fridge", 1),
            fact("carrot", "in", "bag", 2),
            fact("fridge", "in", "kitchen", 1),
        )

        revision = graph.forget("fridge")

        assert triples_of(graph) == {("carrot", words.IN, "bag")}
        assert set(revision.vanished) == {"fridge", "kitchen"}
        assert graph.history(("carrot", "place", "")) == ()


class TestLimit:
    def test_limit_drops_the_names_mentioned_least_recently(self) -> None:
        graph = KnowledgeGraph(limit=5)
        graph.update([fact("hall", "exit north", "yard", 0), fact("hall", "door north", "oak door", 0)])
        for second in range(1, 100):
            revision = graph.update([fact(f"mug {second}", words.ON, f"desk {second}", second)])
            assert revision.appeared == (f"mug {second}", f"desk {second}")

        assert set(graph.entities) == {"hall", "yard", "oak door", "mug 99", "desk 99"}

    def test_limit_keeps_names_that_are_mentioned_again(self) -> None:
        graph = KnowledgeGraph(limit=4)
        knife = fact("knife", words.ON, "table", 0)
        for second in range(100):
            graph.update(
                [replace(knife, last_seen=Time(second)), fact(f"mug {second}", words.STATE, "full", second)]
            )

        assert graph.entities == ("knife", "table", "mug 98", "mug 99")

    def test_limit_counts_names_on_which_only_past_facts_are_stored(self) -> None:
        """The knives have no place any more, but their history is stored."""
        graph = KnowledgeGraph(limit=3)
        for second in range(100):
            graph.update([fact(f"knife {second}", words.IN, "hall", second)])
            graph.update([], complete={"hall": Time(second + 1)})

        assert {item.subject for item in graph.saved().past} == {"knife 98", "knife 99"}

    def test_limit_never_drops_rooms_on_a_way(self) -> None:
        ways = [fact(f"room {n}", "exit north", f"room {n + 1}", n) for n in range(200)]

        assert len(KnowledgeGraph(limit=10).update(ways).appeared) == 201

    @given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5), max_size=9))
    def test_limit_goes_on_after_a_restart(self, updates: list[list[tuple[int, int]]]) -> None:
        graph = KnowledgeGraph(limit=6)
        for second, pairs in enumerate(updates):
            graph.update(fact(f"a{one}", words.IN, f"b{two}", second) for one, two in pairs)

        restored = KnowledgeGraph.restored(graph.saved(), limit=6)

        assert len(graph.entities) <= 6
        assert set(restored.facts) == set(graph.facts)


NAMES = st.sampled_from(
    ["kitchen", "hall", "fridge", "The Fridge", "box", "bag", "carrot", "robot", "", " ", "x" * 300]
)
PREDICATES = st.sampled_from(
    [
        "in",
        "on",
        "contains",
        "holds",
        "held by",
        "exit north",
        "exit south",
        "is north of",
        "door north",
        "state",
        "near",
    ]
)
VALUES = NAMES | st.sampled_from(["open", "closed", "on", words.UNEXPLORED, "unknown"])
FACTS = st.builds(fact, NAMES, PREDICATES, VALUES, st.integers(0, 9))
LOOKS = st.dictionaries(NAMES, st.integers(0, 9).map(Time), max_size=3)
UPDATES = st.lists(
    st.one_of(st.lists(FACTS, max_size=8), st.sampled_from(["kitchen", "fridge", "box"])), max_size=12
)


@given(UPDATES, LOOKS, st.sampled_from([0, 4]))
def test_graph_holds_its_invariants_after_any_updates(
    updates: list[list[Relation] | str], complete: dict[str, Time], limit: int
) -> None:
    graph = KnowledgeGraph(limit)
    known: set[str] = set()
    for update in updates:
        before = {slot_of(item): item for item in graph.facts}
        revision = graph.forget(update) if isinstance(update, str) else graph.update(update, complete)
        after = {slot_of(item): item for item in graph.facts}

        assert len(after) == len(graph)  # one fact to a slot
        ends = {
            name for item in graph.facts for name in (item.subject, *([item.object] if is_link(item) else []))
        }
        assert set(graph.entities) == ends
        for entity in graph.entities:  # found from both ends
            about = list(graph.about(entity))
            assert about == [item for item in about if entity in (item.subject, item.object)]
            assert len(about) == sum(
                entity == item.subject or (is_link(item) and entity == item.object) for item in graph.facts
            )
        for entity in graph.entities:  # nothing is inside of itself
            chain = [entity]
            while (place := graph.fact((chain[-1], "place", ""))) is not None:
                assert place.object not in chain
                chain.append(place.object)
        known = (known | set(revision.appeared)) - set(revision.vanished)
        assert known == ends
        earlier = {(i.subject, i.predicate, i.object) for i in before.values()}
        now = {(i.subject, i.predicate, i.object) for i in after.values()}
        assert {(i.subject, i.predicate, i.object) for i in revision.began} >= now - earlier
        assert {(i.subject, i.predicate, i.object) for i in revision.ended} >= earlier - now


@given(UPDATES, st.lists(FACTS, max_size=8))
def test_restored_graph_behaves_like_the_saved_one(
    updates: list[list[Relation] | str], more: list[Relation]
) -> None:
    graph = KnowledgeGraph()
    for update in updates:
        _ = graph.forget(update) if isinstance(update, str) else graph.update(update)

    restored = KnowledgeGraph.restored(graph.saved())

    for _ in range(2):
        assert restored.saved() == graph.saved()
        assert set(restored.entities) == set(graph.entities)
        for entity in graph.entities:
            assert list(restored.about(entity)) == list(graph.about(entity))
        restored.update(more)
        graph.update(more)
