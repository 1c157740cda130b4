from __future__ import annotations

from stma_ros.evaluation.critic_score import PRECISION, RECALL, critic_shares
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.planning import Action, ActionProposal, Critique, Plan, Verdict
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall

GO, EAT = Action("command", ("go north",)), Action("command", ("eat meal",))


class Episode:
    """Feeds an episode trace with one judged action per step."""

    def __init__(self) -> None:
        self.witness = EpisodeTrace()

    def judged(
        self,
        verdict: Verdict,
        action: Action = GO,
        *,
        planned: str = "",
        detail: str = "",
        believed: str = "",
        error: str = "",
    ) -> None:
        step = len(self.witness.proposals)
        if believed:
            self.say(
                topics.ROLE_CALLS,
                RoleCall(
                    at=StepStamp(task_id="t", step=step),
                    role=RELATION_RETRIEVER.name,
                    fault=believed,
                    error=error,
                ),
            )
        call = RoleCall(
            at=StepStamp(task_id="t", step=step),
            role=PLANNER.name,
            fault=planned,
            fault_detail=detail or str(action),
        )
        self.say(topics.ROLE_CALLS, call)
        plan = Plan(at=StepStamp(task_id="t", step=step))
        proposal = ActionProposal(
            at=StepStamp(task_id="t", step=step),
            action=action,
            derived_from=(message_ref(topics.PLAN, plan),),
        )
        self.say(topics.ACTION_PROPOSAL, proposal)
        self.say(topics.ROLE_CALLS, RoleCall(at=StepStamp(task_id="t", step=step), role=CRITIC.name))
        self.say(topics.CRITIQUE, Critique(at=StepStamp(task_id="t", step=step), verdict=verdict))

    def say(self, topic: str, message: RoleCall | ActionProposal | Critique) -> None:
        self.witness(topic, message)

    @property
    def shares(self) -> dict[str, tuple[int, int]]:
        return critic_shares(self.witness)


def test_critic_score_counts_rejections_of_corrupted_and_of_sound_actions() -> None:
    episode = Episode()
    episode.judged(Verdict.REJECTED, planned="wrong")
    episode.judged(Verdict.ACCEPTED, planned="wrong")
    episode.judged(Verdict.REJECTED, planned="disallowed")
    episode.judged(Verdict.REJECTED)
    episode.judged(Verdict.ACCEPTED)

    assert episode.shares == {
        PRECISION: (2, 3),
        RECALL: (2, 3),
        f"{PRECISION}_disallowed": (1, 2),
        f"{PRECISION}_wrong": (1, 2),
        f"{RECALL}_disallowed": (1, 1),
        f"{RECALL}_wrong": (1, 2),
    }


def test_a_corrupted_belief_taints_the_sound_action_of_its_step() -> None:
    episode = Episode()
    episode.judged(Verdict.ACCEPTED, believed="flipped")
    episode.judged(Verdict.REJECTED, planned="wrong", believed="flipped")

    assert episode.shares[f"{RECALL}_flipped"] == (0, 1)
    assert episode.shares[f"{RECALL}_wrong"] == (1, 1)


def test_a_rejected_outdated_summary_does_not_taint_the_action_of_its_step() -> None:
    episode = Episode()
    episode.judged(Verdict.REJECTED, planned="wrong")
    episode.judged(Verdict.ACCEPTED, believed="outdated", error="it says nothing of what was done since")
    episode.judged(Verdict.ACCEPTED, believed="flipped", error="one of the facts was left out")
    assert episode.shares[RECALL] == (1, 2)
    assert f"{RECALL}_outdated" not in episode.shares


def test_only_the_inserted_action_of_a_wrong_plan_counts_as_corrupted() -> None:
    episode = Episode()
    episode.judged(Verdict.REJECTED, planned="wrong")
    episode.judged(Verdict.ACCEPTED, GO, planned="wrong", detail=str(EAT))

    assert episode.shares[RECALL] == (1, 1)


def test_every_action_of_an_outdated_plan_counts_as_corrupted() -> None:
    episode = Episode()
    episode.judged(Verdict.REJECTED, GO, planned="outdated")
    episode.judged(Verdict.ACCEPTED, EAT, planned="outdated", detail=str(GO))

    assert episode.shares[f"{RECALL}_outdated"] == (1, 2)


def test_a_critique_without_an_answer_is_not_counted() -> None:
    episode = Episode()
    episode.judged(Verdict.UNKNOWN, planned="wrong")

    assert episode.shares == {PRECISION: (0, 0), RECALL: (0, 0)}


def test_critic_score_is_empty_without_faults_or_without_a_critic() -> None:
    sound = Episode()
    sound.judged(Verdict.REJECTED)
    assert sound.shares == {}

    alone = EpisodeTrace()
    alone(topics.ROLE_CALLS, RoleCall(role=PLANNER.name, fault="wrong"))
    assert critic_shares(alone) == {}
