"""What a model server can reuse of the prompts of a recorded run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.prompt_caches.measurement import (
    ENCODINGS,
    IMAGES_REUSED,
    PREFIX_REUSED,
    PromptCaches,
    PromptCachesSettings,
    prompt_tokens,
)
from stma_ros.evaluation.prompt_caches.recorded_prompts import recorded_prompts
from stma_ros.evaluation.prompt_caches.simulated_caches import BLOCK, ImageCache, PrefixCache
from stma_ros.evaluation.registry import MEASUREMENTS
from stma_ros.evaluation.tokenizing import WORDS, find_tokenizer
from stma_ros.models.chat import ChatReply, Part
from stma_ros.models.errors import UnreachableError
from stma_ros.models.images import Picture, picture
from stma_ros.models.replies import ReplyRecorder
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.telemetry import REPLIES_FILE
from support.models.chat_requests import request
from support.models.reply_writer import write

AMPLE = 1 << 20


def view(shade: int, max_pixels: int = 10_000) -> Picture:
    """Returns a picture of 64 x 96 pixels, or fewer."""
    return picture(np.full((64, 96, 3), shade, np.uint8), max_pixels)


def record(folder: Path, asked: Iterable[tuple[int, str, tuple[Part, ...]]]) -> Path:
    """Records requests, each with its step, its role and the parts of its question; returns the file."""
    folder.mkdir(parents=True)
    recorder = ReplyRecorder(folder / REPLIES_FILE)
    for step, role, parts in asked:
        write(recorder, request(*parts, role=role), ChatReply("yes"), step)
    recorder.close()
    return folder / REPLIES_FILE


def measured(run: Path, **settings: Any) -> dict[tuple[str, str], dict[str, Any]]:
    """Returns the rows by preset and role."""
    rows = PromptCaches(PromptCachesSettings(str(run), WORDS, **settings)).rows(0)
    return {(row["preset"], row["group"]): row for row in rows}


def shared_blocks(prompt: list[int], earlier: list[list[int]]) -> int:
    """Returns how many whole blocks a prompt begins with that one of the earlier prompts begins with."""
    most = 0
    for other in earlier:
        same = 0
        while same < min(len(prompt), len(other)) and prompt[same] == other[same]:
            same += 1
        most = max(most, same // BLOCK)
    return min(most, max(len(prompt) - 1, 0) // BLOCK)


@given(st.lists(st.lists(st.integers(0, 1), max_size=80), max_size=12))
def test_prefix_cache_reuses_the_whole_blocks_of_the_longest_beginning_that_was_read_before(
    prompts: list[list[int]],
) -> None:
    cache = PrefixCache(AMPLE)
    for number, prompt in enumerate(prompts):
        assert cache.read(prompt) == BLOCK * shared_blocks(prompt, prompts[:number])


@given(st.lists(st.lists(st.integers(0, 1), max_size=80), max_size=12), st.integers(16, 100))
def test_prefix_cache_never_holds_more_than_its_size(prompts: list[list[int]], tokens: int) -> None:
    small, large = PrefixCache(tokens), PrefixCache(AMPLE)
    for prompt in prompts:
        assert small.read(prompt) <= min(large.read(prompt), tokens)


def test_full_prefix_cache_drops_the_end_of_the_prompt_that_was_read_longest_ago() -> None:
    cache = PrefixCache(4 * BLOCK)
    first, second = [1] * (3 * BLOCK + 1), [2] * (2 * BLOCK + 1)
    cache.read(first)
    cache.read(second)
    assert cache.read(first) == 2 * BLOCK


@given(st.lists(st.sampled_from("abcdef")), st.integers(1, 4))
def test_image_cache_holds_the_images_that_were_read_last(keys: list[str], images: int) -> None:
    cache = ImageCache(images)
    for number, key in enumerate(keys):
        before = list(dict.fromkeys(reversed(keys[:number])))
        assert cache.read(key) == (key in before[:images])


def test_recorded_prompts_hold_step_role_texts_and_images(tmp_path: Path) -> None:
    seen = view(1)
    file = record(tmp_path / "run", [(3, "answerer", ("Question: why?", seen))])
    (prompt,) = recorded_prompts(file)
    assert (prompt.role, prompt.step) == ("answerer", ("", 3))
    (image,) = prompt.images
    assert (image.key, image.source, image.width, image.height) == (seen.key, seen.source, 96, 64)
    assert prompt.messages == (
        ("system", ("# Planner\nSay what to do.",)),
        ("user", ("Question: why?", image)),
    )


def test_prompts_of_requests_that_failed_count_too(tmp_path: Path) -> None:
    recorder = ReplyRecorder(tmp_path / REPLIES_FILE)
    write(recorder, request("why?"), UnreachableError("m", "planner", "no connection", "Is it running?"))
    recorder.close()
    assert len(list(recorded_prompts(tmp_path / REPLIES_FILE))) == 1


def test_an_image_is_one_token_for_each_patch_and_two_marks(tmp_path: Path) -> None:
    file = record(tmp_path / "run", [(0, "answerer", ("look:", view(1), view(2)))])
    (prompt,) = recorded_prompts(file)
    tokens = prompt_tokens(prompt, find_tokenizer(WORDS), 32)
    texts, marks_of_messages, patches = 7 + 2, 4, 3 * 2
    assert len(tokens) == texts + marks_of_messages + 2 * (patches + 2)
    assert len(set(tokens[-2 * (patches + 2) : -1])) == 2 * patches + 2


def test_caches_are_measured_over_the_roles_in_the_order_of_their_calls(tmp_path: Path) -> None:
    one, two = view(1), view(2)
    text = "word " * 100
    asked = [
        (1, "answerer", (text, one)),
        (1, "planner", (text, one, two)),
        (2, "answerer", (text, two)),
        (2, "answerer", ("another question",)),
    ]
    record(tmp_path / "run" / "full" / "000-x", asked)
    record(tmp_path / "run" / "full" / "001-y", asked[:1])
    rows = measured(tmp_path / "run")
    assert list(rows) == [("full", "answerer"), ("full", "planner"), ("full", "all")]
    whole, planner = rows["full", "all"], rows["full", "planner"]
    assert (whole["episodes"], whole["calls"], planner["episodes"], planner["calls"]) == (2, 5, 1, 1)
    assert whole[ENCODINGS] == 1.0
    assert planner[ENCODINGS] is None
    assert whole[IMAGES_REUSED] == pytest.approx(100 * 2 / 5)
    assert planner[IMAGES_REUSED] == 50.0
    assert planner["tokens_per_step"] == 9 + 100 + 2 * 8 + 4 - 2
    assert planner[PREFIX_REUSED] == pytest.approx(100 * 112 / planner["tokens_per_step"])
    assert planner["fresh_tokens_per_step"] == planner["tokens_per_step"] - 112
    assert (whole["images_per_step"], whole["fresh_images_per_step"]) == (5 / 3, 1.0)


def test_an_image_that_roles_prepare_differently_is_encoded_twice(tmp_path: Path) -> None:
    large, small = view(1), view(1, max_pixels=1000)
    assert (large.source, large.key) != (small.source, small.key)
    assert large.source == small.source
    record(tmp_path / "run", [(0, "answerer", (large,)), (0, "scene_graph", (small,))])
    assert measured(tmp_path / "run")["run", "all"][ENCODINGS] == 2.0


def test_images_are_encoded_again_when_the_cache_is_too_small(tmp_path: Path) -> None:
    asked = [(step, "answerer", (view(1), view(2))) for step in range(3)]
    record(tmp_path / "run", asked)
    assert measured(tmp_path / "run", cached_images=2)["run", "all"][ENCODINGS] == 1.0
    assert measured(tmp_path / "run", cached_images=1)["run", "all"][ENCODINGS] == 3.0


def test_texts_alone_have_no_figures_of_images(tmp_path: Path) -> None:
    record(tmp_path / "run", [(0, "recorder", ("what happened?",))])
    row = measured(tmp_path / "run")["run", "all"]
    assert (row[ENCODINGS], row[IMAGES_REUSED], row["images_per_step"]) == (None, None, 0.0)


def test_a_recording_of_an_older_version_is_refused(tmp_path: Path) -> None:
    file = record(tmp_path / "run", [(0, "answerer", ("why?",))])
    line = json.loads(file.read_text())
    del line["images"]
    file.write_text(json.dumps(line) + "\n")
    with pytest.raises(StorageError, match="record the run again"):
        measured(tmp_path / "run")


def test_a_damaged_recording_is_refused_with_its_line(tmp_path: Path) -> None:
    file = record(tmp_path / "run", [(0, "answerer", ("why?",))])
    file.write_text('{"images": [], "task_id": "", "step": 0}\n' + file.read_text())
    with pytest.raises(StorageError, match=r"line 1 of .* is damaged"):
        measured(tmp_path / "run")


def test_a_run_has_to_be_named() -> None:
    with pytest.raises(ConfigurationError, match="--set run=DIR"):
        MEASUREMENTS["prompt_caches"]({})
