"""An agent that needs its memory: a whole task with real components, in any order of delivery, and its replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.agents.local_runtime import Binding, LocalRuntime, emissions
from stma_ros.components.decision.critic import Critic, CriticConfig
from stma_ros.components.decision.executor import Executor
from stma_ros.components.decision.executor_config import TextExecutorConfig
from stma_ros.components.decision.planner import Planner, PlannerConfig
from stma_ros.components.knowledge_memory.knowledge_memory import (
    KnowledgeMemoryComponent,
    KnowledgeMemoryConfig,
)
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
from stma_ros.components.temporal_memory.temporal_memory_config import TemporalMemoryConfig
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.memory.working.records import record_text
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import message_id, message_ref
from stma_ros.types.component import Emission
from stma_ros.types.control import JournalEntry
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    Outcome,
    PlanRequest,
    RecallRequest,
    Result,
    SkillRequest,
    SkillSchema,
    SkillSet,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
)
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.standard import Header, Time
from support.components.executor_game import RetrievingGrounding

COMMANDS = (("go east",), ("enter 41", "enter 42"))
NOTE = "A note says: the code is 42."


def command(text: str) -> Action:
    return Action("command", (text,))


def retrieve(step: int) -> Action:
    return Action("retrieve", (str(step),))


class Vault:
    """A text world: a note in the first room names the command that opens the door in the second."""

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, SkillRequest)
        step, header = message.step, Header(Time(message.step + 1))
        done = Outcome(
            header=header,
            request_id=message.request_id,
            task_id=message.task_id,
            step=step,
            action=message.action,
            result=Result.SUCCEEDED,
        )
        won = message.action == command("enter 42")
        yield (
            topics.OBSERVATION,
            Observation(
                header=header,
                task_id=message.task_id,
                step=step,
                watermark=header.stamp,
                last_outcome=done,
                feedback="" if step else NOTE,
                description="-= Vault =-\nA vault.",
                admissible_commands=COMMANDS[min(step, 1)],
                episode=EpisodeState.WON if won else EpisodeState.RUNNING,
            ),
        )
        yield topics.OUTCOME, done


class RetrievingMemory:
    """Temporal memory of the last record only; retrieves the record of an earlier step on request."""

    def __init__(self) -> None:
        config = TemporalMemoryConfig(history=1, summariser="none")
        self._memory = TemporalMemory.summarising(config, TextSummariser())
        self._records: dict[int, Observation] = {}
        self._belief = TemporalBelief()

    def handle(self, topic: str, message: Message) -> Iterator[Emission]:
        if isinstance(message, RecallRequest):
            if message.revision <= self._belief.revision and message.step == self._belief.step:
                return  # a duplicate
            (name,) = message.action.arguments
            text = f"{self._belief.text}\n\nRetrieved:\n{record_text(self._records[int(name)])}"
            derived_from = (*self._belief.derived_from, message_ref(topics.RECALL_REQUEST, message))
            self._belief = replace(
                self._belief,
                at=replace(self._belief.at, revision=message.revision),
                text=text,
                derived_from=derived_from,
            )
            yield topics.TEMPORAL_BELIEF, self._belief
            return
        if isinstance(message, Observation):
            self._records.setdefault(message.step, message)
        for out, said in self._memory.handle(topic, message):
            if isinstance(said, TemporalBelief):
                self._belief = said
            yield out, said


def earlier_steps(step: StepInputs) -> Iterable[Action]:
    """Allows retrieval of every earlier step."""
    return map(retrieve, range(step.observation.step))


class Burglar:
    """Enters the code when the belief holds it, and otherwise tries to retrieve it."""

    def answer(self, query: PlanQuery) -> PlanAnswer:
        known = "the code is 42" in query.temporal.text
        wanted = (command("go east"), command("enter 42") if known else retrieve(0))
        return PlanAnswer("open", (next(a for a in wanted if a in query.allowed_actions),), "")


class Judge:
    """Accepts every action and records it."""

    def __init__(self) -> None:
        self.judged: list[tuple[str, bool]] = []

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        self.judged.append((str(query.action), "the code is 42" in query.temporal.text))
        return CritiqueAnswer(Verdict.ACCEPTED)


@dataclass
class Run:
    """A task from its beginning to its end."""

    judge: Judge = field(default_factory=Judge)
    said: list[Emission] = field(default_factory=list)
    log: DecisionLog = field(default_factory=DecisionLog)

    def agent(self) -> tuple[Binding, ...]:
        """The components, made anew."""
        made = (topics.TASK, topics.SKILL_REQUEST, topics.OBSERVATION, topics.PLAN_REQUEST)
        knowledge = KnowledgeMemoryComponent(
            KnowledgeMemoryConfig(embedder="lexical"), TextRelationRetriever(), TextRelationAggregator()
        )
        return (
            Binding(
                "temporal_memory",
                RetrievingMemory(),
                (*made, topics.RECALL_REQUEST),
                (topics.TEMPORAL_BELIEF, topics.ROLE_CALLS),
            ),
            Binding(
                "spatial_memory",
                knowledge,
                (topics.OBSERVATION, topics.TEMPORAL_BELIEF),
                (topics.SPATIAL_BELIEF, topics.ROLE_CALLS),
            ),
            Binding(
                "planner",
                Planner.of_plans(PlannerConfig(), Burglar()),
                (topics.PLAN_REQUEST, *topics.BELIEFS),
                (topics.PLAN, topics.ROLE_CALLS),
            ),
            Binding(
                "critic",
                Critic(CriticConfig(), self.judge),
                (topics.ACTION_PROPOSAL, *topics.BELIEFS),
                (topics.CRITIQUE, topics.ROLE_CALLS),
            ),
            Binding(
                "executor",
                Executor(TextExecutorConfig(), RetrievingGrounding(earlier_steps)),
                (
                    topics.TASK,
                    topics.SKILLS,
                    topics.OBSERVATION,
                    topics.OUTCOME,
                    topics.SPATIAL_BELIEF,
                    topics.PLAN,
                    topics.CRITIQUE,
                ),
                (
                    topics.PLAN_REQUEST,
                    topics.ACTION_PROPOSAL,
                    topics.SKILL_REQUEST,
                    topics.RECALL_REQUEST,
                    topics.TASK_RESULT,
                    topics.ALARM,
                ),
            ),
        )

    def play(self, choose: Callable[[int], int] | None = None) -> TaskResult:
        world = Binding("world", Vault(), (topics.SKILL_REQUEST,), (topics.OBSERVATION, topics.OUTCOME))
        taps = (lambda topic, message: self.said.append((topic, message)), self.log)
        runtime = LocalRuntime((*self.agent(), world), taps, choose)
        runtime.publish(
            topics.SKILLS, SkillSet(header=Header(Time(1)), skills=(SkillSchema(name="command"),))
        )
        runtime.publish(topics.TASK, Task(header=Header(Time(1)), task_id="t", text="open the vault"))
        runtime.run()
        (result,) = (message for _, message in self.said if isinstance(message, TaskResult))
        return result

    def of(self, topic: str) -> list[Message]:
        return [message for said, message in self.said if said == topic]


def test_agent_retrieves_a_forgotten_code_without_a_step_of_the_world() -> None:
    run = Run()
    result = run.play()

    assert (result.status, result.commands, result.memory_actions) == (TaskStatus.SUCCEEDED, 2, 1)
    assert [m.step for m in run.of(topics.SKILL_REQUEST) if isinstance(m, SkillRequest)] == [0, 1, 2]
    assert run.judge.judged == [("go east", True), ("retrieve(0)", False), ("enter 42", True)]
    beliefs = [m for m in run.of(topics.SPATIAL_BELIEF) if isinstance(m, SpatialBelief)]
    assert [(belief.step, belief.revision) for belief in beliefs] == [(0, 0), (1, 0), (1, 1), (2, 0)]
    requests = [m for m in run.of(topics.PLAN_REQUEST) if isinstance(m, PlanRequest)]
    assert [(r.step, r.revision, r.belief_revision) for r in requests] == [(0, 0, 0), (1, 0, 0), (1, 1, 1)]


def test_decision_log_holds_the_memory_action_and_counts_it_separately() -> None:
    run = Run()
    run.play()

    (recall,) = (record for record in run.log.records if record["kind"] == topics.RECALL_REQUEST)
    assert (recall["step"], recall["revision"], recall["action"]) == (1, 1, "retrieve(0)")
    end = run.log.records[-1]
    assert (end["commands"], end["memory_actions"]) == (2, 1)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_decisions_do_not_depend_on_the_order_of_delivery(random) -> None:  # type: ignore[no-untyped-def]
    first, other = Run(), Run()
    first.play()
    other.play(random.randrange)

    assert other.log.first_difference(first.log) == ""
    assert other.judge.judged == first.judge.judged


def test_components_publish_the_same_when_their_journalled_inputs_are_replayed() -> None:
    run = Run()
    run.play()
    known = {
        (topic, message_id(message), getattr(message, "revision", 0)): message
        for topic, message in run.said
        if topic != topics.ROLE_CALLS
    }
    taken = [message for message in run.of(topics.JOURNAL) if isinstance(message, JournalEntry)]

    for component in Run().agent():
        inputs = [
            known[line.topic, line.id, line.revision] for line in taken if line.component == component.name
        ]
        names = [line.topic for line in taken if line.component == component.name]
        again = [
            emission
            for topic, message in zip(names, inputs, strict=True)
            for emission in emissions(component, topic, message)
            if emission[0] not in (topics.ROLE_CALLS, topics.ALARM)
        ]
        assert again == [(topic, message) for topic, message in run.said if (topic, message) in again]
        outputs = set(component.outputs) - {topics.ROLE_CALLS, topics.ALARM}
        assert len(again) == sum(topic in outputs for topic, _ in run.said)
