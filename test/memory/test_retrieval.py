"""Tests of retrieval: the K-hop expansion against networkx, the facts of the subgraph, the network around the robot."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.entity_index import EntityIndex
from stma_ros.memory.exclusive_facts import is_link
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.memory.retrieval import Subgraph, network, retrieve
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

NAMES = [f"n{number}" for number in range(12)]
PREDICATES = (words.NEAR, words.IN, "belongs to", words.EXIT + "north", words.STATE)

names = st.sampled_from(NAMES)
links = st.tuples(names, st.sampled_from(PREDICATES), names).filter(lambda triple: triple[0] != triple[2])
values = st.tuples(names, st.just(words.STATE), st.sampled_from(["open", "closed", "on"]))
facts = st.lists(st.one_of(links, links, values), max_size=40)
seeds = st.lists(st.sampled_from([*NAMES, "elsewhere"]), max_size=4)


def graph_of(*triples: tuple[str, str, str]) -> KnowledgeGraph:
    graph = KnowledgeGraph()
    graph.update(Relation(*each) for each in triples)
    return graph


def networkx_of(graph: KnowledgeGraph, *, directed: bool) -> nx.MultiDiGraph[str] | nx.MultiGraph[str]:
    other = nx.MultiDiGraph() if directed else nx.MultiGraph()
    other.add_nodes_from(graph.entities)
    other.add_edges_from((fact.subject, fact.object) for fact in graph.facts if is_link(fact))
    return other


def distances(graph: KnowledgeGraph, start: list[str], hops: int, *, directed: bool) -> dict[str, int]:
    """Algorithm 3, as printed, with the smallest distance from any seed."""
    other = networkx_of(graph, directed=directed)
    nearest: dict[str, int] = {}
    for seed in start:
        if seed in other:
            for entity, far in nx.single_source_shortest_path_length(other, seed, cutoff=hops).items():
                nearest[entity] = min(far, nearest.get(entity, far))
    return nearest


def triples_of(found: Subgraph) -> list[tuple[str, str, str]]:
    return [(fact.subject, fact.predicate, fact.object) for fact in found.facts]


class TestExpand:
    @given(facts, seeds, st.integers(0, 5), st.booleans())
    def test_neighbourhood_equals_that_of_networkx(
        self, triples: list[tuple[str, str, str]], start: list[str], hops: int, directed: bool
    ) -> None:
        graph = graph_of(*triples)

        reached = graph.neighbourhood(start, hops, directed=directed)[0]

        truth = distances(graph, start, hops, directed=directed)
        assert set(reached) == set(truth)
        order = [truth[entity] for entity in reached]
        assert order == sorted(order), "nearest first"

    @given(facts, seeds, st.integers(0, 4))
    def test_neighbourhood_of_the_same_facts_has_the_same_order(
        self, triples: list[tuple[str, str, str]], start: list[str], hops: int
    ) -> None:
        assert list(graph_of(*triples).neighbourhood(start, hops)[0]) == list(
            graph_of(*triples).neighbourhood(start, hops)[0]
        )

    @given(facts, seeds, st.integers(1, 8))
    def test_neighbourhood_with_a_limit_holds_the_nearest_entities(
        self, triples: list[tuple[str, str, str]], start: list[str], limit: int
    ) -> None:
        graph = graph_of(*triples)

        reached = graph.neighbourhood(start, 4, limit=limit)[0]

        known = sum(seed in graph for seed in set(start))
        assert reached == graph.neighbourhood(start, 4)[0][: max(limit, known)]

    @given(facts, seeds, st.lists(names), st.integers(0, 3), st.integers(0, 8))
    def test_neighbourhood_ends_with_the_additional_entities(
        self, triples: list[tuple[str, str, str]], start: list[str], also: list[str], hops: int, limit: int
    ) -> None:
        """Additional entities follow the nearest ones, even beyond the limit."""
        graph = graph_of(*triples)

        reached = graph.neighbourhood(start, hops, limit=limit, also=also)[0]

        near = graph.neighbourhood(start, hops, limit=limit)[0]
        more = dict.fromkeys(name for name in also if name in graph and name not in near)
        assert reached == (*near, *more)

    def test_neighbourhood_does_not_expand_over_values(self) -> None:
        graph = graph_of(("fridge", words.STATE, "open"), ("oven", words.STATE, "open"))

        assert list(graph.neighbourhood(["fridge"], 3)[0]) == ["fridge"]

    def test_neighbourhood_does_not_contain_unexplored(self) -> None:
        graph = graph_of(("hall", "exit north", words.UNEXPLORED), ("yard", "exit west", words.UNEXPLORED))

        assert list(graph.neighbourhood(["hall"], 3)[0]) == ["hall"]


class TestFacts:
    @given(facts, st.lists(names, unique=True))
    def test_subgraph_holds_all_facts_between_its_entities_and_all_values(
        self, triples: list[tuple[str, str, str]], chosen: list[str]
    ) -> None:
        """Algorithm 1: E_cand = {(v, u) in E | v, u in V_cand}, and the values of these entities."""
        graph = graph_of(*triples)

        found = graph.neighbourhood(chosen, 0)[1]

        expected = [
            fact
            for fact in graph.facts
            if fact.subject in chosen and (not is_link(fact) or fact.object in chosen)
        ]
        assert sorted(map(id, found)) == sorted(map(id, expected))
        order = [chosen.index(fact.subject) for fact in found]
        assert order == sorted(order)

    @given(facts, facts)
    def test_subgraph_holds_no_facts_that_have_ended(
        self, triples: list[tuple[str, str, str]], later: list[tuple[str, str, str]]
    ) -> None:
        """Facts that an update has ended are not retrieved."""
        graph = graph_of(*triples)
        graph.update(Relation(*each) for each in later)

        found = graph.neighbourhood(graph.entities, 0)[1]

        assert sorted(map(id, found)) == sorted(map(id, graph.facts))


def index_of(graph: KnowledgeGraph, seed: int = 0) -> EntityIndex:
    index = EntityIndex(8)
    rng = np.random.default_rng(seed)
    index.add(graph.entities, rng.standard_normal((len(graph.entities), 8)).astype(np.float32))
    return index


class TestRetrieve:
    @given(facts, st.integers(1, 5), st.integers(0, 3), st.booleans(), st.integers(0, 99))
    def test_retrieve_implements_algorithm_1(
        self, triples: list[tuple[str, str, str]], top: int, hops: int, directed: bool, seed: int
    ) -> None:
        graph = graph_of(*triples)
        index = index_of(graph, seed)
        query = np.random.default_rng(seed + 1).standard_normal(8).astype(np.float32)

        found = retrieve(graph, index, query, top=top, hops=hops, directed=directed)

        assert found.seeds == tuple(name for name, _ in index.most_similar(query, top))
        assert set(found.entities) == set(distances(graph, list(found.seeds), hops, directed=directed))
        assert found.facts == graph.neighbourhood(found.entities, 0)[1]

    def test_retrieve_from_an_empty_graph_is_empty(self) -> None:
        found = retrieve(KnowledgeGraph(), EntityIndex(8), np.ones(8, np.float32), around="robot", places=4)

        assert found == Subgraph()

    def test_retrieve_ignores_entities_that_only_the_index_knows(self) -> None:
        index = EntityIndex(2)
        index.add(["ghost"], np.array([[1, 0]], np.float32))

        found = retrieve(graph_of(("mug", "on", "table")), index, np.array([1, 0], np.float32))

        assert found == Subgraph(seeds=("ghost",))

    def test_retrieve_holds_the_ways_around_the_robot_without_their_contents(self) -> None:
        graph = graph_of(
            (words.ROBOT, words.IN, "hall"),
            ("hall", "exit east", "kitchen"),
            ("hall", "door east", "wooden door"),
            ("fridge", words.IN, "kitchen"),
            ("mug", words.ON, "shelf"),
        )
        index = EntityIndex(2)
        index.add(["mug"], np.array([[1, 0]], np.float32))

        found = retrieve(graph, index, np.array([1, 0], np.float32), top=1, around=words.ROBOT, places=9)

        assert found.entities == ("mug", "shelf", words.ROBOT, "hall", "wooden door", "kitchen")
        assert triples_of(found) == [
            ("mug", words.ON, "shelf"),
            (words.ROBOT, words.IN, "hall"),
            ("hall", "exit east", "kitchen"),
            ("hall", "door east", "wooden door"),
        ]

    def test_retrieve_with_a_limit_of_facts_prefers_ways_then_near_entities(self) -> None:
        graph = graph_of(
            *(("mug", f"likeness {n}", "plate") for n in range(30)),
            (words.ROBOT, words.IN, "hall"),
            ("hall", "exit east", "kitchen"),
        )
        index = EntityIndex(2)
        index.add(["mug"], np.array([[1, 0]], np.float32))

        found = retrieve(graph, index, np.array([1, 0], np.float32), around=words.ROBOT, places=9, facts=5)

        assert triples_of(found) == [
            *(("mug", f"likeness {n}", "plate") for n in range(3)),
            (words.ROBOT, words.IN, "hall"),
            ("hall", "exit east", "kitchen"),
        ]


CORRIDOR = [(f"room {n}", words.EXIT + "north", f"room {n + 1}") for n in range(20)]


class TestNetwork:
    @pytest.mark.parametrize("limit", [0, 1, 3, 11, 100])
    def test_network_holds_the_nearest_places_up_to_its_limit(self, limit: int) -> None:
        graph = graph_of((words.ROBOT, words.IN, "room 10"), *CORRIDOR)

        reached = [name for name in network(graph, words.ROBOT, limit) if name != words.ROBOT]

        assert len(reached) == min(limit, 21)
        far = [abs(int(name.split()[1]) - 10) for name in reached]
        assert far == sorted(far)

    def test_network_follows_exits_from_either_end(self) -> None:
        graph = graph_of((words.ROBOT, words.IN, "room 20"), *CORRIDOR)

        assert len(network(graph, words.ROBOT, 100)) == 22

    @pytest.mark.parametrize("start", ["elsewhere", "mug"])
    def test_network_of_an_entity_without_a_place_holds_at_most_itself(self, start: str) -> None:
        graph = graph_of(("mug", words.NEAR, "plate"), *CORRIDOR)

        assert list(network(graph, start, 5)) == ([start] if start in graph else [])

    def test_network_of_a_place_holds_itself_only(self) -> None:
        assert list(network(graph_of(*CORRIDOR), "room 3", 5)) == ["room 3"]
