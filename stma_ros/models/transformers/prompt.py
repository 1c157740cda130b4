"""Turns as the tokens that a model in this process reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from stma_ros.models.chat import ChatMessage, Part
from stma_ros.models.images import Picture


class PromptWriter:
    """Writes with the chat template of a tokenizer; where it has none, in the form that Qwen's models are trained on.

    image_token: the token that stands for an image; None for a model that reads only text.
    """

    def __init__(self, tokenizer: Any, config: Any) -> None:
        """config: of the model; without an `image_token_id`, it reads only text."""
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
        """The prompt up to where the reply begins; one image token for each picture.

        Raises jinja2.TemplateError where the template does not take the turns.
        """
        if self._tokenizer.chat_template is None:
            text = "".join(map(self._chatml_text, messages)) + "<|im_start|>assistant\n"
        else:
            text = self._tokenizer.apply_chat_template(
                list(map(self._message, messages)), tokenize=False, add_generation_prompt=True
            )
        tokens: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return tokens

    def with_room(self, tokens: Sequence[int], sizes: Sequence[int]) -> list[int]:
        """The same prompt with as many image tokens for each picture as it has embeddings (sizes)."""
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
        """Texts that follow one another as one, on a line each: that is how Turn.text and servers join them."""
        for is_text, parts in groupby(message.parts, lambda part: isinstance(part, str)):
            if is_text:
                yield self._plain("\n".join(map(str, parts)))
            else:
                yield from parts

    def _plain(self, text: str) -> str:
        """Without the model's own marks: what somebody wrote or read must not end a turn, nor stand for an image. Nor
        with half a surrogate pair, which a tokenizer does not take."""
        return self._special.sub(" ", text).encode(errors="replace").decode()
