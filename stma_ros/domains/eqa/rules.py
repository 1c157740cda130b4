"""The rules of the roles that explore to answer a question, for domains that ask questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from stma_ros.roles.answerer import ANSWERER
from stma_ros.roles.category_filter import CATEGORY_FILTER
from stma_ros.roles.exploration_planner import EXPLORATION_PLANNER
from stma_ros.roles.frontier_chooser import FRONTIER_CHOOSER, NEAREST
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER
from stma_ros.roles.recorder import RECORDER
from stma_ros.roles.snapshot_manager import SNAPSHOT_MANAGER

if TYPE_CHECKING:
    from stma_ros.memory.category_knowledge import CategoryKnowledge


def question_rules(categories: Callable[[Any], CategoryKnowledge]) -> Mapping[str, Callable[[Any], Any]]:
    """Returns the factories of the rules, by role. categories: gives the domain's knowledge for a config."""

    def answerer(config: Any) -> Any:
        from stma_ros.domains.eqa.answerer import SymbolicAnswerer
        from stma_ros.domains.eqa.prior_answerer import PriorAnswerer, read_priors

        if getattr(config, "blind", False):
            return PriorAnswerer(read_priors(config.answer_priors))
        return SymbolicAnswerer(categories(config))

    def planner(config: Any) -> Any:
        from stma_ros.domains.eqa.exploration_planner import SymbolicExplorationPlanner

        return SymbolicExplorationPlanner(categories(config))

    def chooser(config: Any) -> Any:
        from stma_ros.domains.eqa.frontier_chooser import NearestFrontierChooser, SymbolicFrontierChooser

        if getattr(config, "exploration", "") == NEAREST:
            return NearestFrontierChooser()
        return SymbolicFrontierChooser(categories(config))

    def snapshot_manager(config: Any) -> Any:
        from stma_ros.domains.eqa.managers import SymbolicSnapshotManager

        return SymbolicSnapshotManager(categories(config))

    def frontier_manager(config: Any) -> Any:
        from stma_ros.domains.eqa.managers import SymbolicFrontierManager

        return SymbolicFrontierManager(categories(config))

    def category_filter(config: Any) -> Any:
        from stma_ros.domains.eqa.category_filter import SymbolicCategoryFilter

        return SymbolicCategoryFilter(categories(config))

    def recorder(config: Any) -> Any:
        from stma_ros.domains.eqa.recorder import SymbolicRecorder

        return SymbolicRecorder()

    return {
        SNAPSHOT_MANAGER.name: snapshot_manager,
        FRONTIER_MANAGER.name: frontier_manager,
        CATEGORY_FILTER.name: category_filter,
        ANSWERER.name: answerer,
        EXPLORATION_PLANNER.name: planner,
        FRONTIER_CHOOSER.name: chooser,
        RECORDER.name: recorder,
    }
