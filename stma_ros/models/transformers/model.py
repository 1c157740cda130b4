"""Chat models that run in this process, through transformers: Qwen2.5-VL, Qwen3-VL and what is built like them, and
text-only ones.

How an image that is known skips the vision encoder: images are encoded here, before generation, and given to
`generate` as `mm_encoder_outputs`, which is transformers' own way in for encoder outputs. So the model still sees the
token ids and the grids of the images, and makes of them the positions in time, down and across, of prompt and reply;
embeddings given as `inputs_embeds` would lose those, and Qwen3-VL's deepstack features too.
Images are encoded one by one: beside others, the last bits of an image's embeddings would be others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import TemplateError

from stma_ros.models.chat import ChatReply, ChatRequest, Finish, Sampling, Usage
from stma_ros.models.errors import BadRequestError, ContextOverflowError, FinalModelError, ImageRefusedError
from stma_ros.models.images import Picture
from stma_ros.models.transformers.call import Call, Gate, checked_at_every_layer, on_most_cores, seeded
from stma_ros.models.transformers.loading import ModelParts, load_parts
from stma_ros.models.transformers.prompt import PromptWriter
from stma_ros.models.vision_cache import EncodedImage, VisionCache
from stma_ros.types.component import CancelToken

_SMALLER = "make pictures smaller (model.image_pixels) or the prompt shorter"


class TransformersModel:
    """A ChatModel. One call is answered at a time, the others wait, within their deadlines.

    Cancels and deadlines end a call before the next layer of the network: within milliseconds on a GPU, within the
    time of one layer over the whole prompt on a CPU. What a layer has begun it ends.
    A schema is not imposed: transformers cannot hold a reply to one. The prompt has to state the form of the reply.
    Of the settings of sampling in the model's folder, only those that a request does not have count, such as a
    penalty on repetitions.
    """

    def __init__(self, parts: ModelParts, name: str, cache: VisionCache | None = None) -> None:
        """name: which model, for people. cache: None = every picture is encoded anew."""
        parts.network.eval()
        self._network = parts.network
        self._tokenizer = parts.tokenizer
        self._processor: Any = parts.processor  # None: it reads only text
        self._config = parts.network.config
        self._writer = PromptWriter(parts.tokenizer, self._config)
        self._cache = VisionCache(0) if cache is None else cache
        self._identity = object()  # in the cache: what one model encoded says nothing to another one
        self._gate = Gate()
        end = parts.network.generation_config.eos_token_id
        self._ends: list[int] = (
            end if isinstance(end, list) else [parts.tokenizer.eos_token_id if end is None else end]
        )
        self._name = f"{self._config.model_type} in this process ({name})"

    @classmethod
    def load(
        cls, folder: str | Path, cache: VisionCache | None = None, device: str = "auto"
    ) -> TransformersModel:
        """device: "auto" (the first GPU, the CPU where there is none) or as torch spells it.

        Raises MissingDependencyError, and ConfigurationError for a folder or a device that cannot be used.
        """
        path = Path(folder).expanduser()
        return cls(load_parts(path, device), path.resolve().name, cache)

    @property
    def name(self) -> str:
        return self._name

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """The schema of the request is not looked at. Raises ModelError."""
        import torch

        call = Call(self.name, request, token, time.monotonic())
        with self._gate.passing(call), on_most_cores(), torch.inference_mode():
            try:
                with checked_at_every_layer(self._network, call.check):
                    return self._answer(call)
            except (RuntimeError, MemoryError, IndexError, ValueError) as error:
                cause = " ".join(str(error).split()) or type(error).__name__
                raise call.failed(
                    FinalModelError, f"the network failed: {cause}", f"If memory ran out, {_SMALLER}"
                ) from error

    def close(self) -> None:
        """Drops the network, and what it encoded."""
        import torch

        self._network = None
        self._cache.forget(self._identity)
        torch.cuda.empty_cache()  # does nothing where no GPU was used

    def _answer(self, call: Call) -> ChatReply:
        request = call.request
        if request.pictures and self._processor is None:
            raise call.failed(
                ImageRefusedError,
                "it reads only text",
                "take a model that sees, or roles that send no pictures",
            )
        known, unknown = self._looked_up(call)
        found: dict[str, EncodedImage | _Patches] = {**known, **unknown}
        prompt = self._prompt(call, [found[picture.key].grid for picture in request.pictures])
        images = known | {key: self._encoded(key, patches) for key, patches in unknown.items()}
        reply = self._generated(call, prompt, [images[picture.key] for picture in request.pictures])
        return ChatReply(
            self._tokenizer.decode(reply, skip_special_tokens=True, clean_up_tokenization_spaces=False),
            Finish.STOP if reply and reply[-1] in self._ends else Finish.LENGTH,
            Usage(
                prompt_tokens=len(prompt),
                reply_tokens=len(reply),
                images_kept=sum(picture.key in known for picture in request.pictures),
            ),
            latency=time.monotonic() - call.start,
        )

    def _looked_up(self, call: Call) -> tuple[dict[str, EncodedImage], dict[str, _Patches]]:
        """By content: the pictures that were encoded before, and the others as the encoder takes them."""
        known: dict[str, EncodedImage] = {}
        unknown: dict[str, _Patches] = {}
        for key, picture in {picture.key: picture for picture in call.request.pictures}.items():
            image = self._cache.get(self._identity, key)
            if image is not None:
                known[key] = image
            else:
                unknown[key] = self._patches(call, picture)
        return known, unknown

    def _patches(self, call: Call, picture: Picture) -> _Patches:
        try:
            made = self._processor(
                images=[picture.pixels], input_data_format="channels_last", return_tensors="pt"
            )
        except ValueError as error:
            size = f"{picture.width}x{picture.height} pixels"
            raise call.failed(ImageRefusedError, f"it takes no picture of {size}: {error}") from error
        frames, rows, columns = made["image_grid_thw"][0].tolist()
        return _Patches((frames, rows, columns), made["pixel_values"])

    def _prompt(self, call: Call, grids: Sequence[tuple[int, int, int]]) -> list[int]:
        try:
            tokens = self._writer.tokens(call.request.messages)
        except TemplateError as error:
            raise call.failed(
                BadRequestError, f"its chat template does not take the turns: {error}"
            ) from error
        if grids and sum(token == self._writer.image_token for token in tokens) != len(grids):
            raise call.failed(ImageRefusedError, "its chat template leaves pictures out")
        if grids:
            merged = self._processor.merge_size**2
            sizes = [frames * rows * columns // merged for frames, rows, columns in grids]
            tokens = self._writer.with_room(tokens, sizes)
        longest = self._config.get_text_config().max_position_embeddings
        if len(tokens) + call.request.max_tokens > longest:
            raise call.failed(
                ContextOverflowError,
                f"a prompt of {len(tokens)} tokens and a reply of {call.request.max_tokens} are more than the "
                f"{longest} that it can read",
                _SMALLER,
            )
        return tokens

    def _encoded(self, key: str, patches: _Patches) -> EncodedImage:
        import torch

        made = self._network.get_image_features(
            pixel_values=patches.pixels.to(self._network.device),
            image_grid_thw=torch.tensor([patches.grid], device=self._network.device),
            return_dict=True,
        )
        layers = getattr(made, "deepstack_features", None) or ()
        image = EncodedImage(patches.grid, made.pooler_output[0], tuple(layer[0] for layer in layers))
        self._cache.put(self._identity, key, image)
        return image

    def _generated(self, call: Call, prompt: Sequence[int], images: Sequence[EncodedImage]) -> list[int]:
        import torch

        device = self._network.device
        tokens = torch.tensor([prompt], device=device)
        inputs: dict[str, Any] = {}
        if images:
            inputs = {
                "image_grid_thw": torch.tensor([image.grid for image in images], device=device),
                "mm_token_type_ids": (tokens == self._writer.image_token).int(),
                "mm_encoder_outputs": {"image": _encoder_outputs(images)},
            }
        with seeded(call.request.sampling.seed, device):
            written = self._network.generate(
                input_ids=tokens,
                attention_mask=torch.ones_like(tokens),
                max_new_tokens=call.request.max_tokens,
                eos_token_id=self._ends,
                pad_token_id=self._ends[0],  # of no meaning for one prompt at a time, but wanted
                **_choosing(call.request.sampling),
                **inputs,
            )
        reply: list[int] = written[0, len(prompt) :].tolist()
        return reply


@dataclass(frozen=True)
class _Patches:
    """A picture as an encoder takes it. grid: patches in time, down and across. pixels: (patches, values) tensor."""

    grid: tuple[int, int, int]
    pixels: Any


def _encoder_outputs(images: Sequence[EncodedImage]) -> Any:
    """Images as the forward functions of the networks read them, and hand them on: a vision encoder's output with lists
    by image, and by layer and image."""
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    outputs: Any = BaseModelOutputWithPooling(pooler_output=[image.tokens for image in images])
    outputs.deepstack_features = [
        list(layer) for layer in zip(*(image.layers for image in images), strict=True)
    ]
    return outputs


def _choosing(sampling: Sampling) -> dict[str, Any]:
    """The settings of `generate` for it; the likeliest words are chosen where the temperature is 0."""
    if sampling.temperature == 0.0:
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    return {"do_sample": True, "temperature": sampling.temperature, "top_p": sampling.top_p, "top_k": 0}
