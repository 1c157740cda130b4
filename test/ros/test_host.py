from __future__ import annotations

import array
import itertools
import threading
from dataclasses import dataclass

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.parameter import Parameter

from stma_ros.agents.registry import AGENTS
from stma_ros.agents.spec import ComponentSpec, plain
from stma_ros.ros import frame_watch, managed_node
from stma_ros.ros.conversions import msg_class
from stma_ros.ros.diagnostics import Health
from stma_ros.ros.host import ComponentHost
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Alarm
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Plan, PlanRequest, SkillSchema, SkillSet
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Header, Image, Odometry, Time
from stma_ros.types.stepped import StepStamp
from support.ros.small_graph import ALONE, PAIR, READERS, SkillReader, Thinker, ThinkerConfig, wired
from support.ros.waiting import eventually


def request(step: int, task: str = "go") -> PlanRequest:
    return PlanRequest(at=StepStamp(task_id="t", step=step), task=task)


def steps(messages) -> list[int]:
    return [message.step for message in messages]


@pytest.fixture
def thinker(ros):
    Thinker.entered, Thinker.proceed = threading.Event(), threading.Event()
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="")
    ros.up(node)
    yield node
    Thinker.proceed.set()


@pytest.fixture
def ask(ros, thinker):
    return ros.publisher(topics.PLAN_REQUEST)


def test_host_handles_messages_in_order_and_journals_them(ros, ask):
    plans, journal = ros.listen(topics.PLAN), ros.listen(topics.JOURNAL)
    for step in range(3):
        ask(request(step))
    eventually(lambda: len(plans) == 3 and len(journal) == 3)
    assert steps(plans) == [0, 1, 2]
    assert [(line.component, line.index, line.topic, line.id) for line in journal] == [
        ("thinker", index, topics.PLAN_REQUEST, f"t/{index}") for index in range(3)
    ]


def test_decisions_reach_late_subscribers(ros, ask):
    journal = ros.listen(topics.JOURNAL)
    ask(request(0))
    eventually(lambda: journal)
    plans = ros.listen(topics.PLAN)
    eventually(lambda: plans)


def test_an_inactive_node_drops_its_inputs(ros, thinker, ask):
    plans = ros.listen(topics.PLAN)
    ros.run(thinker.trigger_deactivate)
    ask(request(0))
    # Each connection preserves its order, so the next answer belongs to a later request.
    eventually(lambda: thinker._gaps._last)
    ros.activate(thinker)
    ask(request(1))
    eventually(lambda: plans)
    assert steps(plans) == [1]


def test_late_output_of_an_earlier_activation_is_dropped(ros, thinker, ask):
    plans = ros.listen(topics.PLAN)
    ask(request(0, "wait"))
    assert Thinker.entered.wait(10)
    ros.run(thinker.trigger_deactivate)
    ros.activate(thinker)
    ask(request(1))
    Thinker.proceed.set()
    eventually(lambda: plans)
    assert steps(plans) == [1]


def test_a_fresh_component_does_not_wait_for_a_stuck_one(ros, thinker, ask):
    plans = ros.listen(topics.PLAN)
    ask(request(0, "wait"))
    assert Thinker.entered.wait(10)
    ros.run(thinker.trigger_deactivate)
    ros.run(thinker.trigger_cleanup)
    ros.up(thinker)
    ros.publisher(topics.PLAN_REQUEST)(request(1))
    eventually(lambda: plans)
    assert steps(plans) == [1]


def test_an_exception_of_a_component_is_a_fatal_fault_and_the_component_goes_on(ros, ask):
    plans, faults = ros.listen(topics.PLAN), ros.listen(topics.FAULT)
    ask(request(0, "raise"))
    ask(request(1))
    eventually(lambda: plans and faults)
    assert steps(plans) == [1]
    fault = faults[0]
    assert (fault.node, fault.fatal, fault.error.code) == ("thinker", True, ErrorCode.NODE_FAILED)
    assert "thought too hard" in fault.error.text
    assert topics.PLAN_REQUEST in fault.error.text


def test_host_does_not_publish_on_a_topic_outside_the_wiring_table(ros, ask):
    faults = ros.listen(topics.FAULT)
    ask(request(0, "stray"))
    eventually(lambda: faults)
    assert "critique" in faults[0].error.text


def test_undecodable_bytes_do_not_end_the_node(ros, ask):
    plans = ros.listen(topics.PLAN)
    ask(b"\x00\x01\x00\x00\xff\xff\xff\xff garbage")
    ask(request(1))
    eventually(lambda: plans)
    assert steps(plans) == [1]


def test_a_message_with_an_invalid_value_is_dropped_with_a_fault(ros):
    node = ros.add(ComponentHost, "reader", READERS, host__bridge="")
    ros.up(node)
    faults = ros.listen(topics.FAULT)
    skills = msg_class(topics.TOPICS[topics.SKILLS].type)()
    skills.skills = [msg_class(SkillSchema)(name="x", arguments=array.array("B", [77]))]
    publish = ros.publisher(topics.SKILLS)
    publish(skills)
    eventually(lambda: faults)
    assert not faults[0].fatal
    assert "77" in faults[0].error.text
    assert SkillReader.seen == []
    skills.skills = []
    publish(skills)
    eventually(lambda: SkillReader.seen)


def test_an_expired_alarm_is_published_and_handled(ros, ask):
    expired, journal = ros.listen(topics.ALARM_EXPIRED), ros.listen(topics.JOURNAL)
    ask(request(0, "alarm"))
    eventually(lambda: expired and len(journal) == 2)
    assert (expired[0].component, expired[0].id, expired[0].waiting_for) == (
        "thinker",
        "wake",
        "nothing at all",
    )
    assert [line.topic for line in journal] == [topics.PLAN_REQUEST, topics.ALARM_EXPIRED]


def test_host_publishes_nothing_before_every_reader_is_connected(ros):
    thinker = ros.add(ComponentHost, "thinker", PAIR, host__bridge="")
    ros.configure(thinker)
    assert ros.run(thinker.trigger_activate) == TransitionCallbackReturn.FAILURE
    assert any("doubter not yet reading plan" in line for line in ros.run(thinker.waiting_for))
    doubter = ros.add(ComponentHost, "doubter", PAIR, host__bridge="")
    ros.configure(doubter)
    ros.activate(thinker, doubter)


@pytest.fixture
def reader(ros):
    """A configured host; its component reads the skills that the probe publishes in place of the bridge."""
    node = ros.add(ComponentHost, "reader", READERS, host__bridge="probe")
    ros.configure(node)
    return node


def test_a_latched_message_received_while_inactive_is_handled_after_activation(ros, reader):
    ros.publisher(topics.SKILLS)(SkillSet(skills=(SkillSchema(name="walk"),)))
    eventually(lambda: reader._gaps._last)
    assert SkillReader.seen == []
    ros.activate(reader)
    eventually(lambda: SkillReader.seen)
    ros.run(reader.trigger_deactivate)
    ros.run(reader.trigger_cleanup)
    ros.up(reader)  # a new component has received nothing yet
    eventually(lambda: SkillReader.seen)
    assert [message.skills[0].name for message in SkillReader.seen] == ["walk"]


def test_a_publisher_with_incompatible_qos_is_named(ros, reader):
    ros.probe.create_publisher(msg_class(SkillSet), topics.SKILLS, 1)
    (missing,) = eventually(lambda: [line for line in ros.run(reader.waiting_for) if "not heard" in line])
    assert "probe publishes skills" in missing
    assert "transient local" in missing


def test_a_gap_in_a_publishers_counter_is_a_fault(ros):
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="")
    ros.up(node)
    faults = ros.listen(topics.FAULT)
    info = {"publication_sequence_number": 1, "publisher_gid": {"data": b"any writer"}}
    msg = msg_class(PlanRequest)()
    ros.run(node._received, topics.PLAN_REQUEST, msg, info)
    ros.run(node._received, topics.PLAN_REQUEST, msg, {**info, "publication_sequence_number": 2})
    ros.run(node._received, topics.PLAN_REQUEST, msg, {**info, "publication_sequence_number": 5})
    eventually(lambda: faults)
    assert (faults[0].fatal, faults[0].error.code) == (True, ErrorCode.MESSAGES_LOST)
    assert "2 message(s) on plan_request" in faults[0].error.text


@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_artificial_delays_keep_the_order_of_each_topic(ros, delay):
    node = ros.add(
        ComponentHost, "thinker", ALONE, host__bridge="", host__delivery_delay=delay, host__delivery_seed=3
    )
    ros.up(node)
    journal = ros.listen(topics.JOURNAL)
    ask, show = ros.publisher(topics.PLAN_REQUEST), ros.publisher(topics.COLOR)
    image = Image.from_array(Header(), np.zeros((2, 2, 3), np.uint8), "rgb8")
    for step in range(20):
        ask(request(step))
        show(image)
    eventually(lambda: len(journal) == 40)
    assert [line.id for line in journal if line.topic == topics.PLAN_REQUEST] == [
        f"t/{step}" for step in range(20)
    ]


def test_diagnostics_show_state_inbox_count_and_latency(ros, thinker, ask):
    heard: list[DiagnosticStatus] = []
    ros.probe.create_subscription(DiagnosticArray, "/diagnostics", lambda msg: heard.extend(msg.status), 10)
    ask(request(0))
    status = eventually(lambda: next((s for s in heard if dict(_values(s)).get("handled") == "1"), None))
    assert (status.name, status.level, status.message) == (
        f"{ros.namespace}/thinker",
        DiagnosticStatus.OK,
        "active",
    )
    assert {"inbox", "handled", "latency p50 [s]", "latency p95 [s]"} == set(dict(_values(status)))


def test_diagnostics_show_no_error_once_its_cause_was_mended_and_the_node_is_active(ros):
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", rate=99.0)
    assert ros.run(node.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert "from 0.5 to 10" in node._health().error
    ros.run(node.set_parameters, [Parameter("rate", value=4.0)])
    ros.up(node)
    assert node._health() == Health("active", values=node.diagnostics())


def test_diagnostics_show_an_error_of_a_running_node_for_a_while(ros, thinker, ask, monkeypatch):
    plans = ros.listen(topics.PLAN)
    ask(request(0, "raise"))
    ask(request(1))
    eventually(lambda: plans)
    assert "thought too hard" in thinker._health().error
    monkeypatch.setattr(managed_node, "SHOWN_FOR", 0.0)
    assert (thinker._health().error, thinker._health().warning) == ("", "")


def test_diagnostics_warn_of_a_node_that_is_not_active(ros, thinker, ask):
    faults = ros.listen(topics.FAULT)
    ask(request(0, "raise"))
    eventually(lambda: faults)
    ros.run(thinker.trigger_deactivate)
    health = thinker._health()
    assert (health.warning, health.error) == ("not active", "")


def _values(status: DiagnosticStatus) -> list[tuple[str, str]]:
    return [(value.key, value.value) for value in status.values]


class Blind:
    """Finds nothing in what it is asked about, for a reason that the question names."""

    def __init__(self, config) -> None:
        pass

    def handle(self, topic, message):
        code = ErrorCode.MODEL_BUDGET if message.task == "enough" else ErrorCode.DETECTOR_FAILED
        yield topics.KEYFRAME_DETECTIONS, KeyframeDetections(error=Error(code, message.task))


BLIND = ComponentSpec(
    "blind",
    lambda: plain(ThinkerConfig, Blind),
    inputs=(topics.PLAN_REQUEST,),
    outputs=(topics.KEYFRAME_DETECTIONS,),
)


def test_diagnostics_warn_of_frames_that_cannot_be_used(ros):
    heard: list[DiagnosticStatus] = []
    ros.probe.create_subscription(DiagnosticArray, "/diagnostics", lambda msg: heard.extend(msg.status), 10)
    ros.up(ros.add(ComponentHost, "blind", wired(BLIND), host__bridge=""))
    found = ros.listen(topics.KEYFRAME_DETECTIONS)
    ask = ros.publisher(topics.PLAN_REQUEST)
    ask(request(0, "enough"))
    eventually(lambda: found)
    heard.clear()
    assert eventually(lambda: heard)[0].level == DiagnosticStatus.OK
    ask(request(1, "a lens cap"))
    warned = eventually(lambda: next((s for s in heard if s.level == DiagnosticStatus.WARN), None))
    assert warned.message == "a lens cap"


def test_images_do_not_pile_up_before_a_component_that_is_slower_than_the_camera(ros):
    Thinker.entered, Thinker.proceed = threading.Event(), threading.Event()
    limit = {"host__lock_step": False, "host__image_backlog": 1}  # MB
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", **limit)
    ros.up(node)
    heard: list[DiagnosticStatus] = []
    ros.probe.create_subscription(DiagnosticArray, "/diagnostics", lambda msg: heard.extend(msg.status), 10)
    journal, ask, show = (
        ros.listen(topics.JOURNAL),
        ros.publisher(topics.PLAN_REQUEST),
        ros.publisher(topics.COLOR),
    )
    ask(request(0, "wait"))
    eventually(Thinker.entered.is_set)
    for second in range(10):
        show(Image.from_array(Header(Time(second + 1)), np.zeros((400, 400, 3), np.uint8), "rgb8"))
    warned = eventually(lambda: next((s for s in heard if s.level == DiagnosticStatus.WARN), None))
    assert "camera frames were dropped, as thinker is slower than the camera" in warned.message
    Thinker.proceed.set()
    ask(request(1))
    eventually(lambda: any(line.id == "t/1" for line in journal))
    assert sum(line.topic == topics.COLOR for line in journal) == 3  # 480 kB each


@dataclass(frozen=True)
class SeerConfig(ThinkerConfig):
    def uses(self, part: str) -> bool:
        return True


SEER = ComponentSpec(
    "seer",
    lambda: plain(SeerConfig, Blind),
    inputs=(topics.PLAN_REQUEST,),
    outputs=(topics.KEYFRAME_DETECTIONS,),
    frame=(topics.ODOMETRY, topics.LOCALIZATION),
)


def test_diagnostics_count_late_parts_of_frames_and_warn_of_them(ros, monkeypatch):
    monkeypatch.setattr(frame_watch, "PATIENCE", 0.5)
    heard: list[DiagnosticStatus] = []
    ros.probe.create_subscription(DiagnosticArray, "/diagnostics", lambda msg: heard.extend(msg.status), 10)
    ros.up(ros.add(ComponentHost, "seer", wired(SEER), host__bridge=""))
    drive = ros.publisher(topics.ODOMETRY)
    stamps = itertools.chain([100], itertools.count(1))

    def warned() -> DiagnosticStatus | None:
        drive(Odometry(Header(Time(next(stamps)))))
        return next((each for each in heard if "no camera frame was complete" in each.message), None)

    status = eventually(warned)
    assert status.level == DiagnosticStatus.WARN
    assert {"frames", "late parts of frames", "lost frames"} < set(dict(_values(status)))


# -- alarms by the stamps of frames


class Ticker:
    """Publishes a plan at each alarm and requests the next one; in between it waits for `proceed`."""

    entered = threading.Event()
    proceed = threading.Event()

    def __init__(self, config) -> None:
        self.waits = True

    def handle(self, topic, message):
        yield topics.PLAN, Plan(at=StepStamp(header=message.header))
        if self.waits:
            self.waits = False
            Ticker.entered.set()
            Ticker.proceed.wait()
        due = Time(message.header.stamp.sec + 1)
        yield topics.ALARM, Alarm(header=message.header, component="ticker", id="tick", due=due)


TICKER = ComponentSpec(
    "ticker",
    lambda: plain(ThinkerConfig, Ticker),
    inputs=(topics.ALARM_EXPIRED,),
    outputs=(topics.PLAN, topics.ALARM),
    clock=topics.ODOMETRY,
)


def test_alarms_continue_after_a_deactivation_while_one_is_handled(ros):
    Ticker.entered.clear()
    Ticker.proceed.clear()
    node = ros.add(ComponentHost, "ticker", wired(TICKER), host__bridge="")
    ros.up(node)
    plans = ros.listen(topics.PLAN)
    drive = ros.publisher(topics.ODOMETRY)
    drive(Odometry(Header(Time(1))))
    assert Ticker.entered.wait(10)
    ros.run(node.trigger_deactivate)
    Ticker.proceed.set()  # its output is dropped now, and the next alarm with it
    eventually(lambda: node._worker.handled == 1)
    ros.activate(node)
    for second in (5, 6, 7):
        drive(Odometry(Header(Time(second))))
    eventually(lambda: len(plans) == 4)
    assert [plan.header.stamp.sec for plan in plans] == [1, 5, 6, 7]


# -- parameters


def test_host_parameters_are_described_with_unit_and_range(thinker):
    descriptor = thinker.describe_parameter("rate")
    assert descriptor.description == "how fast it thinks [Hz]"
    assert (descriptor.floating_point_range[0].from_value, descriptor.floating_point_range[0].to_value) == (
        0.5,
        10.0,
    )
    assert thinker.describe_parameter("mood").additional_constraints == "one of: calm, wild"


def test_host_parameters_reach_the_component(ros):
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", rate=3, mood="wild")
    ros.configure(node)
    assert (node.get_parameter("rate").value, node.get_parameter("mood").value) == (3.0, "wild")


@pytest.mark.parametrize(
    ("parameters", "cause"),
    [
        ({"rate": 99.0}, "from 0.5 to 10"),
        ({"rate": "fast"}, "wants float"),
        ({"mood": "sad"}, "calm, wild"),
        ({"rat": 1.0}, "Did you mean 'rate'?"),
    ],
)
def test_an_invalid_parameter_fails_the_configuration_with_its_name(ros, parameters, cause):
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", **parameters)
    assert ros.run(node.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert cause in node._last_error
    assert next(iter(parameters)) in node._last_error


@pytest.mark.parametrize(
    ("parameters", "cause"),
    [
        ({"host__agent": "clerk"}, "there is no agent 'clerk'"),
        ({"host__wiring": "sound"}, "has no wiring 'sound'"),
        ({"host__domain": "office"}, "there is no domain 'office'. There are: household"),
        ({"host__senses": "camera"}, "It is called host.agent, host.wiring and host.domain now"),
        ({"host__unrecorded": "plan"}, "It is called host.excluded_topics now"),
    ],
)
def test_host_of_an_unknown_agent_refuses_to_be_configured(ros, parameters, cause):
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", **parameters)
    assert ros.run(node.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert cause in node._last_error


def test_host_of_a_component_that_its_agent_lacks_refuses_to_be_configured(ros):
    text = {"host__wiring": "text", "host__domain": "cooking"}
    node = ros.add(ComponentHost, "perception", AGENTS, host__bridge="", **text)
    assert ros.run(node.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert "the agent 'full' has no component 'perception' in its wiring 'text'" in node._last_error


def test_perception_with_a_network_that_is_none_says_so_in_its_diagnostics_and_recovers(ros, tmp_path):
    pytest.importorskip("onnxruntime")
    heard: list[DiagnosticStatus] = []
    ros.probe.create_subscription(DiagnosticArray, "/diagnostics", lambda msg: heard.extend(msg.status), 10)
    (tmp_path / "mine.onnx").write_bytes(b"weights")
    about = "network: mine.onnx\ninput: {name: images, size: [32, 32]}\noutputs: {kind: class_map, logits: classes}\n"
    (tmp_path / "mine.yaml").write_text(f"{about}labels: [none, mug]\n", encoding="utf-8")
    mine = {"source": "network", "network": str(tmp_path / "mine.yaml")}
    node = ros.add(ComponentHost, "perception", AGENTS, host__bridge="", **mine)
    assert ros.run(node.trigger_configure) == TransitionCallbackReturn.FAILURE
    failed = eventually(lambda: next((s for s in heard if s.level == DiagnosticStatus.ERROR), None))
    assert f"{tmp_path / 'mine.onnx'} is no ONNX network" in failed.message
    ros.run(node.set_parameters, [Parameter("source", value="segmentation")])
    ros.configure(node)


def test_a_refused_parameter_can_be_corrected(ros):
    node = ros.add(ComponentHost, "thinker", ALONE, host__bridge="", rate=99.0)
    assert ros.run(node.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert ros.run(node.set_parameters, [Parameter("rate", value=4.0)])[0].successful
    ros.up(node)


def test_a_parameter_change_is_refused_while_configured_or_out_of_range(ros, thinker):
    (result,) = ros.run(thinker.set_parameters, [Parameter("rate", value=4.0)])
    assert not result.successful
    assert "clean the node up first" in result.reason
    ros.run(thinker.trigger_deactivate)
    ros.run(thinker.trigger_cleanup)
    (result,) = ros.run(thinker.set_parameters, [Parameter("rate", value=40.0)])
    assert not result.successful
    (result,) = ros.run(thinker.set_parameters, [Parameter("rate", value=4.0)])
    assert result.successful
