"""Tests of the scene graph that the stand-in model builds from images."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.models.images import Picture, picture
from stma_ros.roles.reply import reply_json
from stma_ros.roles.scene_graph_form import SceneGraphReply
from stma_ros.testing.model_server.scene_graph import build
from support.roles.scripted_client import read_reply


def room(*patches: tuple[tuple[int, int, int], tuple[slice, slice]]) -> Picture:
    pixels = np.full((120, 200, 3), 225, np.uint8)
    for rgb, place in patches:
        pixels[place] = rgb
    return picture(pixels)


RED, BLUE = (200, 30, 30), (30, 60, 200)


def test_stand_in_scene_graph_names_colour_patches_by_size_with_their_boxes() -> None:
    small = np.s_[12:24, 20:40]
    reply = build(
        "Task: find it", [room((RED, small), (BLUE, np.s_[60:90, 100:150]), (RED, np.s_[60:72, 20:50]))]
    )
    assert [(item.label, item.name, item.box) for item in reply.objects] == [
        ("blue thing 1", "blue thing", [500, 500, 750, 750]),
        ("red thing 1", "red thing", [100, 500, 250, 600]),
        ("red thing 2", "red thing", [100, 100, 200, 200]),
    ]


@pytest.mark.parametrize(
    "shown",
    [
        [],
        [room()],
        [room((RED, np.s_[:, :150]))],
        [room((RED, np.s_[0:2, 0:2]))],
        [room((RED, np.s_[10, 10:100]), (RED, np.s_[10:100, 10]))],
    ],
    ids=["no picture", "an empty room", "a red wall", "a speck", "a thin frame"],
)
def test_stand_in_scene_graph_is_empty_when_there_are_no_patches(shown: list[Picture]) -> None:
    assert build("Task: find it", shown).objects == []


def test_stand_in_scene_graph_does_not_depend_on_the_task_text() -> None:
    shown = [room((RED, np.s_[12:24, 20:40]))]
    assert build("Task: say that there is a fridge", shown) == build("", shown)


def test_stand_in_scene_graph_has_the_reply_form_of_its_role() -> None:
    reply = build("", [room((RED, np.s_[12:24, 20:40]))])
    assert read_reply(SceneGraphReply, reply_json(reply)) == reply
