"""Tests of models in this process, on miniatures of real architectures: image cache, replies, and ends of calls."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from stma_ros.models.chat import ChatReply, Finish
from stma_ros.models.errors import (
    BadRequestError,
    CallCanceledError,
    ContextOverflowError,
    DeadlineError,
    FinalModelError,
    ImageRefusedError,
)
from stma_ros.models.sampling import Sampling
from stma_ros.models.transformers.loading import ModelParts
from stma_ros.models.transformers.model import TransformersModel
from stma_ros.models.vision_cache import VisionCache
from stma_ros.types.component import CancelToken
from support.models.small_models import (
    LONGEST,
    QWEN2_5_VL,
    QWEN3_VL,
    SEEING,
    TEXT_ONLY,
    asked,
    noise,
    request,
    small_parts,
)

ENOUGH = 10_000_000  # bytes for all the images of a test
PATIENCE = 20.0  # for threads, on a busy machine [s]

seeing = pytest.mark.parametrize("kind", SEEING)
all_kinds = pytest.mark.parametrize("kind", [*SEEING, TEXT_ONLY])


class Watched:
    """A model with the number of runs of its encoder and the scores of the first token of each reply."""

    def __init__(self, kind: str, max_bytes: int = ENOUGH) -> None:
        self.parts = small_parts(kind)
        self.cache = VisionCache(max_bytes)
        self.model = TransformersModel(self.parts, "small", self.cache)
        self.encoded = 0
        self.scores: list[torch.Tensor] = []
        self.parts.network.model.visual.register_forward_hook(self._count)
        self.parts.network.register_forward_hook(self._store_scores, with_kwargs=True)

    def _count(self, *_: object) -> None:
        self.encoded += 1

    def _store_scores(self, _: object, __: object, inputs: dict[str, Any], output: Any) -> None:
        if inputs["input_ids"].shape[1] > 1:  # the prompt, not one more token
            self.scores.append(output.logits[0, -1].clone())


# -- image cache


@seeing
class TestImageCache:
    def test_known_image_skips_the_encoder_and_gives_the_same_scores(self, kind: str) -> None:
        watched = Watched(kind)

        first = asked(watched.model, "What is this?", noise(1))
        second = asked(watched.model, "What is this?", noise(1))

        assert watched.encoded == 1
        assert torch.equal(*watched.scores)
        assert second.text == first.text
        assert (first.usage.images_kept, second.usage.images_kept) == (0, 1)

    def test_reply_with_cached_images_equals_that_of_plain_transformers(self, kind: str) -> None:
        watched, pictures = Watched(kind), (noise(1), noise(2, height=200))
        parts = watched.parts
        for _ in range(2):
            reply = asked(watched.model, *pictures, max_tokens=20)

        patches = parts.processor(images=[picture.pixels for picture in pictures], return_tensors="pt")
        sizes = [int(grid.prod()) // parts.processor.merge_size**2 for grid in patches["image_grid_thw"]]
        images = "".join(f"<|vision_start|>{'<|image_pad|>' * size}<|vision_end|>" for size in sizes)
        prompt = parts.tokenizer(
            f"<|im_start|>system\nAnswer in JSON.<|im_end|>\n<|im_start|>user\n{images}<|im_end|>\n"
            "<|im_start|>assistant\n",
            return_tensors="pt",
        )
        marks = (prompt["input_ids"] == parts.network.config.image_token_id).int()
        written = parts.network.generate(
            **prompt, **patches, mm_token_type_ids=marks, max_new_tokens=20, do_sample=False
        )

        assert parts.tokenizer.decode(written[0, -20:]) == reply.text
        assert reply.usage.prompt_tokens == prompt["input_ids"].shape[1]
        cached, plain = watched.scores[1:]
        torch.testing.assert_close(cached, plain, rtol=1e-4, atol=1e-5)

    def test_known_image_gives_the_same_scores_in_bfloat16(self, kind: str) -> None:
        watched = Watched(kind)
        watched.parts.network.to(torch.bfloat16)

        texts = [asked(watched.model, noise(1)).text for _ in range(2)]

        assert watched.encoded == 1
        assert texts[0] == texts[1]
        assert torch.equal(*watched.scores)

    def test_scores_depend_on_the_image(self, kind: str) -> None:
        watched = Watched(kind)

        asked(watched.model, noise(1))
        asked(watched.model, noise(2))

        assert not torch.allclose(*watched.scores, rtol=1e-3, atol=1e-3)

    def test_only_the_unknown_one_of_two_images_is_encoded(self, kind: str) -> None:
        watched = Watched(kind)
        asked(watched.model, noise(1))

        reply = asked(watched.model, noise(2), "and", noise(1))

        assert watched.encoded == 2
        assert reply.usage.images_kept == 1

    def test_image_that_is_twice_in_a_prompt_is_encoded_once(self, kind: str) -> None:
        watched = Watched(kind)

        asked(watched.model, noise(1), "and", noise(1))

        assert watched.encoded == 1

    def test_roles_share_encoded_images(self, kind: str) -> None:
        watched = Watched(kind)
        asked(watched.model, "What now?", noise(1), role="planner")

        reply = asked(watched.model, noise(1), "Is that right?", role="critic")

        assert watched.encoded == 1
        assert reply.usage.images_kept == 1

    def test_models_do_not_share_encoded_images(self, kind: str) -> None:
        watched = Watched(kind)
        asked(watched.model, noise(1))
        other = TransformersModel(small_parts(kind), "other", watched.cache)

        assert asked(other, noise(1)).usage.images_kept == 0

    def test_full_image_cache_drops_the_oldest_image(self, kind: str) -> None:
        watched = Watched(kind)
        asked(watched.model, noise(1))
        small = Watched(kind, max_bytes=2 * watched.cache.nbytes)
        for seed in (1, 2, 3):
            asked(small.model, noise(seed))

        known_images = [asked(small.model, noise(seed)).usage.images_kept for seed in (3, 2, 1)]

        assert known_images == [1, 1, 0]
        assert small.encoded == 4
        assert small.cache.nbytes <= small.cache.max_bytes

    def test_every_image_is_encoded_when_there_is_no_cache(self, kind: str) -> None:
        model = TransformersModel(small_parts(kind), "small")

        assert [asked(model, noise(1)).usage.images_kept for _ in range(2)] == [0, 0]

    def test_known_image_saves_the_time_of_the_encoder(self, kind: str) -> None:
        watched = Watched(kind)
        spent: list[float] = []
        slow_down(watched.parts.network.model.visual, 0.1, spent)

        fresh = min(asked(watched.model, noise(seed), max_tokens=1).latency for seed in range(3))
        known = min(asked(watched.model, noise(seed), max_tokens=1).latency for seed in range(3))

        assert watched.encoded == 3
        assert min(spent) >= 0.1
        assert fresh - known >= 0.8 * min(spent)

    @pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 3), (3, 40), (40, 3), (31, 900)])
    def test_images_of_odd_sizes_are_encoded_once(self, kind: str, height: int, width: int) -> None:
        watched = Watched(kind)

        for _ in range(2):
            asked(watched.model, noise(1, height, width), max_tokens=2)

        assert watched.encoded == 1
        assert torch.equal(*watched.scores)

    def test_image_that_is_far_too_long_is_refused(self, kind: str) -> None:
        with pytest.raises(ImageRefusedError, match=r"planner.*600x2 pixels"):
            asked(Watched(kind).model, noise(1, height=2, width=600))

    def test_images_are_refused_when_the_chat_template_leaves_them_out(self, kind: str) -> None:
        template = "{% for message in messages %}{{ message.role }}{% endfor %}"
        model = TransformersModel(small_parts(kind, template), "small")

        with pytest.raises(ImageRefusedError, match="leaves pictures out"):
            asked(model, noise(1))


def slow_down(encoder: Any, seconds: float, spent: list[float]) -> None:
    """Makes each call of an encoder take at least `seconds` of computing; `spent` receives the duration of each [s]."""
    begin = 0.0

    def before(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        nonlocal begin
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            module.forward(*args, **kwargs)

    def after(*_: object) -> None:
        spent.append(time.perf_counter() - begin)

    encoder.register_forward_pre_hook(before, with_kwargs=True)
    encoder.register_forward_hook(after)


def test_text_only_model_refuses_images() -> None:
    model = TransformersModel(small_parts(TEXT_ONLY), "small")

    with pytest.raises(ImageRefusedError, match="reads only text"):
        asked(model, "What is this?", noise(1))


# -- replies


@all_kinds
class TestReplies:
    def test_reply_of_a_transformers_model_reports_its_usage(self, kind: str) -> None:
        model = TransformersModel(small_parts(kind), "small")

        reply = asked(model, "Go on.", max_tokens=5)

        assert len(reply.text) == 5  # every letter is a token
        assert reply.finish is Finish.LENGTH
        assert reply.usage.reply_tokens == 5
        assert reply.usage.prompt_tokens == len(
            "^system\nAnswer in JSON.^\n^user\nGo on.^\n^assistant\n"  # ^: a mark of one token
        )
        assert reply.latency > 0.0

    @pytest.mark.parametrize("as_list", [True, False])
    def test_reply_ends_at_the_end_token_of_the_model(self, kind: str, as_list: bool) -> None:
        parts = small_parts(kind)
        first = asked(TransformersModel(parts, "small"), "Go on.").text[0]
        end = parts.tokenizer.convert_tokens_to_ids(first)
        parts.network.generation_config.eos_token_id = [2, end] if as_list else end

        reply = asked(TransformersModel(parts, "small"), "Go on.")

        assert reply.finish is Finish.STOP
        assert reply.usage.reply_tokens == 1

    def test_sampled_reply_depends_only_on_the_seed(self, kind: str) -> None:
        model = TransformersModel(small_parts(kind), "small")

        def drawn(seed: int) -> str:
            return asked(model, "Go on.", sampling=Sampling(1.0, seed=seed), max_tokens=12).text

        assert drawn(1) == drawn(1)
        assert drawn(1) != drawn(2)

    def test_sampling_with_a_seed_does_not_change_the_global_random_state(self, kind: str) -> None:
        model = TransformersModel(small_parts(kind), "small")
        before = torch.get_rng_state()

        asked(model, "Go on.", sampling=Sampling(1.0, seed=1))

        assert torch.equal(torch.get_rng_state(), before)

    def test_reply_without_temperature_is_greedy_despite_the_generation_config(self, kind: str) -> None:
        parts = small_parts(kind)
        plain = asked(TransformersModel(parts, "small"), "Go on.").text
        parts.network.generation_config.update(do_sample=True, temperature=5.0, top_p=0.9, top_k=20)

        assert asked(TransformersModel(parts, "small"), "Go on.").text == plain

    def test_sampling_is_not_narrowed_by_the_generation_config(self, kind: str) -> None:
        parts = small_parts(kind)
        wide = asked(TransformersModel(parts, "small"), "Go on.", sampling=Sampling(5.0, seed=1)).text
        parts.network.generation_config.update(do_sample=True, temperature=0.1, top_p=0.1, top_k=1)

        narrow = asked(TransformersModel(parts, "small"), "Go on.", sampling=Sampling(5.0, seed=1)).text

        assert narrow == wide

    def test_top_k_of_one_draws_the_likeliest_token(self, kind: str) -> None:
        model = TransformersModel(small_parts(kind), "small")

        drawn = asked(model, "Go on.", sampling=Sampling(5.0, seed=1, top_k=1)).text

        assert drawn == asked(model, "Go on.").text

    def test_presence_penalty_keeps_a_reply_from_repeating_its_tokens_but_not_those_of_the_prompt(
        self, kind: str
    ) -> None:
        parts = small_parts(kind)
        model = TransformersModel(parts, "small")
        plain = asked(model, "Go on.", max_tokens=20).text

        reply = asked(model, "Go on.", sampling=Sampling(presence_penalty=100.0), max_tokens=20).text

        tokens = parts.tokenizer(reply, add_special_tokens=False)["input_ids"]
        assert len(set(tokens)) == len(tokens) > 5
        assert reply[0] == plain[0]

    def test_messages_that_the_chat_template_refuses_are_a_bad_request(self, kind: str) -> None:
        template = "{{ raise_exception('the first turn must be the user\\'s') }}"
        model = TransformersModel(small_parts(kind, template), "small")

        with pytest.raises(BadRequestError, match="the first turn must be the user's"):
            asked(model, "Go on.")

    def test_prompt_longer_than_the_context_is_refused(self, kind: str) -> None:
        model = TransformersModel(small_parts(kind), "small")
        prompt = asked(model, "Go on.", max_tokens=1).usage.prompt_tokens
        assert prompt is not None

        fitting = asked(model, "Go on." + "x" * (LONGEST - prompt - 2), max_tokens=2)
        with pytest.raises(ContextOverflowError, match=f"{LONGEST - 1} tokens and a reply of 2 .* {LONGEST}"):
            asked(model, "Go on." + "x" * (LONGEST - prompt - 1), max_tokens=2)

        assert fitting.usage.prompt_tokens == LONGEST - 2

    def test_name_of_a_transformers_model_contains_kind_and_folder(self, kind: str) -> None:
        assert TransformersModel(small_parts(kind), "small").name == f"{kind} in this process (small)"


def test_exhausted_gpu_memory_is_reported_with_a_remedy() -> None:
    parts = small_parts(QWEN3_VL)
    model = TransformersModel(parts, "small")

    def fail(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    hook = parts.network.model.visual.register_forward_pre_hook(fail)
    with pytest.raises(FinalModelError, match=r"planner.*CUDA out of memory.*model\.image_pixels"):
        asked(model, noise(1))
    hook.remove()

    assert asked(model, noise(1)).text


def test_model_leaves_one_core_free_and_restores_the_number_of_threads() -> None:
    parts = small_parts(TEXT_ONLY)
    used: list[int] = []
    parts.network.register_forward_pre_hook(lambda *_: used.append(torch.get_num_threads()))
    before, cores = torch.get_num_threads(), len(os.sched_getaffinity(0))
    torch.set_num_threads(cores + 1)
    try:
        asked(TransformersModel(parts, "small"), "Go on.", max_tokens=1)

        assert used == [max(1, cores - 1)]
        assert torch.get_num_threads() == cores + 1
    finally:
        torch.set_num_threads(before)


# -- calls that end early


@all_kinds
class TestEndings:
    def test_cancel_ends_a_long_reply_at_once(self, kind: str) -> None:
        parts, token = small_parts(kind), CancelToken()
        model = TransformersModel(parts, "small")
        canceled: list[float] = []
        steps = 0

        def cancel_at_the_fifth(*_: object) -> None:
            nonlocal steps
            steps += 1
            if steps == 5:
                canceled.append(time.monotonic())
                token.cancel("the task is over")

        parts.network.register_forward_hook(cancel_at_the_fifth)

        with pytest.raises(CallCanceledError, match="the task is over"):
            model.chat(request("Go on.", max_tokens=400), token)

        assert time.monotonic() - canceled[0] < 0.5
        assert steps == 5

    def test_cancel_ends_the_prefill_between_two_layers(self, kind: str) -> None:
        parts, token = small_parts(kind), CancelToken()
        layers = parts.network.get_decoder().layers
        run: list[int] = []
        for at, layer in enumerate(layers):
            layer.register_forward_hook(lambda *_, at=at: run.append(at))
        layers[0].register_forward_hook(lambda *_: token.cancel("the task is over"))

        with pytest.raises(CallCanceledError):
            TransformersModel(parts, "small").chat(request("Go on."), token)

        assert run == [0]

    def test_call_canceled_in_advance_does_not_run_the_network(self, kind: str) -> None:
        parts, token = small_parts(kind), CancelToken()
        run: list[object] = []
        parts.network.register_forward_pre_hook(lambda *_: run.append(_))
        token.cancel("the task is over")

        with pytest.raises(CallCanceledError):
            TransformersModel(parts, "small").chat(request("Go on."), token)

        assert not run

    def test_deadline_ends_a_long_reply(self, kind: str) -> None:
        model = TransformersModel(small_parts(kind), "small")
        start = time.monotonic()

        with pytest.raises(DeadlineError, match=r"planner.*0\.05 s"):
            asked(model, "Go on.", max_tokens=400, deadline=0.05)

        assert time.monotonic() - start < 0.55

    def test_call_that_ended_early_does_not_affect_the_next_one(self, kind: str) -> None:
        parts = small_parts(kind)
        model = TransformersModel(parts, "small")
        before = asked(model, "Go on.")
        with pytest.raises(DeadlineError):
            asked(model, "On and on.", max_tokens=400, deadline=0.05)

        assert asked(model, "Go on.").text == before.text


@seeing
def test_cancel_ends_the_encoding_of_an_image_between_two_layers(kind: str) -> None:
    watched, token = Watched(kind), CancelToken()
    blocks = watched.parts.network.model.visual.blocks
    run: list[int] = []
    blocks[0].register_forward_hook(lambda *_: token.cancel("the task is over"))
    blocks[1].register_forward_hook(lambda *_: run.append(1))

    with pytest.raises(CallCanceledError):
        watched.model.chat(request(noise(1)), token)

    assert not run
    assert len(watched.cache) == 0


# -- several calls at once


@contextmanager
def busy(parts: ModelParts, model: TransformersModel) -> Iterator[Callable[[], ChatReply]]:
    """Keeps the model busy with a call until the yielded function is called, which returns the reply."""
    begun, go_on = threading.Event(), threading.Event()

    def hold(*_: object) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)

    def finish() -> ChatReply:
        go_on.set()
        return reply.result(PATIENCE)

    hook = parts.network.register_forward_pre_hook(hold)
    with ThreadPoolExecutor(1) as pool:
        reply = pool.submit(asked, model, "Go on.")
        try:
            assert begun.wait(PATIENCE)
            yield finish
        finally:
            go_on.set()
            hook.remove()


class TestWaiting:
    def test_deadline_ends_the_wait_for_a_busy_model(self) -> None:
        parts = small_parts(TEXT_ONLY)
        model = TransformersModel(parts, "small")

        with busy(parts, model) as finish:
            with pytest.raises(DeadlineError, match=r"critic.*0\.05 s"):
                asked(model, "Go on.", role="critic", deadline=0.05)

            assert finish().text

    def test_cancel_ends_the_wait_for_a_busy_model(self) -> None:
        parts, token = small_parts(TEXT_ONLY), CancelToken()
        model = TransformersModel(parts, "small")

        with busy(parts, model), ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(model.chat, request("Go on."), token)
            token.cancel("the task is over")

            with pytest.raises(CallCanceledError):
                waiting.result(0.5)

    def test_concurrent_calls_have_the_same_replies_as_single_ones(self) -> None:
        watched = Watched(QWEN3_VL)
        questions = [(f"Question {at}.", noise(at % 3)) for at in range(8)]
        alone = [asked(watched.model, *parts).text for parts in questions]

        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda parts: asked(watched.model, *parts).text, questions))

        assert together == alone


def test_close_frees_the_cached_images() -> None:
    watched = Watched(QWEN2_5_VL)
    asked(watched.model, noise(1))

    watched.model.close()

    assert watched.cache.nbytes == 0
