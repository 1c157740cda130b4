"""Small models of real architectures, randomly initialised, of well under a million weights, and their tokenizer."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.decoders import Fuse
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split
from transformers import (
    GenerationConfig,
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2VLImageProcessorPil,
    Qwen3Config,
    Qwen3ForCausalLM,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
)

from stma_ros.models.chat import ChatMessage, ChatReply, ChatRequest, MessageRole, Part
from stma_ros.models.images import Picture, picture
from stma_ros.models.transformers.loading import ModelParts
from stma_ros.models.transformers.model import TransformersModel
from stma_ros.types.component import CancelToken

QWEN2_5_VL = "qwen2_5_vl"
QWEN3_VL = "qwen3_vl"
TEXT_ONLY = "qwen3"
SEEING = [QWEN2_5_VL, QWEN3_VL]
LONGEST = 512  # tokens that the models read and write together

_SPECIAL = [
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
]
_LETTERS = [chr(code) for code in range(32, 127)] + ["\n", "\N{REPLACEMENT CHARACTER}"]
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_TEXT: dict[str, Any] = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": LONGEST,
    "vocab_size": len(_SPECIAL) + len(_LETTERS),
    "bos_token_id": 0,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
_TOKENS = {
    "vision_start_token_id": 3,
    "vision_end_token_id": 4,
    "image_token_id": 5,
    "video_token_id": 6,
}


def small_tokenizer(chat_template: str | None = CHAT_TEMPLATE) -> PreTrainedTokenizerFast:
    """Returns a tokenizer whose tokens are the printable letters."""
    vocabulary = {token: number for number, token in enumerate([*_SPECIAL, *_LETTERS])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=_LETTERS[-1]))
    tokenizer.pre_tokenizer = Split("", "isolated")
    tokenizer.decoder = Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=_SPECIAL,
        chat_template=chat_template,
    )


def small_parts(kind: str, chat_template: str | None = CHAT_TEMPLATE) -> ModelParts:
    return ModelParts(small_network(kind), small_tokenizer(chat_template), small_processor(kind))


def noise(seed: int, height: int = 90, width: int = 150) -> Picture:
    """Returns an image that differs for each seed."""
    return picture(np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8))


def request(*parts: Part, **options: Any) -> ChatRequest:
    """Returns a chat request.

    Args:
        options: fields of the request.
    """
    messages = ChatMessage(MessageRole.SYSTEM, ("Answer in JSON.",)), ChatMessage(MessageRole.USER, parts)
    return ChatRequest(**{"role": "planner", "messages": messages, "max_tokens": 6, **options})


def asked(model: TransformersModel, *parts: Part, **options: Any) -> ChatReply:
    return model.chat(request(*parts, **options), CancelToken())


def small_processor(kind: str) -> Qwen2VLImageProcessorPil | None:
    """Returns a processor that makes 4 to 64 tokens of an image."""
    if kind == TEXT_ONLY:
        return None
    patch = _patch(kind)
    return Qwen2VLImageProcessorPil(
        patch_size=patch, min_pixels=4 * (2 * patch) ** 2, max_pixels=64 * (2 * patch) ** 2
    )


def small_network(kind: str) -> Any:
    """Returns a network that never emits the end token, so that every reply has the requested length."""
    torch.manual_seed(0)
    network: Any
    rope = {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 10_000.0}
    if kind == QWEN2_5_VL:
        vision: dict[str, Any] = {
            "depth": 2,
            "hidden_size": 64,
            "intermediate_size": 96,
            "num_heads": 4,
            "out_hidden_size": 64,
            "patch_size": _patch(kind),
            "fullatt_block_indexes": [1],
        }
        text = {**_TEXT, "rope_parameters": rope}
        network = Qwen2_5_VLForConditionalGeneration(
            Qwen2_5_VLConfig(text_config=text, vision_config=vision, **_TOKENS)
        )
    elif kind == QWEN3_VL:
        vision = {
            "depth": 3,
            "hidden_size": 64,
            "intermediate_size": 96,
            "num_heads": 4,
            "out_hidden_size": 64,
            "patch_size": _patch(kind),
            "num_position_embeddings": 64,
            "deepstack_visual_indexes": [0, 1],
        }
        text = {**_TEXT, "head_dim": 16, "rope_parameters": rope}
        network = Qwen3VLForConditionalGeneration(
            Qwen3VLConfig(text_config=text, vision_config=vision, **_TOKENS)
        )
    else:
        network = Qwen3ForCausalLM(Qwen3Config(**_TEXT, head_dim=16))
    network.generation_config = GenerationConfig(
        bos_token_id=0, pad_token_id=0, eos_token_id=2, suppress_tokens=list(range(len(_SPECIAL)))
    )
    return network.eval()


def _patch(kind: str) -> int:
    return 14 if kind == QWEN2_5_VL else 16
