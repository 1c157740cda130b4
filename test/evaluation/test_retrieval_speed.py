"""The suite `retrieval`: both implementations find the same facts, and a difference is an error."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.evaluation import retrieval
from stma_ros.evaluation.home_graphs import make_home_graph
from stma_ros.evaluation.retrieval import CONFIGURED, OURS, PUBLISHED, RetrievalSettings, RetrievalSpeed
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.memory.retrieval import Subgraph


def test_retrieval_suite_has_a_row_for_each_implementation() -> None:
    rows = list(RetrievalSpeed(RetrievalSettings(largest=10_000, queries=3)).rows(1000))

    assert [(row["preset"], row["group"]) for row in rows] == [
        (OURS, "10000 entities"),
        (CONFIGURED, "10000 entities"),
        (PUBLISHED, "10000 entities"),
    ]
    ours, configured, published = rows
    assert ours["speed_up"] == pytest.approx(published["retrieval_ms"] / ours["retrieval_ms"])
    assert ours["facts_found"] > ours["entities_found"] / 2 > 4
    assert configured["entities_found"] == 64 < ours["entities_found"]


def test_different_results_of_the_two_retrievals_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "retrieve", lambda *_, **__: Subgraph())

    with pytest.raises(retrieval.StmaError, match="one of the two is wrong"):
        list(RetrievalSpeed(RetrievalSettings(largest=10_000, queries=1)).rows(1000))


def test_home_graphs_follow_from_the_seed() -> None:
    one, same, other = (make_home_graph(500, 2, seed) for seed in (1, 1, 2))

    assert one.facts == same.facts
    assert one.facts != other.facts
    assert np.array_equal(one.vectors, same.vectors)
    assert np.array_equal(one.queries, same.queries)


def test_every_entity_of_a_home_graph_has_a_vector() -> None:
    home = make_home_graph(500, 1, 3)
    graph = KnowledgeGraph()

    assert not graph.update(home.facts).rejected
    assert set(graph.entities) <= set(home.names)
    assert len(graph.entities) > 0.98 * len(home.names) >= 0.98 * 500
    assert home.vectors.shape == (len(home.names), 384)
