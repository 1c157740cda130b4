"""The pool of pending inputs, compared with plain lists."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.replay.input_pool import InputPool
from stma_ros.replay.recorded_message import Pending
from stma_ros.storage.bag.reader import RawMessage
from stma_ros.storage.cdr import from_cdr, to_cdr
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.standard import Header, Odometry, Time
from stma_ros.types.stepped import StepStamp

READERS = {topics.ODOMETRY: frozenset({"a", "b"}), topics.TEMPORAL_BELIEF: frozenset({"b"})}


def odometry(stamp: int) -> Pending:
    message = Odometry(Header(Time.from_nanoseconds(stamp)), child_frame_id=f"frame_{stamp}")
    raw = RawMessage("/odom", Odometry.ROS_TYPE, stamp, to_cdr(message))
    return Pending(topics.ODOMETRY, raw, lambda each: from_cdr(each.data, Odometry))


def test_pool_identifies_images_by_stamp_and_beliefs_by_step():
    belief = TemporalBelief(at=StepStamp(task_id="t", step=3, revision=2))
    raw = RawMessage("/temporal_belief", belief.ROS_TYPE, 5, to_cdr(belief))
    pending = Pending(topics.TEMPORAL_BELIEF, raw, lambda each: from_cdr(each.data, TemporalBelief))
    assert pending.key == (topics.TEMPORAL_BELIEF, "t/3", 2)
    assert odometry(7_000_000_001).key == (topics.ODOMETRY, "7000000001", 0)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 5), max_size=30),
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 5)), max_size=60),
    st.integers(0, 2000),
)
def test_each_reader_gets_each_message_once_and_in_order_for_any_memory_budget(stamps, asked, budget):
    pool = InputPool(READERS, budget)
    waiting: dict[str, list[int]] = {"a": [], "b": []}
    for stamp in stamps:
        assert pool.put(odometry(stamp)) == {"a", "b"}
        waiting["a"].append(stamp)
        waiting["b"].append(stamp)
    for reader, stamp in asked:
        taken = pool.take(reader, [(topics.ODOMETRY, str(stamp), 0)])
        if stamp in waiting[reader]:
            waiting[reader].remove(stamp)
            assert taken is not None
            assert taken[0].message.child_frame_id == f"frame_{stamp}"
        else:
            assert taken is None
    pool.close()


def test_pool_drops_messages_that_a_reader_has_passed_long_ago():
    """An inactive reader never takes its messages, and the memory use of the pool must not grow with the bag."""
    pool = InputPool(READERS)
    for stamp in range(200):
        pool.put(odometry(stamp))
        pool.take("a", [(topics.ODOMETRY, str(stamp), 0)])
    assert pool.take("b", [(topics.ODOMETRY, "199", 0)]) is not None
    assert pool.take("b", [(topics.ODOMETRY, "5", 0)]) is None
    assert pool.take("b", [(topics.ODOMETRY, "190", 0)]) is not None
    pool.close()


def test_pool_does_not_hold_a_message_without_readers():
    pool = InputPool({})
    assert pool.put(odometry(1)) == frozenset()
    assert pool.take("a", [(topics.ODOMETRY, "1", 0)]) is None
    pool.close()


def test_pool_holds_no_messages_for_a_removed_reader():
    pool = InputPool(READERS, budget=500)
    for stamp in range(20):
        pool.put(odometry(stamp))
        pool.take("a", [(topics.ODOMETRY, str(stamp), 0)])
    pool.forget("b")
    assert pool.take("b", [(topics.ODOMETRY, "19", 0)]) is None
    assert pool.put(odometry(20)) == {"a"}
    taken = pool.take("a", [(topics.ODOMETRY, "20", 0)])
    assert taken is not None
    assert taken[0].message.child_frame_id == "frame_20"
    pool.close()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 5), max_size=20), st.lists(st.integers(0, 5), max_size=20), st.integers(0, 2000)
)
def test_late_reader_gets_again_what_was_put_and_the_other_reader_only_the_rest(stamps, taken_before, budget):
    pool = InputPool(READERS, budget)
    for stamp in stamps:
        pool.put(odometry(stamp))
    left = {"a": list(stamps), "b": list(stamps)}
    for stamp in taken_before:
        for reader in "ab":
            if pool.take(reader, [(topics.ODOMETRY, str(stamp), 0)]) is not None:
                left[reader].remove(stamp)
    pool.rewind("a", [odometry(stamp) for stamp in (*stamps, 9)])
    left["a"] = list(stamps)
    assert pool.take("a", [(topics.ODOMETRY, "9", 0)]) is None, "it was not put yet"
    for reader, waiting in left.items():
        for stamp in waiting:
            assert pool.take(reader, [(topics.ODOMETRY, str(stamp), 0)]) is not None
        assert all(pool.take(reader, [(topics.ODOMETRY, str(stamp), 0)]) is None for stamp in stamps)
    pool.close()
