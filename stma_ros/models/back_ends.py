"""Makes the model that a specification names."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from stma_ros.models.chat import ChatModel
from stma_ros.models.limited_model import Budget, LimitedModel, Limits
from stma_ros.models.replies import RecordedModel
from stma_ros.models.scripted import ScriptedModel
from stma_ros.models.settings import (
    OPENAI,
    RECORDED,
    RETRY,
    SCRIPTED,
    TRANSFORMERS,
    ModelConfig,
    ModelSpec,
    read_spec,
)
from stma_ros.types.errors import ConfigurationError


def limits_of(config: ModelConfig) -> Limits:
    """Returns the limits that the settings give."""
    return Limits(
        attempts=config.attempts,
        concurrency=config.concurrency,
        tokens=config.tokens,
        money=config.money,
        idle_tokens=config.idle_tokens,
        idle_money=config.idle_money,
        price_in=config.price_in,
        price_out=config.price_out,
    )


def make_model(spec: str, config: ModelConfig, budget: Budget) -> ChatModel:
    """Makes the model of a specification.

    Raises:
        ConfigurationError: the specification is invalid, or its folder contains no model.
        MissingDependencyError: a library is not installed.
        StorageError: the recording does not exist.
    """
    read = read_spec(spec)
    model = _MAKERS[read.kind](read, config)
    if read.kind == RECORDED:
        return model  # limits applied when it was recorded
    grace_period = config.grace_period if config.on_failure == RETRY else 0.0
    return LimitedModel(model, limits_of(config), budget, grace_period=grace_period)


def _openai(spec: ModelSpec, config: ModelConfig) -> ChatModel:
    from stma_ros.models.openai.server import OpenAiModel, Structured

    key = os.environ.get(spec.key_variable, "")
    return OpenAiModel(
        spec.target, spec.url, key, structured=Structured(config.structured), key_name=spec.key_variable
    )


def _transformers(spec: ModelSpec, config: ModelConfig) -> ChatModel:
    from stma_ros.models.transformers.model import TransformersModel
    from stma_ros.models.vision_cache import VisionCache

    return TransformersModel.load(spec.target, VisionCache(config.vision_cache * 2**20))


def _recorded(spec: ModelSpec, config: ModelConfig) -> ChatModel:
    return RecordedModel(Path(spec.target))


def _scripted(spec: ModelSpec, config: ModelConfig) -> ChatModel:
    """Reads a file with one reply per line, each a JSON object or a quoted text."""
    try:
        lines = Path(spec.target).read_text(encoding="utf-8").split("\n")
        replies = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"the script {spec.target} cannot be read: {error}") from error
    return ScriptedModel([reply if isinstance(reply, str) else json.dumps(reply) for reply in replies])


_MAKERS: Mapping[str, Callable[[ModelSpec, ModelConfig], ChatModel]] = {
    OPENAI: _openai,
    TRANSFORMERS: _transformers,
    RECORDED: _recorded,
    SCRIPTED: _scripted,
}
