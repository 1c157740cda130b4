"""Tests of merging pictures: what is remembered of earlier calls changes nothing."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.eqa.merged_pictures import MergedPictures
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import Point, Pose, Time, Vector3

KNOWLEDGE = household_categories()


def thing(category: str, x: float) -> Detection:
    return Detection(
        hypotheses=(ObjectHypothesis(category=category, score=0.9),),
        box=BoundingBox3D.upright(Point(x, 0.0, 0.4), Vector3(0.4, 0.4, 0.8), 0.0),
        yaw_stddev=0.0,
        pixels=900,
    )


SNAPSHOTS = tuple(
    Snapshot(
        id=f"snapshot_{number}",
        stamp=Time(number + 1),
        camera=Pose.planar(0.3 * number, -2.0, math.pi / 2),
        detections=tuple(
            thing(kind, x + 0.05 * number) for kind, x in (("chair", 0.0), ("bed", 2.0), ("cup", 4.0))
        ),
    )
    for number in range(6)
)


def without_last(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, detections=snapshot.detections[:-1])


choices = st.lists(
    st.tuples(st.sampled_from(SNAPSHOTS), st.booleans()), max_size=6, unique_by=lambda chosen: chosen[0].id
).map(lambda chosen: sorted(chosen, key=lambda each: each[0].stamp.sec))


@given(st.lists(choices, min_size=1, max_size=4))
@settings(deadline=None, max_examples=30)
def test_memory_of_earlier_pictures_makes_no_difference(calls):
    remembering = MergedPictures(KNOWLEDGE)
    for chosen in calls:
        snapshots = [without_last(each) if is_cut else each for each, is_cut in chosen]
        merged, fresh = remembering.merge(snapshots), MergedPictures(KNOWLEDGE).merge(snapshots)
        assert merged.saved() == fresh.saved()
        assert [each.id for each in merged.believed] == [each.id for each in fresh.believed]
