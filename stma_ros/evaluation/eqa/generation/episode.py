"""Records of question episodes: what the agent gets, and the truth for the scorer, apart from each other."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from stma_ros.worlds.robot.geometry import Placement


class Category(str, enum.Enum):
    """Kinds of questions. The first seven are those of OpenEQA, the next two come from EXPRESS-Bench."""

    OBJECT_RECOGNITION = "object recognition"
    ATTRIBUTE_RECOGNITION = "attribute recognition"
    OBJECT_STATE = "object state recognition"
    OBJECT_LOCALIZATION = "object localization"
    SPATIAL_UNDERSTANDING = "spatial understanding"
    FUNCTIONAL_REASONING = "functional reasoning"
    WORLD_KNOWLEDGE = "world knowledge"
    EXISTENCE = "existence"
    COUNTING = "counting"
    FALSE_PREMISE = "false premise"


class PlanKind(str, enum.Enum):
    """The oracle's plan that `QuestionTruth.path_length` measures."""

    POSE = "pose"  # the shortest path to a pose from which one picture shows the evidence
    TOUR = "tour"  # the shortest tour that was found that sees every place that matters


@dataclass(frozen=True)
class Sight:
    """Something that has to be seen: the things of one of the alternatives, together in one picture.

    Attributes:
        alternatives: the world's names of things.
        from_front: whether only a near view of their fronts tells it, as of a state.
    """

    alternatives: tuple[tuple[str, ...], ...]
    from_front: bool = False

    @classmethod
    def of(cls, *names: str, from_front: bool = False) -> Sight:
        """Returns the sight of all these things together."""
        return cls((names,), from_front)

    @classmethod
    def any_of(cls, names: tuple[str, ...]) -> Sight:
        """Returns the sight of at least one of these things."""
        return cls(tuple((name,) for name in names))


@dataclass(frozen=True)
class QuestionTask:
    """All that the world and the agent get: `World.reset(scene, seed)`, then `text`."""

    scene: str
    seed: int
    text: str


@dataclass(frozen=True)
class QuestionTruth:
    """What only the scorer knows. Names and poses are the world's own, in the frame of the home.

    Attributes:
        category: kind of the question.
        template: name of the template; questions that sound alike have the same one.
        answer: the right answer.
        extra_answers: further right answers.
        evidence: what shows that the answer is right, all of it.
        evidence_ids: names of the things in the evidence; for an absence, of all the furniture where it could be.
        plan: kind of the oracle's plan.
        path_length: its length from the start [m].
        goal: pose at its end.
        start: initial pose of the robot, which follows from scene and seed.
    """

    category: Category
    template: str
    answer: str
    extra_answers: tuple[str, ...]
    evidence: tuple[Sight, ...]
    evidence_ids: tuple[str, ...]
    plan: PlanKind
    path_length: float
    goal: Placement
    start: Placement


@dataclass(frozen=True)
class QuestionEpisode:
    """One question in one flat. `task` may be sent to an agent; `truth` must not.

    Attributes:
        id: name of the episode.
        flat_seed: seed of the flat.
    """

    id: str
    flat_seed: int
    task: QuestionTask
    truth: QuestionTruth
