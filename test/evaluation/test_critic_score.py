from __future__ import annotations

from stma_ros.evaluation.critic_score import PRECISION, RECALL, REFUSED_SOUND, critic_shares
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
        fact: str = "",
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
                    fault_detail=fact,
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
        REFUSED_SOUND: (1, 2),
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

    assert episode.shares == {PRECISION: (0, 0), RECALL: (0, 0), REFUSED_SOUND: (0, 0)}


def test_critic_score_is_that_of_sound_actions_without_faults_and_empty_without_a_critic() -> None:
    sound = Episode()
    sound.judged(Verdict.REJECTED)
    assert sound.shares == {REFUSED_SOUND: (1, 1)}

    alone = EpisodeTrace()
    alone(topics.ROLE_CALLS, RoleCall(role=PLANNER.name, fault="wrong"))
    assert critic_shares(alone) == {}


PICK, GO_ON, FINISH = Action("pick", ("mug_1",)), Action("navigate", ("table_1",)), Action("finish")
LEAVE = Action("navigate", ("door_1",))


def test_a_wrong_fact_about_one_thing_taints_only_the_actions_that_rely_on_it() -> None:
    episode = Episode()
    fact = "mug_1 on table_1, not in sink_1"
    episode.judged(Verdict.ACCEPTED, FINISH, believed="stale", fact=fact)  # the thing was not handled yet
    episode.judged(Verdict.ACCEPTED, LEAVE, believed="stale", fact=fact)
    episode.judged(Verdict.REJECTED, PICK, believed="stale", fact=fact)
    episode.judged(Verdict.ACCEPTED, FINISH, believed="stale", fact=fact)

    assert episode.shares[f"{RECALL}_stale"] == (1, 2)
    assert episode.shares[RECALL] == (1, 2)


def test_refusals_of_sound_actions_are_counted_where_no_plan_and_no_belief_is_corrupted() -> None:
    episode = Episode()
    fact = "mug_1 on table_1, not in sink_1"
    episode.judged(Verdict.REJECTED, LEAVE, believed="stale", fact=fact)
    episode.judged(Verdict.REJECTED, LEAVE, planned="wrong", detail="pick(mug_1)")  # the rest of such a plan
    episode.judged(Verdict.ACCEPTED, LEAVE)

    assert episode.shares[REFUSED_SOUND] == (0, 1)


def test_a_wrong_fact_about_what_is_in_the_hand_taints_every_action_but_a_look_around() -> None:
    episode = Episode()
    fact = "mug_1 held by robot, not in sink_1"
    episode.judged(Verdict.REJECTED, GO_ON, believed="stale", fact=fact)
    episode.judged(Verdict.ACCEPTED, Action("look_around"), believed="stale", fact=fact)

    assert episode.shares[RECALL] == (1, 1)


def test_a_wrong_place_taints_the_drive_there() -> None:
    episode = Episode()
    episode.judged(Verdict.REJECTED, GO_ON, believed="contradicted", fact="mug_1 on table_1, not in sink_1")

    assert episode.shares[f"{RECALL}_contradicted"] == (1, 1)


def test_a_wrong_name_taints_the_end_of_the_task() -> None:
    episode = Episode()
    episode.judged(Verdict.REJECTED, FINISH, believed="mislabelled", fact="jug_1 is a mug, not is a jug")

    assert episode.shares[f"{RECALL}_mislabelled"] == (1, 1)
