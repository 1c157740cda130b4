"""Prompts are files: a head that says what they may take, and the text that every request begins with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import yaml

_HEAD = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class Prompt:
    """The unchanging part of a request, which comes first, so that a model's prefix cache holds it.

    name: the file's, without its ending; version: rises with every change of its meaning. Budgets, counted in words and
    marks (roles.context.count_tokens) but for reply_tokens, which are the model's own: `instructions` of the text
    itself, `question` of what follows it.
    """

    name: str
    version: int
    instructions: int
    question: int
    reply_tokens: int
    text: str


@lru_cache
def load_prompt(name: str) -> Prompt:
    """Of a file in roles/prompts, named without its ending: "text/planner"."""
    content = files("stma_ros.roles.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")
    match = _HEAD.fullmatch(content)
    assert match is not None, f"the prompt {name} has no head"
    return Prompt(name, text=match["text"].strip(), **yaml.safe_load(match["head"]))
