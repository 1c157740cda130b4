"""How replies of models are sampled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sampling:
    """How a reply is sampled.

    Attributes:
        temperature: 0 = always the likeliest token.
        top_p: probability mass of the tokens that are considered.
        seed: None = the model's choice.
        top_k: number of the likeliest tokens that are considered; 0 = all. OpenAI's own API does not have it.
        presence_penalty: subtracted from the logit of each token that the reply already holds.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None
    top_k: int = 0
    presence_penalty: float = 0.0
