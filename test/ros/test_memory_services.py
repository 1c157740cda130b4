"""The services of the spatial memory answer every query, and the memory outlives the process."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rclpy.lifecycle import TransitionCallbackReturn
from std_srvs.srv import Trigger

from stma_ros.ros.conversions import from_msg
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.memory_host import MemoryHost
from stma_ros.srv import AskMemory, ForgetObjects, LastSeen
from stma_ros.types import topics
from stma_ros.types.errors import ErrorCode
from stma_ros.types.remembering import MemoryAnswer, ObjectQueryResult
from support.environment import python_environment
from support.ros.echo_memory import REMEMBERER, REMEMBERERS, Rememberer
from support.ros.waiting import PATIENCE, eventually


@pytest.fixture
def memory(ros, tmp_path):
    Rememberer.entered = threading.Event()
    node = ros.add(MemoryHost, REMEMBERER, host__bridge="", memory_dir=str(tmp_path))
    ros.up(node)
    return node


def last_seen(ros, description, limit=0):
    response = ros.ask(
        LastSeen, "spatial_memory/last_seen", LastSeen.Request(description=description, limit=limit)
    )
    return from_msg(response.answer, ObjectQueryResult)


def ask(ros, question):
    response = ros.ask(AskMemory, "spatial_memory/ask", AskMemory.Request(question=question))
    return from_msg(response.answer, MemoryAnswer)


def save(ros):
    return ros.ask(Trigger, "spatial_memory/save", Trigger.Request())


def forget(ros, subject):
    return ros.ask(ForgetObjects, "spatial_memory/forget", ForgetObjects.Request(subject=subject))


def test_memory_service_answers_and_publishes_query_and_result(ros, memory):
    queries, answers = ros.listen(topics.OBJECT_QUERY), ros.listen(topics.OBJECT_QUERY_RESULT)
    answer = last_seen(ros, "my keys", 3)
    assert answer.text == "my keys 3"
    eventually(lambda: queries and answers)
    assert answers == [answer]
    assert [(query.description, query.request_id) for query in queries] == [("my keys", answer.request_id)]


def test_ask_service_answers_and_publishes_question_and_answer(ros, memory):
    questions, answers = ros.listen(topics.MEMORY_QUESTION), ros.listen(topics.MEMORY_ANSWER)
    answer = ask(ros, "Is there milk?")
    assert answer.answer == "Is there milk?"
    eventually(lambda: questions and answers)
    assert answers == [answer]
    assert [each.question for each in questions] == ["Is there milk?"]


def test_ask_service_answers_with_an_error_when_the_component_raises_or_is_inactive(ros, memory):
    assert ask(ros, "trouble").error.code == ErrorCode.NODE_FAILED
    ros.run(memory.trigger_deactivate)
    answer = ask(ros, "Is there milk?")
    assert (answer.error.code, answer.answer) == (ErrorCode.NOT_ACTIVE, "")


def test_save_and_forget_services_report_their_effect(ros, memory):
    saved, forgot = save(ros), forget(ros, "mug")
    assert (saved.success, saved.message) == (True, "save")
    assert (forgot.success, forgot.message, forgot.error.code) == (True, "forget mug", ErrorCode.NONE)


@pytest.fixture
def memories(ros, tmp_path):
    nodes = (
        ros.add(MemoryHost, REMEMBERERS, host__bridge="", memory_dir=str(tmp_path)),
        ros.add(ComponentHost, "visual_memory", REMEMBERERS, host__bridge=""),
    )
    ros.up(*nodes)
    return nodes


def test_forget_service_answers_for_all_memories(ros, memories):
    forgot = forget(ros, "mug")
    assert forgot.success
    assert sorted(forgot.message.split()) == ["and", "forget", "its", "mug", "pictures"]
    assert save(ros).success


def test_forget_service_reports_the_error_of_any_memory(ros, memories):
    forgot = forget(ros, "ghost")
    assert (forgot.success, forgot.error.code) == (False, ErrorCode.MEMORY_NOT_KEPT)
    assert "in all pictures" in forgot.message


def test_forget_service_answers_for_all_memories_after_its_node_has_died(ros, memories, tmp_path):
    """The others know the requests of the first one."""
    forget(ros, "mug")
    ros.remove(memories[0])
    ros.run(memories[1].trigger_deactivate)
    ros.configure(node := ros.add(MemoryHost, REMEMBERERS, host__bridge="", memory_dir=str(tmp_path)))
    ros.activate(node, memories[1])
    assert "its pictures" in forget(ros, "mug").message


def test_memory_services_answer_with_an_error_when_there_is_no_memory_dir(ros):
    ros.up(ros.add(MemoryHost, REMEMBERER, host__bridge=""))
    saved, forgot = save(ros), forget(ros, "mug")
    assert (saved.success, saved.message) == (False, "no memory_dir")
    assert (forgot.success, forgot.error.code) == (False, ErrorCode.MEMORY_NOT_KEPT)


def test_memory_service_answers_with_an_error_when_the_component_raises(ros, memory):
    answer = last_seen(ros, "trouble")
    assert answer.error.code == ErrorCode.NODE_FAILED
    assert "no idea" in answer.error.text
    assert not answer.sightings
    assert last_seen(ros, "mug").text == "mug 0"


def test_an_unusable_memory_is_a_fault_that_is_not_fatal(ros, memory):
    faults = ros.listen(topics.FAULT)
    last_seen(ros, "old news")
    eventually(lambda: faults)
    assert [(fault.fatal, fault.error.code, fault.error.text) for fault in faults] == [
        (False, ErrorCode.MEMORY_VERSION, "old news")
    ]


def test_memory_service_of_an_inactive_node_answers_that_it_is_inactive(ros, memory):
    client = ros.probe.create_client(LastSeen, "spatial_memory/last_seen")
    eventually(client.service_is_ready)
    waiting = client.call_async(LastSeen.Request(description="nothing"))
    assert Rememberer.entered.wait(PATIENCE)
    ros.run(memory.trigger_deactivate)
    assert ros.result(waiting).answer.error.code == ErrorCode.NOT_ACTIVE
    assert last_seen(ros, "mug").error.code == ErrorCode.NOT_ACTIVE
    assert forget(ros, "mug").error.code == ErrorCode.NOT_ACTIVE
    assert "is not active" in save(ros).message


def test_a_new_component_loads_the_memory_that_the_previous_one_saved(ros, memory):
    last_seen(ros, "mug")
    ros.run(memory.trigger_deactivate)
    assert ros.run(memory.trigger_cleanup) == TransitionCallbackReturn.SUCCESS
    ros.up(memory)
    assert last_seen(ros, "keys").text == "mug keys 0"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_memory_is_saved_when_the_process_is_terminated(ros, tmp_path, number):
    arguments = ["-r", f"__ns:={ros.namespace}", "-p", "host.bridge:=''", "-p", f"memory_dir:={tmp_path}"]
    # A test run in the background may have inherited that SIGINT is ignored.
    with subprocess.Popen(
        [sys.executable, "-m", "support.ros.echo_memory", "--ros-args", *arguments],
        env=python_environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        try:
            for transition in (Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE):
                request = ChangeState.Request(transition=Transition(id=transition))
                eventually(lambda r=request: ros.ask(ChangeState, "spatial_memory/change_state", r).success)
            assert last_seen(ros, "mug").text == "mug 0"
            process.send_signal(number)
            process.wait(PATIENCE)
        finally:
            process.kill()
    assert (tmp_path / "asked.txt").read_text() == "mug"
