"""The package's import graph has no cycle, lazy and type-checking imports included."""

from __future__ import annotations

import grimp
import networkx as nx
import pytest

GENERATED = ("stma_ros.msg", "stma_ros.srv", "stma_ros.action")


@pytest.fixture(scope="module")
def imports() -> nx.DiGraph:
    """A graph with an edge from each module to every module that it imports, anywhere in its text."""
    graph = grimp.build_graph("stma_ros", cache_dir=None)
    modules = [module for module in graph.modules if not module.startswith(GENERATED)]
    edges = (
        (module, other) for module in modules for other in graph.find_modules_directly_imported_by(module)
    )
    return nx.DiGraph(edges)


def cycles(graph: nx.DiGraph) -> list[list[str]]:
    return [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]


def test_import_graph_holds_the_whole_package(imports: nx.DiGraph) -> None:
    assert imports.number_of_nodes() > 500
    assert imports.has_edge("stma_ros.nodes.component", "stma_ros.ros.host")


def test_modules_have_no_import_cycle(imports: nx.DiGraph) -> None:
    assert cycles(imports) == []


def test_folders_have_no_import_cycle(imports: nx.DiGraph) -> None:
    """Folders are compared with their sibling folders and modules, at every depth."""
    found = []
    for depth in range(2, 7):
        siblings = nx.DiGraph()
        for importer, imported in imports.edges:
            ours, theirs = importer.split("."), imported.split(".")
            same_parent = ours[: depth - 1] == theirs[: depth - 1]
            if same_parent and min(len(ours), len(theirs)) >= depth and ours[depth - 1] != theirs[depth - 1]:
                siblings.add_edge(".".join(ours[:depth]), ".".join(theirs[:depth]))
        found += cycles(siblings)
    assert found == []
