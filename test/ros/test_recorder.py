from __future__ import annotations

from typing import Any

import pytest
from conftest import eventually
from rclpy.lifecycle import TransitionCallbackReturn
from small_graph import ALONE

from stma_ros.nodes.recorder import open_bag
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.recorder import Recorder
from stma_ros.storage.bag_reader import is_finished, read_bag
from stma_ros.types import topics
from stma_ros.types.planning import PlanRequest


@pytest.fixture
def graph(ros, tmp_path):
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(tmp_path / "bag"), bridge="")
    thinker = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", host__recorder="recorder")
    ros.up(recorder, thinker)
    return recorder, thinker


def ask(ros, steps: range) -> list[Any]:
    """Has the component answer, and returns its answers."""
    plans = ros.listen(topics.PLAN)
    publish = ros.publisher(topics.PLAN_REQUEST, readers=2)
    for step in steps:
        publish(PlanRequest(task_id="t", step=step, task="go"))
    eventually(lambda: len(plans) == len(steps))
    return plans


def test_everything_is_in_the_bag_in_order_and_unchanged(ros, graph, tmp_path):
    recorder, _ = graph
    plans = ask(ros, range(50))
    eventually(lambda: int(recorder.diagnostics()["written"]) >= 150)
    ros.run(recorder.trigger_deactivate)
    ros.run(recorder.trigger_cleanup)
    eventually(lambda: is_finished(tmp_path / "bag"))
    recorded = list(read_bag(tmp_path / "bag", ros.namespace))
    assert [entry.message for entry in recorded if entry.topic == topics.PLAN] == plans
    assert [entry.topic for entry in recorded].count(topics.JOURNAL) == 50


def test_what_was_recorded_can_be_read_while_the_recorder_lives(ros, graph, tmp_path):
    """And so it can when it is killed: it has handed everything over by then."""
    ask(ros, range(5))
    eventually(
        lambda: [entry.topic for entry in read_bag(tmp_path / "bag", ros.namespace)].count(topics.PLAN) == 5
    )


def test_a_reset_starts_another_bag_and_keeps_the_first(ros, graph, tmp_path):
    recorder, thinker = graph
    ask(ros, range(3))
    for node in (thinker, recorder):
        ros.run(node.trigger_deactivate)
        ros.run(node.trigger_cleanup)
    ros.up(recorder, thinker)
    eventually(lambda: is_finished(tmp_path / "bag"))
    assert [entry.topic for entry in read_bag(tmp_path / "bag", ros.namespace)].count(topics.PLAN) == 3
    assert (tmp_path / "bag_1" / "run.mcap").is_file()


@pytest.mark.parametrize("path", ["", "bag"])
def test_a_folder_that_cannot_be_used_fails_the_configuration(ros, tmp_path, path):
    (tmp_path / "bag").mkdir()
    (tmp_path / "bag" / "run.mcap").touch()
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(tmp_path / path) if path else "", bridge="")
    assert ros.run(recorder.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert ("holds a bag already" if path else "needs the parameter path") in recorder._last_error


def test_a_gap_is_reported_but_for_the_clock_of_which_only_the_newest_counts(ros, tmp_path):
    recorder = ros.add(Recorder, open_bag, ALONE, path=str(tmp_path / "bag"), bridge="body")
    assert ros.run(recorder.trigger_configure) == TransitionCallbackReturn.SUCCESS
    for topic in (topics.CLOCK, topics.OBSERVATION):
        assert topic in recorder._inputs
        for number in (1, 5):
            info = {
                "publication_sequence_number": number,
                "publisher_gid": {"data": topic.encode()},
                "source_timestamp": 0,
            }
            ros.run(recorder._received, recorder._writer, recorder.resolve_topic_name(topic), b"", info)
        assert ("3 message(s)" in recorder._last_error) == (topic != topics.CLOCK)
