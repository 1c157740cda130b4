"""The list of roles. Settings, waits, telemetry, `stma doctor --model` and the stand-in server follow from it."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.models.settings import ModelConfig, RoleSetting, model_config
from stma_ros.roles.answerer import ANSWERER
from stma_ros.roles.category_filter import CATEGORY_FILTER
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.exploration_planner import EXPLORATION_PLANNER
from stma_ros.roles.frontier_chooser import FRONTIER_CHOOSER
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER
from stma_ros.roles.judge import JUDGE
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.policy import POLICY
from stma_ros.roles.recorder import RECORDER
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.snapshot_manager import SNAPSHOT_MANAGER
from stma_ros.roles.spec import AnyRole
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.task_parser import TASK_PARSER
from stma_ros.roles.thinker import THINKER

ROLES: tuple[AnyRole, ...] = (
    TASK_PARSER,
    SUMMARISER,
    RELATION_RETRIEVER,
    RELATION_AGGREGATOR,
    PLANNER,
    CRITIC,
    REFLECTOR,
    SCENE_GRAPH,
    POLICY,
    OBSERVATION_SUMMARISER,
    SNAPSHOT_MANAGER,
    FRONTIER_MANAGER,
    CATEGORY_FILTER,
    ANSWERER,
    EXPLORATION_PLANNER,
    FRONTIER_CHOOSER,
    RECORDER,
    THINKER,
    JUDGE,
)
"""All roles that a model can answer, in the order in which they are shown."""

ROLE_NAMES = tuple(role.name for role in ROLES)


def model_config_of(roles: Iterable[AnyRole]) -> type[ModelConfig]:
    """Returns the settings `model.*` of an agent with these roles."""
    return model_config(
        RoleSetting(role.name, role.title, role.follows_default, role.sampling) for role in roles
    )


RoleModelConfig = model_config_of(ROLES)
"""The settings `model.*`, with one for each role."""
