"""Factories of the components that several agents share, with the topics of each component.

Each factory imports its component when it is needed, so that a node loads only the libraries of its own component.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stma_ros.agents.prompted_roles import answering, prompted
from stma_ros.agents.spec import ComponentFactory, ComponentSpec, of_domain, plain
from stma_ros.domains.spec import Domain
from stma_ros.roles.answerer import ANSWERER
from stma_ros.roles.category_filter import CATEGORY_FILTER
from stma_ros.roles.critic import CRITIC as CRITIC_ROLE
from stma_ros.roles.exploration_planner import EXPLORATION_PLANNER
from stma_ros.roles.frontier_chooser import FRONTIER_CHOOSER
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER
from stma_ros.roles.judge import JUDGE
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.planner import PLANNER as PLANNER_ROLE
from stma_ros.roles.policy import POLICY as POLICY_ROLE
from stma_ros.roles.recorder import RECORDER
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.snapshot_manager import SNAPSHOT_MANAGER
from stma_ros.roles.spec import AnyRole
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.task_parser import TASK_PARSER
from stma_ros.roles.thinker import THINKER as THINKER_ROLE
from stma_ros.types import topics
from stma_ros.types.evidence import Masks

if TYPE_CHECKING:
    from stma_ros.components.decision.critic import CriticConfig
    from stma_ros.components.decision.planner import Planner, PlannerConfig
    from stma_ros.components.temporal_memory.saved_history import SavedHistory, SavedTrail
    from stma_ros.components.temporal_memory.temporal_memory_config import SubgoalMemoryConfig
    from stma_ros.components.temporal_memory.trail_memory import TrailMemoryConfig
    from stma_ros.models.model_pool import ModelPool
    from stma_ros.storage.state_file import StateFile


def _detector_inputs() -> tuple[str, ...]:
    from stma_ros.components.perception.detector_registry import detector_inputs

    return detector_inputs()


def _perception() -> ComponentFactory:
    from stma_ros.components.perception.detector_registry import (
        DetectionsChoice,
        DetectorResources,
        NetworkChoice,
    )
    from stma_ros.components.perception.perception import Perception, PerceptionConfig
    from stma_ros.components.perception.scene_model import SceneModel
    from stma_ros.components.perception.sources import make_detector, shares_of, source_names
    from stma_ros.sensing.detectors.depth_segments import DepthLimits

    def scene_model(config: PerceptionConfig, domain: Domain, models: ModelPool | None) -> SceneModel | None:
        role = prompted(models, SCENE_GRAPH, domain.package)  # no rules interpret images
        client = None if models is None else models.client(SCENE_GRAPH.name)
        if models is None or client is None or role is None:
            return None
        pixels = models.config.image_pixels
        return SceneModel(role, pixels, client.boxes, config.question_limits, config.answer_wait)

    def make(config: PerceptionConfig, domain: Domain, models: ModelPool | None) -> Perception:
        knowledge = domain.load_categories(config)
        resources = DetectorResources(
            source=config.source,
            knowledge=knowledge,
            limits=DepthLimits(config.max_range, config.min_pixels),
            masks=Masks(config.masks),
            scene_model=scene_model(config, domain, models),
            network=NetworkChoice(config.network, config.network_device, config.network_threads),
            detections=DetectionsChoice(config.detections_tolerance, config.detections_wait),
        )
        detector = make_detector(
            source_names(config.source), resources, shares_of(config.recall), shares_of(config.precision)
        )
        return Perception(config, knowledge, detector)

    return of_domain(PerceptionConfig, make)


def _spatial_memory(*, stepwise: bool = False) -> ComponentFactory:
    """Returns the factory. stepwise: whether a way to a frontier is gone in several steps."""
    from stma_ros.components.spatial_memory.spatial_memory import (
        SpatialMemory,
        SpatialMemoryConfig,
        StepwiseSpatialMemoryConfig,
    )

    def make(config: SpatialMemoryConfig, domain: Domain, models: ModelPool | None) -> SpatialMemory:
        return SpatialMemory(
            config,
            domain.load_categories(config),
            domain.make_reader(config),
            domain.make_rules(RELATION_RETRIEVER, config),
            domain.make_rules(RELATION_AGGREGATOR, config),
            domain.make_answerer(config),
            max_stride=config.max_stride if isinstance(config, StepwiseSpatialMemoryConfig) else 0.0,
        )

    return of_domain(StepwiseSpatialMemoryConfig if stepwise else SpatialMemoryConfig, make)


def _temporal_memory() -> ComponentFactory:
    from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
    from stma_ros.components.temporal_memory.temporal_memory_config import CameraTemporalMemoryConfig

    def make(config: CameraTemporalMemoryConfig, domain: Domain, models: ModelPool | None) -> TemporalMemory:
        summariser = domain.make_rules(SUMMARISER, config)
        if TASK_PARSER.name not in domain.rules:
            return TemporalMemory.summarising(config, summariser)
        rules = domain.make_rules(TASK_PARSER, config)
        task_parser = answering(models, TASK_PARSER, domain.package, rules)
        return TemporalMemory.summarising(config, summariser, task_parser=task_parser)

    return of_domain(CameraTemporalMemoryConfig, make)


def _planner_of(config: type[PlannerConfig], joins: tuple[str, ...]) -> ComponentFactory:
    """Returns the factory of a planner. config: class of its settings, which depends on the kind of world."""
    from stma_ros.components.decision.planner import RANDOM, Planner, TextPlannerConfig
    from stma_ros.roles.random_choice import RandomChoice

    def make(config: PlannerConfig, domain: Domain, models: ModelPool | None) -> Planner:
        if isinstance(config, TextPlannerConfig) and config.policy == RANDOM:
            return Planner.of_plans(config, RandomChoice(config.policy_seed), joins)
        rules = domain.make_rules(PLANNER_ROLE, config)
        return Planner.of_plans(config, answering(models, PLANNER_ROLE, domain.package, rules), joins)

    return of_domain(config, make)


def _planner(joins: tuple[str, ...]) -> ComponentFactory:
    from stma_ros.components.decision.planner import CameraPlannerConfig

    return _planner_of(CameraPlannerConfig, joins)


def _text_planner(joins: tuple[str, ...]) -> ComponentFactory:
    from stma_ros.components.decision.planner import TextPlannerConfig

    return _planner_of(TextPlannerConfig, joins)


def _critic_of(config: type[CriticConfig], joins: tuple[str, ...]) -> ComponentFactory:
    """Returns the factory of a critic. config: class of its settings, whose defaults depend on the kind of world."""
    from stma_ros.components.decision.critic import Critic

    def make(config: CriticConfig, domain: Domain, models: ModelPool | None) -> Critic:
        rules = domain.make_rules(CRITIC_ROLE, config)
        return Critic(config, answering(models, CRITIC_ROLE, domain.package, rules), joins)

    return of_domain(config, make)


def _critic(joins: tuple[str, ...]) -> ComponentFactory:
    from stma_ros.components.decision.critic import CameraCriticConfig

    return _critic_of(CameraCriticConfig, joins)


def _text_critic(joins: tuple[str, ...]) -> ComponentFactory:
    from stma_ros.components.decision.critic import TextCriticConfig

    return _critic_of(TextCriticConfig, joins)


def _executor(*, judged: bool) -> ComponentFactory:
    from stma_ros.components.decision.executor import Executor
    from stma_ros.components.decision.executor_config import CameraExecutorConfig
    from stma_ros.components.decision.scene_grounding import SceneGrounding

    def make(config: CameraExecutorConfig, domain: Domain, models: ModelPool | None) -> Executor:
        return Executor(config, SceneGrounding(domain.load_categories(config)), judged=judged)

    return of_domain(CameraExecutorConfig, make)


def _history_store(config: SubgoalMemoryConfig) -> StateFile[SavedHistory] | None:
    from stma_ros.components.temporal_memory.saved_history import SavedHistory
    from stma_ros.storage.state_file import StateFile

    return StateFile(Path(config.state_dir) / "history.state", SavedHistory) if config.state_dir else None


def _subgoal_memory(*, camera: bool) -> ComponentFactory:
    from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
    from stma_ros.components.temporal_memory.temporal_memory_config import (
        CameraSubgoalMemoryConfig,
        SubgoalMemoryConfig,
    )

    def make(config: SubgoalMemoryConfig, domain: Domain, models: ModelPool | None) -> TemporalMemory:
        summarising = domain.make_rules(OBSERVATION_SUMMARISER, config)
        summariser = answering(models, OBSERVATION_SUMMARISER, domain.package, summarising)
        parser = None
        if camera:
            parser = answering(models, TASK_PARSER, domain.package, domain.make_rules(TASK_PARSER, config))
        return TemporalMemory.in_chunks(config, summariser, parser, _history_store(config))

    return of_domain(CameraSubgoalMemoryConfig if camera else SubgoalMemoryConfig, make)


def _camera_executor_with_chunks() -> ComponentFactory:
    from stma_ros.components.decision.executor import Executor
    from stma_ros.components.decision.executor_config import CameraRetrievingExecutorConfig
    from stma_ros.components.decision.scene_grounding import SceneGrounding

    def make(config: CameraRetrievingExecutorConfig, domain: Domain, models: ModelPool | None) -> Executor:
        grounding = SceneGrounding(domain.load_categories(config), retrieves=config.retrieval)
        return Executor(config, grounding, judged=False)

    return of_domain(CameraRetrievingExecutorConfig, make)


def _policy(joins: tuple[str, ...], *, camera: bool) -> ComponentFactory:
    from stma_ros.components.decision.policy import CameraPolicyConfig, PolicyConfig, policy_of

    def make(config: PolicyConfig, domain: Domain, models: ModelPool | None) -> Planner:
        rules = domain.make_rules(POLICY_ROLE, config)
        return policy_of(config, answering(models, POLICY_ROLE, domain.package, rules), joins)

    return of_domain(CameraPolicyConfig if camera else PolicyConfig, make)


def _text_executor_with_chunks() -> ComponentFactory:
    from stma_ros.components.decision.executor import Executor
    from stma_ros.components.decision.executor_config import RetrievingExecutorConfig
    from stma_ros.components.decision.text_grounding import TextGrounding

    def make(config: RetrievingExecutorConfig) -> Executor:
        grounding = TextGrounding(beliefs=(topics.TEMPORAL_BELIEF,), retrieves=config.retrieval)
        return Executor(config, grounding, judged=False)

    return plain(RetrievingExecutorConfig, make)


def _trail_store(config: TrailMemoryConfig) -> StateFile[SavedTrail] | None:
    from stma_ros.components.temporal_memory.saved_history import SavedTrail
    from stma_ros.storage.state_file import StateFile

    return StateFile(Path(config.state_dir) / "trail.state", SavedTrail) if config.state_dir else None


def _trail_memory() -> ComponentFactory:
    from stma_ros.components.temporal_memory.trail_memory import TrailMemory, TrailMemoryConfig

    def make(config: TrailMemoryConfig, domain: Domain, models: ModelPool | None) -> TrailMemory:
        rules = domain.make_rules(RECORDER, config)
        return TrailMemory(config, answering(models, RECORDER, domain.package, rules), _trail_store(config))

    return of_domain(TrailMemoryConfig, make)


def _visual_memory() -> ComponentFactory:
    from stma_ros.components.visual_memory.visual_memory import VisualMemory, VisualMemoryConfig

    def make(config: VisualMemoryConfig, domain: Domain, models: ModelPool | None) -> VisualMemory:
        managing = domain.make_rules(SNAPSHOT_MANAGER, config)
        sorting = domain.make_rules(FRONTIER_MANAGER, config)
        filtering = domain.make_rules(CATEGORY_FILTER, config)
        return VisualMemory(
            config,
            answering(models, SNAPSHOT_MANAGER, domain.package, managing),
            answering(models, FRONTIER_MANAGER, domain.package, sorting),
            answering(models, CATEGORY_FILTER, domain.package, filtering),
        )

    return of_domain(VisualMemoryConfig, make)


def _exploration_planner() -> ComponentFactory:
    from stma_ros.components.decision.exploration_planner import (
        ExplorationPlanner,
        ExplorationPlannerConfig,
    )

    def make(
        config: ExplorationPlannerConfig, domain: Domain, models: ModelPool | None
    ) -> ExplorationPlanner:
        return ExplorationPlanner(
            config,
            answering(models, ANSWERER, domain.package, domain.make_rules(ANSWERER, config)),
            answering(
                models, EXPLORATION_PLANNER, domain.package, domain.make_rules(EXPLORATION_PLANNER, config)
            ),
            answering(models, FRONTIER_CHOOSER, domain.package, domain.make_rules(FRONTIER_CHOOSER, config)),
        )

    return of_domain(ExplorationPlannerConfig, make)


def _exploration_executor() -> ComponentFactory:
    from stma_ros.components.decision.executor import Executor
    from stma_ros.components.decision.executor_config import ExecutorConfig
    from stma_ros.components.decision.exploration_grounding import ExplorationGrounding

    return plain(ExecutorConfig, lambda config: Executor(config, ExplorationGrounding(), judged=False))


def _knowledge_memory(*, whole: bool = False) -> ComponentFactory:
    """Returns the factory. whole: whether the belief holds all that is known, by default."""
    from stma_ros.components.knowledge_memory.knowledge_memory import (
        KnowledgeMemoryComponent,
        KnowledgeMemoryConfig,
        WholeKnowledgeMemoryConfig,
    )

    def make(
        config: KnowledgeMemoryConfig, domain: Domain, models: ModelPool | None
    ) -> KnowledgeMemoryComponent:
        retrieving = domain.make_rules(RELATION_RETRIEVER, config)
        aggregating = domain.make_rules(RELATION_AGGREGATOR, config)
        return KnowledgeMemoryComponent(
            config,
            answering(models, RELATION_RETRIEVER, domain.package, retrieving),
            answering(models, RELATION_AGGREGATOR, domain.package, aggregating),
        )

    return of_domain(WholeKnowledgeMemoryConfig if whole else KnowledgeMemoryConfig, make)


def _text_temporal_memory(*, joins_lessons: bool = False) -> ComponentFactory:
    from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
    from stma_ros.components.temporal_memory.temporal_memory_config import TemporalMemoryConfig

    def make(config: TemporalMemoryConfig, domain: Domain, models: ModelPool | None) -> TemporalMemory:
        summarising = domain.make_rules(SUMMARISER, config)
        summariser = answering(models, SUMMARISER, domain.package, summarising)
        return TemporalMemory.summarising(config, summariser, joins_lessons=joins_lessons)

    return of_domain(TemporalMemoryConfig, make)


def _lesson_memory() -> ComponentFactory:
    from stma_ros.components.experience_memory.lessons import LessonMemory, LessonMemoryConfig

    def make(config: LessonMemoryConfig, domain: Domain, models: ModelPool | None) -> LessonMemory:
        reflecting = domain.make_rules(REFLECTOR, config)
        return LessonMemory(config, answering(models, REFLECTOR, domain.package, reflecting))

    return of_domain(LessonMemoryConfig, make)


def _experience_memory() -> ComponentFactory:
    from stma_ros.components.experience_memory.experiences import ExperienceMemoryConfig, ExperienceRetention
    from stma_ros.library.experience_memory import IN_MEMORY, ExperienceMemory

    def make(config: ExperienceMemoryConfig, domain: Domain, models: ModelPool | None) -> ExperienceRetention:
        judge = answering(models, JUDGE, domain.package, domain.make_rules(JUDGE, config))
        memory = ExperienceMemory(
            config.store or IN_MEMORY, embedder=config.embedder, capacity=config.capacity
        )
        return ExperienceRetention(config, memory, judge, domain.name)

    return of_domain(ExperienceMemoryConfig, make)


def _thinker(joins: tuple[str, ...], *, camera: bool) -> ComponentFactory:
    from stma_ros.components.decision.thinker import CameraThinkerConfig, ThinkerConfig, thinker_of

    def make(config: ThinkerConfig, domain: Domain, models: ModelPool | None) -> Planner:
        rules = domain.make_rules(THINKER_ROLE, config)
        return thinker_of(config, answering(models, THINKER_ROLE, domain.package, rules), joins)

    return of_domain(CameraThinkerConfig if camera else ThinkerConfig, make)


def _latest_view() -> ComponentFactory:
    from stma_ros.components.visual_memory.latest_view import LatestView, LatestViewConfig

    return plain(LatestViewConfig, LatestView)


def _text_executor(*, judged: bool) -> ComponentFactory:
    from stma_ros.components.decision.executor import Executor
    from stma_ros.components.decision.executor_config import TextExecutorConfig
    from stma_ros.components.decision.text_grounding import TextGrounding

    def make(config: TextExecutorConfig) -> Executor:
        beliefs = (topics.SPATIAL_BELIEF,) if config.belief_refresh == "action" else ()
        return Executor(config, TextGrounding(beliefs=beliefs), judged=judged)

    return plain(TextExecutorConfig, make)


TELEMETRY_TOPICS = (topics.ROLE_CALLS, topics.MODEL_CALL)
"""Telemetry topics of a component with roles that models can answer."""


def _temporal(
    load: Callable[[], ComponentFactory],
    *also_reads: str,
    roles: tuple[str, ...],
    rules: tuple[str, ...],
) -> ComponentSpec:
    """Returns the temporal memory. also_reads: further input topics; roles, rules: as in ComponentSpec."""
    return ComponentSpec(
        "temporal_memory",
        load,
        inputs=(topics.TASK, topics.SKILL_REQUEST, topics.OBSERVATION, topics.PLAN_REQUEST, *also_reads),
        outputs=(topics.TEMPORAL_BELIEF, *TELEMETRY_TOPICS),
        roles=roles,
        rules=rules,
    )


def planner_of(
    load: Callable[[tuple[str, ...]], ComponentFactory],
    *,
    joins: tuple[str, ...] = topics.BELIEFS,
    rules: bool = True,
) -> ComponentSpec:
    """Returns the component of the planner, with any implementation.

    Args:
        load: given `joins`, imports the component, as ComponentSpec.load does.
        joins: topics whose message of the same step has to arrive before a request is answered.
        rules: whether its role needs rules of the domain.
    """
    return _decider(
        "planner", PLANNER_ROLE, topics.PLAN_REQUEST, topics.PLAN, partial(load, joins), joins, rules
    )


def critic_of(
    load: Callable[[tuple[str, ...]], ComponentFactory],
    *,
    joins: tuple[str, ...] = topics.BELIEFS,
    rules: bool = True,
) -> ComponentSpec:
    """Returns the component of the critic, with any implementation. Arguments as in `planner_of`, for proposals."""
    return _decider(
        "critic", CRITIC_ROLE, topics.ACTION_PROPOSAL, topics.CRITIQUE, partial(load, joins), joins, rules
    )


def _policy_of(joins: tuple[str, ...], *, camera: bool = False) -> ComponentSpec:
    """Returns the component of a planner that a policy answers.

    Args:
        joins: as in `planner_of`.
        camera: whether objects are found by a camera.
    """
    load = partial(_policy, joins, camera=camera)
    return _decider("planner", POLICY_ROLE, topics.PLAN_REQUEST, topics.PLAN, load, joins, rules=True)


def _decider(
    name: str,
    role: AnyRole,
    question: str,
    answer: str,
    load: Callable[[], ComponentFactory],
    joins: tuple[str, ...],
    rules: bool,
) -> ComponentSpec:
    roles = (role.name,) if rules else ()
    telemetry = TELEMETRY_TOPICS if rules else (topics.ROLE_CALLS,)
    return ComponentSpec(name, load, (question, *joins), (answer, *telemetry), roles=roles, rules=roles)


def _executor_of(
    load: Callable[[], ComponentFactory],
    *also_reads: str,
    judged: bool = True,
    knows_categories: bool = False,
    also_publishes: tuple[str, ...] = (),
    clock: str = "",
) -> ComponentSpec:
    """Returns the executor.

    Args:
        load: imports the component, as ComponentSpec.load does.
        also_reads: the topics of beliefs, and further input topics.
        judged: whether a critic judges its actions.
        knows_categories: as in ComponentSpec.
        also_publishes: further output topics.
        clock: as in ComponentSpec.
    """
    return ComponentSpec(
        "executor",
        load,
        inputs=(
            topics.TASK,
            topics.SKILLS,
            topics.OBSERVATION,
            topics.OUTCOME,
            topics.PLAN,
            *((topics.CRITIQUE,) if judged else ()),
            topics.CANCEL,
            topics.FAULT,
            topics.ALARM_EXPIRED,
            *also_reads,
        ),
        outputs=(
            topics.PLAN_REQUEST,
            *((topics.ACTION_PROPOSAL,) if judged else ()),
            topics.SKILL_REQUEST,
            topics.RECALL_REQUEST,
            topics.TASK_RESULT,
            topics.ALARM,
            *also_publishes,
        ),
        clock=clock,
        knows_categories=knows_categories,
    )


def _camera_executor_of(make: Callable[[], ComponentFactory], *, judged: bool) -> ComponentSpec:
    """Returns the executor of agents that plan over the scene graph. judged: whether a critic judges its actions."""
    return _executor_of(
        make,
        *topics.BELIEFS,
        topics.SCENE_GRAPH,
        topics.FRONTIERS,
        topics.OBJECT_QUERY_RESULT,
        judged=judged,
        knows_categories=True,
        also_publishes=(topics.STEP, topics.EVIDENCE_QUERY),
        clock=topics.ODOMETRY,
    )


# For bodies with a camera.

PERCEPTION = ComponentSpec(
    "perception",
    _perception,
    frame=topics.FRAME,
    inputs=(),
    plugged_inputs=_detector_inputs,
    outputs=(topics.KEYFRAME_DETECTIONS, *TELEMETRY_TOPICS),
    answers=(topics.SCENE_ANSWER,),
    roles=(SCENE_GRAPH.name,),
    knows_categories=True,
)
SPATIAL_MEMORY = ComponentSpec(
    "spatial_memory",
    _spatial_memory,
    frame=topics.DEPTH_FRAME,
    inputs=(
        topics.OBSERVATION,
        topics.STEP,
        topics.KEYFRAME_DETECTIONS,
        topics.TEMPORAL_BELIEF,
        topics.TASK_RESULT,
        topics.OBJECT_QUERY,
        topics.EVIDENCE_QUERY,
        topics.MEMORY_QUESTION,
        topics.MEMORY_REQUEST,
    ),
    outputs=(
        topics.SCENE_GRAPH,
        topics.MAP,
        topics.FRONTIERS,
        topics.SPATIAL_BELIEF,
        topics.OBJECT_QUERY_RESULT,
        topics.MEMORY_ANSWER,
        topics.MEMORY_REPLY,
        topics.ROLE_CALLS,
    ),
    rules=(RELATION_RETRIEVER.name, RELATION_AGGREGATOR.name),
    knows_categories=True,
)
# A domain may lack a task parser: beliefs hold no goals then.
TEMPORAL_MEMORY = _temporal(_temporal_memory, roles=(TASK_PARSER.name,), rules=(SUMMARISER.name,))
PLANNER = planner_of(_planner)
CRITIC = critic_of(_critic)
EXECUTOR = _camera_executor_of(partial(_executor, judged=True), judged=True)

# For bodies that read and write text.

KNOWLEDGE_MEMORY = ComponentSpec(
    "spatial_memory",
    _knowledge_memory,
    inputs=(
        topics.OBSERVATION,
        topics.TEMPORAL_BELIEF,
        topics.OBJECT_QUERY,
        topics.MEMORY_QUESTION,
        topics.MEMORY_REQUEST,
    ),
    outputs=(
        topics.SPATIAL_BELIEF,
        topics.OBJECT_QUERY_RESULT,
        topics.MEMORY_ANSWER,
        topics.MEMORY_REPLY,
        *TELEMETRY_TOPICS,
    ),
    roles=(RELATION_RETRIEVER.name, RELATION_AGGREGATOR.name),
    rules=(RELATION_RETRIEVER.name, RELATION_AGGREGATOR.name),
)
TEXT_TEMPORAL_MEMORY = _temporal(_text_temporal_memory, roles=(SUMMARISER.name,), rules=(SUMMARISER.name,))
TEXT_PLANNER = planner_of(_text_planner)
TEXT_CRITIC = critic_of(_text_critic)
TEXT_EXECUTOR = _executor_of(partial(_text_executor, judged=True), topics.SPATIAL_BELIEF)

# For agents whose history is divided by subgoals.

TEXT_SUBGOAL_MEMORY = _temporal(
    partial(_subgoal_memory, camera=False),
    topics.RECALL_REQUEST,
    roles=(OBSERVATION_SUMMARISER.name,),
    rules=(OBSERVATION_SUMMARISER.name,),
)
TEXT_POLICY = _policy_of((topics.TEMPORAL_BELIEF, topics.OBSERVATION))
TEXT_SUBGOAL_EXECUTOR = _executor_of(_text_executor_with_chunks, topics.TEMPORAL_BELIEF, judged=False)

SUBGOAL_MEMORY = _temporal(
    partial(_subgoal_memory, camera=True),
    topics.RECALL_REQUEST,
    roles=(TASK_PARSER.name, OBSERVATION_SUMMARISER.name),
    rules=(TASK_PARSER.name, OBSERVATION_SUMMARISER.name),
)
POLICY = _policy_of((*topics.BELIEFS, topics.OBSERVATION), camera=True)
SUBGOAL_EXECUTOR = _camera_executor_of(_camera_executor_with_chunks, judged=False)

# For agents that explore to answer a question.

# Their evidence is pictures, so that nobody looks it up.
STEPWISE_SPATIAL_MEMORY = replace(
    SPATIAL_MEMORY,
    load=partial(_spatial_memory, stepwise=True),
    inputs=tuple(topic for topic in SPATIAL_MEMORY.inputs if topic != topics.EVIDENCE_QUERY),
)
TRAIL_MEMORY = ComponentSpec(
    "temporal_memory",
    _trail_memory,
    inputs=(
        topics.TASK,
        topics.SKILL_REQUEST,
        topics.OBSERVATION,
        topics.PLAN,
        topics.EXPLORATION_PLAN,
        topics.VISUAL_BELIEF,
    ),
    outputs=(topics.TEMPORAL_BELIEF, *TELEMETRY_TOPICS),
    roles=(RECORDER.name,),
    rules=(RECORDER.name,),
)
_SELECTING = (SNAPSHOT_MANAGER.name, FRONTIER_MANAGER.name, CATEGORY_FILTER.name)
VISUAL_MEMORY = ComponentSpec(
    "visual_memory",
    _visual_memory,
    frame=(topics.COLOR, *topics.DEPTH_FRAME),
    inputs=(
        topics.TASK,
        topics.SKILL_REQUEST,
        topics.OBSERVATION,
        topics.KEYFRAME_DETECTIONS,
        topics.FRONTIERS,
        *topics.BELIEFS,
        topics.EXPLORATION_PLAN,
        topics.MEMORY_REQUEST,
    ),
    outputs=(topics.VISUAL_BELIEF, topics.MEMORY_REPLY, *TELEMETRY_TOPICS),
    roles=_SELECTING,
    rules=_SELECTING,
)
_EXPLORING = (ANSWERER.name, EXPLORATION_PLANNER.name, FRONTIER_CHOOSER.name)
EXPLORATION_PLANNING = ComponentSpec(
    "planner",
    _exploration_planner,
    inputs=(topics.PLAN_REQUEST, topics.SCENE_GRAPH, topics.VISUAL_BELIEF, topics.TEMPORAL_BELIEF),
    outputs=(topics.PLAN, topics.EXPLORATION_PLAN, *TELEMETRY_TOPICS),
    roles=_EXPLORING,
    rules=_EXPLORING,
)
EXPLORATION_EXECUTOR = _executor_of(
    _exploration_executor,
    topics.SPATIAL_BELIEF,
    topics.SCENE_GRAPH,
    topics.FRONTIERS,
    topics.VISUAL_BELIEF,
    judged=False,
    also_publishes=(topics.STEP,),
    clock=topics.ODOMETRY,
)

# For agents that learn from tasks that failed.

LESSON_MEMORY = ComponentSpec(
    "experience_memory",
    _lesson_memory,
    inputs=(topics.TASK, topics.OBSERVATION, topics.TASK_RESULT, topics.TASK_SUMMARY),
    outputs=(topics.LESSONS, *TELEMETRY_TOPICS),
    roles=(REFLECTOR.name,),
    rules=(REFLECTOR.name,),
)
LEARNING_TEMPORAL_MEMORY = replace(
    TEXT_TEMPORAL_MEMORY,
    load=partial(_text_temporal_memory, joins_lessons=True),
    inputs=(*TEXT_TEMPORAL_MEMORY.inputs, topics.TASK_RESULT, topics.LESSONS),
    outputs=(*TEXT_TEMPORAL_MEMORY.outputs, topics.TASK_SUMMARY),
)

# For agents that think over their experiences, and over the whole scene graph.

WHOLE_KNOWLEDGE_MEMORY = replace(KNOWLEDGE_MEMORY, load=partial(_knowledge_memory, whole=True))

EXPERIENCE_MEMORY = ComponentSpec(
    "experience_memory",
    _experience_memory,
    inputs=(
        topics.TASK,
        topics.SPATIAL_BELIEF,
        topics.PLAN,
        topics.SKILL_REQUEST,
        topics.OBSERVATION,
        topics.TASK_RESULT,
    ),
    outputs=(topics.EXPERIENCES, topics.JUDGED_TASK, *TELEMETRY_TOPICS),
    roles=(JUDGE.name,),
    rules=(JUDGE.name,),
)
LATEST_VIEW = ComponentSpec(
    "visual_memory",
    _latest_view,
    frame=(topics.COLOR, topics.ODOMETRY, topics.LOCALIZATION),
    inputs=(topics.OBSERVATION,),
    outputs=(topics.VISUAL_BELIEF,),
)


def _thinker_of(*also_joins: str, camera: bool) -> ComponentSpec:
    """Returns the planner that thinks over its experiences.

    Args:
        also_joins: topics, beside those of beliefs and experiences, whose message of the same step has to arrive.
        camera: whether objects are found by a camera.
    """
    joins = (*topics.BELIEFS, topics.EXPERIENCES, *also_joins)
    load = partial(_thinker, joins, camera=camera)
    return _decider("planner", THINKER_ROLE, topics.PLAN_REQUEST, topics.PLAN, load, joins, rules=True)


THINKER = _thinker_of(topics.VISUAL_BELIEF, camera=True)
TEXT_THINKER = _thinker_of(camera=False)
UNJUDGED_EXECUTOR = _camera_executor_of(partial(_executor, judged=False), judged=False)
TEXT_UNJUDGED_EXECUTOR = _executor_of(
    partial(_text_executor, judged=False), topics.SPATIAL_BELIEF, judged=False
)
