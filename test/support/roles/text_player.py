"""An agent of roles alone in a text home: planner and critic, with beliefs of the memory roles over the whole
history."""

from __future__ import annotations

from dataclasses import replace

from stma_ros.domains.cooking.critic import TextCritic
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.planning import Action, Outcome, Result, Verdict
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Pose, Time
from stma_ros.types.stepped import StepStamp
from support.roles.scripted_text_home import TextHome

TASK = "Check the cookbook in the kitchen for the recipe, then cook and eat the meal."
GIVE_UP = Action(words.SKILL_GIVE_UP)


def command(text: str) -> Action:
    return Action(words.SKILL_COMMAND, (text,))


class Player:
    def __init__(self, home: TextHome, planner: TextPlanner | None = None) -> None:
        self.home = home
        self.planner, self.critic = planner or TextPlanner(), TextCritic()
        self.records: list[Observation] = []
        self.summary = Summary()
        self.graph = KnowledgeGraph()
        self.done: list[str] = []
        self._look("", Outcome())

    @property
    def allowed(self) -> tuple[Action, ...]:
        return (*map(command, self.home.commands), GIVE_UP)

    @property
    def observation(self) -> str:
        now = self.records[-1]
        return "\n".join(filter(None, (now.feedback, now.description, now.inventory)))

    @property
    def temporal(self) -> TemporalBelief:
        now, summary = self.records[-1], self.summary
        return TemporalBelief(
            at=StepStamp(header=now.header, task_id="t", step=now.step, revision=0),
            active_goals=summary.active_goals,
            completed=summary.completed,
            observations=summary.observations,
            instructions=summary.instructions,
            progress=summary.progress,
            suggestions=summary.suggestions,
            text=summary.text,
        )

    @property
    def spatial(self) -> SpatialBelief:
        now, facts = self.records[-1], self.graph.facts
        room = next((f.object for f in facts if (f.subject, f.predicate) == (words.ROBOT, words.IN)), "")
        aggregated = TextRelationAggregator().answer(AggregateQuery(room, facts, ()))
        return SpatialBelief(
            at=StepStamp(header=now.header, task_id="t", step=now.step, revision=0),
            robot=Pose.none(),
            room=room,
            facts=(*facts, *aggregated.facts),
            routes=aggregated.routes,
            text=aggregated.text,
        )

    def plan(self, *rejected: str) -> PlanAnswer:
        query = PlanQuery(
            TASK,
            self.temporal,
            self.spatial,
            self.allowed,
            rejected=tuple(map(command, rejected)),
            observation=self.observation,
        )
        return self.planner.answer(query)

    def commands(self, *rejected: str) -> list[str]:
        """Returns the plan as text commands."""
        return list(map(str, self.plan(*rejected).actions))

    def judge(self, action: Action | str, subgoal: str = "") -> CritiqueAnswer:
        asked = command(action) if isinstance(action, str) else action
        query = CritiqueQuery(
            TASK, subgoal, asked, self.allowed, self.temporal, self.spatial, self.observation
        )
        return self.critic.answer(query)

    def do(self, *texts: str) -> Player:
        for text in texts:
            feedback = self.home.do(text)
            self.done.append(text)
            step = len(self.records)
            stamp = Header(Time(step))
            self._look(
                feedback,
                Outcome(
                    header=stamp,
                    request_id=f"t/{step}",
                    task_id="t",
                    step=step,
                    action=command(text),
                    result=Result.SUCCEEDED,
                ),
            )
        return self

    def play(self, most: int = 60) -> list[CritiqueAnswer]:
        """Follows the plans to the end and returns the rejected commands.

        Each command is executed once the critic has accepted it. A plan is dropped when its next command was rejected
        or
        is no longer possible.
        """
        refused: list[CritiqueAnswer] = []
        plan: list[str] = []
        subgoal = ""
        rejected: list[str] = []
        while not (self.home.won or self.home.lost) and len(self.done) < most:
            if not plan or plan[0] not in self.home.commands:
                answer = self.plan(*rejected)
                if answer.actions == (GIVE_UP,) or len(rejected) > len(self.home.commands):
                    break
                plan, subgoal = list(map(str, answer.actions)), answer.subgoal
            verdict = self.judge(plan[0], subgoal)
            if verdict.verdict == Verdict.REJECTED:
                refused.append(verdict)
                rejected.append(plan[0])
                plan = []
                continue
            rejected = []
            self.do(plan.pop(0))
        return refused

    def _look(self, feedback: str, outcome: Outcome) -> None:
        step = len(self.records)
        record = Observation(
            header=Header(Time(step)),
            task_id="t",
            step=step,
            last_outcome=outcome,
            feedback=feedback,
            description=self.home.description,
            inventory=self.home.inventory,
            admissible_commands=self.home.commands,
        )
        self.records.append(record)
        query = SummariseQuery(TASK, self.summary, tuple(self.records), 1)
        self.summary = TextSummariser().answer(query)
        relations = TextRelationRetriever().answer(RelationQuery(self.temporal))
        # Step n is at n seconds.
        seen = zip(relations.triples, map(Time, relations.steps), strict=True)
        facts = [replace(fact, first_seen=stamp, last_seen=stamp) for fact, stamp in seen]
        self.graph.update(facts, {room: Time(step) for room, step in relations.complete.items()})
