"""Converts chat messages to the tokens of a model in this process."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from stma_ros.models.chat import ChatMessage, Part
from stma_ros.models.images import Picture


class PromptWriter:
    """Renders prompts with the chat template of a tokenizer, or in ChatML, Qwen's own format, if it has none.

    Attributes:
        image_token: Id of the token that represents an image; None for a model of text alone.
    """

    def __init__(self, tokenizer: Any, config: Any) -> None:
        """Makes a writer for a model.

        Args:
            tokenizer: Its tokenizer.
            config: Its configuration; `image_token_id` is missing for a model of text alone.
        """
        self.image_token: int | None = getattr(config, "image_token_id", None)
        self._tokenizer = tokenizer
        marks = (
            getattr(config, f"{mark}_token_id", None) for mark in ("vision_start", "image", "vision_end")
        )
        self._image = "".join(tokenizer.convert_ids_to_tokens([mark for mark in marks if mark is not None]))
        special = {str(added) for added in tokenizer.added_tokens_decoder.values() if added.special}
        self._special = re.compile(
            "|".join(map(re.escape, sorted(special, key=len, reverse=True))) or r"(?!)"
        )

    def tokens(self, messages: Sequence[ChatMessage]) -> list[int]:
        """Returns the tokens of the prompt, up to the beginning of the reply, with one image token for each picture.

        Raises:
            jinja2.TemplateError: The template does not support these messages.
        """
        if self._tokenizer.chat_template is None:
            text = "".join(map(self._chatml_text, messages)) + "<|im_start|>assistant\n"
        else:
            text = self._tokenizer.apply_chat_template(
                list(map(self._message, messages)), tokenize=False, add_generation_prompt=True
            )
        tokens: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return tokens

    def expand_image_tokens(self, tokens: Sequence[int], sizes: Sequence[int]) -> list[int]:
        """Returns the prompt with as many image tokens for each picture as it has embeddings.

        Args:
            tokens: A prompt with one image token for each picture.
            sizes: Number of embeddings of each picture.
        """
        rest = iter(sizes)
        return [
            same for token in tokens for same in [token] * (next(rest) if token == self.image_token else 1)
        ]

    def _message(self, message: ChatMessage) -> dict[str, Any]:
        if self.image_token is None:
            return {"role": message.role.value, "content": self._plain(message.text)}
        parts = [
            {"type": "image"} if isinstance(part, Picture) else {"type": "text", "text": part}
            for part in self._parts(message)
        ]
        return {"role": message.role.value, "content": parts}

    def _chatml_text(self, message: ChatMessage) -> str:
        content = "".join(self._image if isinstance(part, Picture) else part for part in self._parts(message))
        return f"<|im_start|>{message.role.value}\n{content}<|im_end|>\n"

    def _parts(self, message: ChatMessage) -> Iterator[Part]:
        """Yields the parts, with consecutive texts joined by line feeds as in ChatMessage.text and by servers."""
        for is_text, parts in groupby(message.parts, lambda part: isinstance(part, str)):
            if is_text:
                yield self._plain("\n".join(map(str, parts)))
            else:
                yield from parts

    def _plain(self, text: str) -> str:
        """Returns a text without special tokens and halves of surrogate pairs.

        Special tokens in a text must not end a message or represent an image, and tokenizers reject surrogates.
        """
        return self._special.sub(" ", text).encode(errors="replace").decode()
