"""Scores the scene graphs of a run against the ground truth, over time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from stma_ros.evaluation.scene_graphs import GraphScore, score_graph
from stma_ros.types.message import Message
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.truth import GroundTruth

_MAX_TRUTHS = 16


@dataclass(frozen=True)
class GraphStep:
    """The score of one graph. time_ns: log time of the graph; identity_switches: objects with another id than in the
    graph before."""

    time_ns: int
    task_id: str
    step: int
    score: GraphScore
    identity_switches: int

    @property
    def position_error(self) -> float | None:
        """The median over the matched objects [m]; None where none is matched."""
        errors = self.score.position_errors
        return median(errors) if errors else None


class GraphSeries:
    """Takes the messages of a bag in the order of the recording, and scores each graph as soon as its ground truth is
    known.

    The ground truth is the given one; else the recorded one with the graph's own stamp, or the last one before it,
    since topics are recorded in parallel. Few messages are stored at a time. `graphs`: number of graphs; `last`: the
    last scored one with its ground truth.
    """

    def __init__(self, truth: GroundTruth | None = None) -> None:
        self._given = truth
        self._truths: deque[GroundTruth] = deque(maxlen=_MAX_TRUTHS)
        self._waiting: list[tuple[int, SceneGraph]] = []
        self._steps: list[GraphStep] = []
        self._last: dict[str, str] = {}
        self.last: tuple[SceneGraph, GroundTruth] | None = None
        self.graphs = 0
        self.frame_id = ""  # frame of the graphs

    def take(self, time_ns: int, message: Message) -> None:
        if isinstance(message, GroundTruth) and self._given is None and message.objects:
            self._truths.append(message)
            self._score(until=_stamp(message))
        elif isinstance(message, SceneGraph):
            self.graphs += 1
            self.frame_id = message.header.frame_id
            self._waiting.append((time_ns, message))
            self._score(until=_stamp(self._truths[-1]) if self._truths else -1)

    @property
    def other_frame(self) -> str:
        """The frame of the given truth, where it is stated and differs from the graphs' frame."""
        frame = "" if self._given is None else self._given.header.frame_id
        return frame if self.graphs and frame != self.frame_id else ""

    @property
    def has_truth(self) -> bool:
        return self._given is not None or bool(self._truths)

    def finish(self) -> tuple[GraphStep, ...]:
        """Returns every graph's score, oldest first; empty without a ground truth."""
        if self.has_truth:
            self._score(until=None)
        return tuple(self._steps)

    def _score(self, until: int | None) -> None:
        """Scores waiting graphs. until: the stamp up to which ground truths are complete [ns]; None = there are no
        more."""
        while self._waiting:
            time_ns, graph = self._waiting[0]
            if self._given is None and until is not None and _stamp(graph) > until:
                return
            self._waiting.pop(0)
            truth = self._given or self._truth_at(_stamp(graph))
            self.last = graph, truth
            score = score_graph(graph, truth)
            switches = 0
            for node_id, name in score.names.items():
                switches += self._last.get(name, node_id) != node_id
                self._last[name] = node_id
            self._steps.append(GraphStep(time_ns, graph.task_id, graph.step, score, switches))

    def _truth_at(self, stamp: int) -> GroundTruth:
        before: Iterator[GroundTruth] = (truth for truth in reversed(self._truths) if _stamp(truth) <= stamp)
        return next(before, self._truths[0])


def _stamp(message: GroundTruth | SceneGraph) -> int:
    return message.header.stamp.nanoseconds
