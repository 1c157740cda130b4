"""Chat models that run in this process through transformers: Qwen2.5-VL, Qwen3-VL, models of the same architectures,
and text-only models.

Images that are in the cache skip the vision encoder: images are encoded here, before generation, and passed to
`generate` as `mm_encoder_outputs`, the argument of transformers for encoder outputs. The model then still gets the
token ids and the image grids, from which it computes the multimodal rotary positions (time, height, width) of prompt
and reply; `inputs_embeds` would lose these, and Qwen3-VL's deepstack features as well.
Images are encoded one at a time, because in a batch the last bits of an image's embeddings depend on the other images.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import TemplateError

from stma_ros.models.chat import ChatReply, ChatRequest, Finish, Usage
from stma_ros.models.errors import (
    BadRequestError,
    ContextOverflowError,
    FinalModelError,
    ImageRefusedError,
    one_line,
)
from stma_ros.models.images import Picture
from stma_ros.models.sampling import Sampling
from stma_ros.models.transformers.call import Call, Gate, checked_at_every_layer, on_most_cores, seeded
from stma_ros.models.transformers.loading import ModelParts, load_parts
from stma_ros.models.transformers.prompt import PromptWriter
from stma_ros.models.vision_cache import EncodedImage, VisionCache
from stma_ros.types.component import CancelToken

_SMALLER = "make pictures smaller (model.image_pixels) or the prompt shorter"


class TransformersModel:
    """A ChatModel. It answers one call at a time; other calls wait within their deadlines.

    Cancels and deadlines end a call before the next layer of the network: within milliseconds on a GPU, and within the
    time of one layer over the whole prompt on a CPU.
    Schemas are not enforced, because transformers has no constrained decoding; the prompt has to state the form of the
    reply. Sampling parameters in the model's folder are used only if requests have no such parameter, such as a
    repetition penalty.
    """

    def __init__(self, parts: ModelParts, name: str, cache: VisionCache | None = None) -> None:
        """Makes a chat model.

        Args:
            parts: The loaded model.
            name: Name of the model for users.
            cache: Cache of encoded images; None encodes each picture of a request again.
        """
        parts.network.eval()
        self._network = parts.network
        self._tokenizer = parts.tokenizer
        self._processor: Any = parts.processor  # None for a model of text alone
        self._config = parts.network.config
        self._writer = PromptWriter(parts.tokenizer, self._config)
        self._cache = VisionCache(0) if cache is None else cache
        self._identity = object()  # key in the cache, since encodings are valid for one model only
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
        """Loads a model from a folder.

        Args:
            folder: Folder with the model's files.
            cache: Cache of encoded images.
            device: "auto" (the first GPU, or the CPU if there is none) or a device in torch's spelling.

        Raises:
            MissingDependencyError: torch or transformers is not installed.
            ConfigurationError: The folder or the device cannot be used.
        """
        path = Path(folder).expanduser()
        return cls(load_parts(path, device), path.resolve().name, cache)

    @property
    def name(self) -> str:
        return self._name

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        """Generates a reply; the schema of the request is ignored.

        Raises:
            ModelError: There is no reply.
        """
        import torch

        call = Call(self.name, request, token, time.monotonic())
        with self._gate.passing(call), on_most_cores(), torch.inference_mode():
            try:
                with checked_at_every_layer(self._network, call.check):
                    return self._answer(call)
            except (RuntimeError, MemoryError, IndexError, ValueError) as error:
                cause = one_line(error)
                raise call.failed(
                    FinalModelError, f"the network failed: {cause}", f"If memory ran out, {_SMALLER}"
                ) from error

    def close(self) -> None:
        """Releases the network and its encoded images."""
        import torch

        self._network = None
        self._cache.forget(self._identity)
        torch.cuda.empty_cache()  # no effect if no GPU was used

    def _answer(self, call: Call) -> ChatReply:
        request = call.request
        if request.pictures and self._processor is None:
            raise call.failed(
                ImageRefusedError,
                "it reads only text",
                "take a model that sees, or roles that send no pictures",
            )
        cached, missing = self._look_up(call)
        found: dict[str, EncodedImage | _Patches] = {**cached, **missing}
        prompt = self._prompt(call, [found[picture.key].grid for picture in request.pictures])
        images = cached | {key: self._encode(key, patches) for key, patches in missing.items()}
        reply = self._generate(call, prompt, [images[picture.key] for picture in request.pictures])
        return ChatReply(
            self._tokenizer.decode(reply, skip_special_tokens=True, clean_up_tokenization_spaces=False),
            Finish.STOP if reply and reply[-1] in self._ends else Finish.LENGTH,
            Usage(
                prompt_tokens=len(prompt),
                reply_tokens=len(reply),
                images_kept=sum(picture.key in cached for picture in request.pictures),
            ),
            latency=time.monotonic() - call.start,
        )

    def _look_up(self, call: Call) -> tuple[dict[str, EncodedImage], dict[str, _Patches]]:
        """Returns the encoded images of the cache, and the encoder's input for the other pictures, by key."""
        cached: dict[str, EncodedImage] = {}
        missing: dict[str, _Patches] = {}
        for key, picture in {picture.key: picture for picture in call.request.pictures}.items():
            image = self._cache.get(self._identity, key)
            if image is not None:
                cached[key] = image
            else:
                missing[key] = self._patches(call, picture)
        return cached, missing

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
            tokens = self._writer.expand_image_tokens(tokens, sizes)
        context_length = self._config.get_text_config().max_position_embeddings
        if len(tokens) + call.request.max_tokens > context_length:
            raise call.failed(
                ContextOverflowError,
                f"a prompt of {len(tokens)} tokens and a reply of {call.request.max_tokens} are more than the "
                f"{context_length} that it can read",
                _SMALLER,
            )
        return tokens

    def _encode(self, key: str, patches: _Patches) -> EncodedImage:
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

    def _generate(self, call: Call, prompt: Sequence[int], images: Sequence[EncodedImage]) -> list[int]:
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
                pad_token_id=self._ends[0],  # required, but without effect on a batch of one prompt
                **_sampling_arguments(call.request.sampling, len(prompt)),
                **inputs,
            )
        reply: list[int] = written[0, len(prompt) :].tolist()
        return reply


@dataclass(frozen=True)
class _Patches:
    """Input of a vision encoder for one picture.

    Attributes:
        grid: Number of patches in time, height and width.
        pixels: (patches, values) tensor.
    """

    grid: tuple[int, int, int]
    pixels: Any


def _encoder_outputs(images: Sequence[EncodedImage]) -> Any:
    """Returns images in the form of a vision encoder's output, which the networks' forward functions take.

    Pooled embeddings are listed by image, and deepstack features by layer and image.
    """
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    outputs: Any = BaseModelOutputWithPooling(pooler_output=[image.tokens for image in images])
    outputs.deepstack_features = [
        list(layer) for layer in zip(*(image.layers for image in images), strict=True)
    ]
    return outputs


def _sampling_arguments(sampling: Sampling, prompt: int) -> dict[str, Any]:
    """Returns arguments of `generate`; decoding is greedy if the temperature is 0. prompt: its number of tokens."""
    arguments: dict[str, Any] = {"do_sample": sampling.temperature != 0.0}
    if sampling.presence_penalty:
        arguments["logits_processor"] = [_presence_penalty(sampling.presence_penalty, prompt)]
    if sampling.temperature == 0.0:
        return {**arguments, "temperature": None, "top_p": None, "top_k": None}
    return {
        **arguments,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
    }


def _presence_penalty(penalty: float, prompt: int) -> Callable[[Any, Any], Any]:
    """Returns a processor of logits that subtracts a penalty once for each token that the reply already holds."""

    def apply(tokens: Any, logits: Any) -> Any:
        import torch

        return logits - torch.zeros_like(logits).scatter(1, tokens[:, prompt:], penalty)

    return apply
