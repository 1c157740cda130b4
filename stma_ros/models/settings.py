"""Settings of models: the model of each role, and limits and sampling of calls."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, make_dataclass, replace
from typing import ClassVar

from stma_ros.models.box_convention import AUTO, BoxConvention, convention_of
from stma_ros.models.sampling import Sampling
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import SettingValue, setting, settings_of

RULES = "rules"
OPENAI, TRANSFORMERS, RECORDED, SCRIPTED = "openai", "transformers", "recorded", "scripted"
RETRY, FAIL = "retry", "fail"
SCHEMA, JSON, NONE = "schema", "json", "none"

KEY_VARIABLE = "OPENAI_API_KEY"

_DRAWS_BOXES = "scene_graph"  # the role
_SERVER = re.compile(r"(?P<model>[^#]+?)@(?P<url>https?://[^#\s]+)(?:#(?P<key>\w+))?")
_FILES = (TRANSFORMERS, RECORDED, SCRIPTED)
_FORMS = (
    "openai:MODEL@http://HOST:PORT/v1 (or ...#VARIABLE, the environment variable with its key), "
    "transformers:FOLDER, recorded:RUN_DIR, scripted:FILE, or rules"
)


def refuse_secrets(text: str) -> None:
    """Checks that a model specification contains no key or password, because settings are recorded and shown.

    The text after the # of a server's address must be the name of an environment variable that is set in this process.

    Raises:
        ConfigurationError: The specification contains, or may contain, a secret; the text does not show it.
    """
    kind, _, target = text.partition(":")
    if kind in _FILES:
        return
    _refuse_password(target)
    _, sign, variable = text.partition("#")
    if sign and variable not in os.environ:
        raise ConfigurationError(
            "what follows # is not the name of an environment variable that is set here. It is not shown, in case it "
            "is the key itself. Put the key into a variable: export VARIABLE=KEY, and write "
            f"{hide_key(text)}#VARIABLE"
        )


def hide_key(text: str) -> str:
    """Returns a specification without the text after #, which may be a key."""
    return text.partition("#")[0]


def _refuse_password(target: str) -> None:
    address = target.partition("@http")[2]
    if "@" in address or "?" in address:  # the error does not show the address
        raise ConfigurationError(
            "the address of a model's server must hold no user, password or query: settings are recorded. Put the key "
            "into an environment variable, and name it: openai:MODEL@http://HOST/v1#VARIABLE"
        )


@dataclass(frozen=True)
class RoleSetting:
    """Setting of a role that a model can answer.

    Attributes:
        name: name of the setting and the role.
        title: name of the role in words.
        follows_default: whether `default` applies if the setting is empty.
        sampling: how the role's paper samples, without seed; None = it does not say, or is not followed.
    """

    name: str
    title: str
    follows_default: bool = True
    sampling: Sampling | None = None


@dataclass(frozen=True)
class ModelConfig:
    """Settings that all roles share; `model_config` adds a setting for each role."""

    ROLES: ClassVar[tuple[RoleSetting, ...]] = ()

    default: str = setting(
        "",
        f"what answers every role that has no setting of its own: {_FORMS}; empty = rules",
        validate=refuse_secrets,
    )
    on_failure: str = setting(
        RULES,
        "when a model gives no usable answer: the rules answer, it is asked again for `grace_period` seconds more, or "
        "the role has no answer",
        choices=(RULES, RETRY, FAIL),
    )
    deadline: float = setting(
        60.0, "longest wait for an answer, repetitions included", unit="s", low=0.1, high=3600
    )
    grace_period: float = setting(
        300.0,
        "with on_failure=retry: how much longer a model that is stuck or away is asked again",
        unit="s",
        low=0,
    )
    attempts: int = setting(
        4, "how often a request is sent at most when the server is busy or fails", low=1, high=100
    )
    concurrency: int = setting(4, "requests under way at a time", low=1, high=1000)
    tokens: int = setting(0, "tokens that a task may take, prompts and replies; 0 = any number", low=0)
    money: float = setting(0.0, "money that a task may take, by the prices below; 0 = any sum", low=0)
    idle_tokens: int = setting(
        -1,
        "tokens that steps of no task may take between two tasks; 0 = any number, -1 = as many as a task",
        low=-1,
    )
    idle_money: float = setting(
        -1.0,
        "money that steps of no task may take between two tasks; 0 = any sum, -1 = as much as a task",
        low=-1,
    )
    price_in: float = setting(0.0, "price of a million tokens of prompts", low=0)
    price_out: float = setting(0.0, "price of a million tokens of replies", low=0)
    structured: str = setting(
        SCHEMA,
        "what a server is asked to hold replies to: a JSON schema, any JSON, or nothing",
        choices=(SCHEMA, JSON, NONE),
    )
    temperature: float = setting(0.0, "of sampling; 0 = always the likeliest word", low=0, high=2)
    top_p: float = setting(1.0, "of sampling", low=0.01, high=1)
    top_k: int = setting(
        0,
        "of sampling: how many of the likeliest words are considered; 0 = all, and not sent to a server",
        low=0,
    )
    presence_penalty: float = setting(
        0.0, "of sampling: against words that the reply already holds; 0 = none", low=-2, high=2
    )
    seed: int = setting(-1, "of sampling; -1 = the model's choice", low=-1)
    published_sampling: bool = setting(
        False,
        "whether roles whose paper says how it samples follow it, instead of temperature, top_p, top_k and "
        "presence_penalty",
    )
    boxes: str = setting(
        AUTO,
        "how the model of the scene graph draws boxes: its numbers, left first unless it says otherwise; auto = as the "
        "family of the model is known to, or else thousandths",
        choices=(AUTO, *(each.value for each in BoxConvention)),
    )
    image_pixels: int = setting(500_000, "most pixels of an image; larger ones are made smaller", low=784)
    cache_size: int = setting(
        1000, "answers of an episode that are cached for the same question; 0 = none", low=0
    )
    vision_cache: int = setting(
        512, "memory for what the vision encoder of a model in this process made of images", unit="MB", low=0
    )

    def of(self, role: str) -> str:
        """Returns the specification of the model that answers a role, or RULES."""
        follows_default = all(item.follows_default for item in self.ROLES if item.name == role)
        return self.own(role) or (self.default if follows_default else "") or RULES

    def own(self, role: str) -> str:
        """Returns the value of the role's own setting; empty if it is not set."""
        value: str = getattr(self, role, "")
        return value

    def sampling_of(self, role: str) -> Sampling:
        """Returns how the replies of a role are sampled."""
        published = next((item.sampling for item in self.ROLES if item.name == role), None)
        seed = self.seed if self.seed >= 0 else None
        if self.published_sampling and published is not None:
            return replace(published, seed=seed)
        return Sampling(self.temperature, self.top_p, seed, self.top_k, self.presence_penalty)

    def boxes_of(self, model: str) -> BoxConvention:
        """Returns the convention in which a model of this name draws boxes."""
        return convention_of(model) if self.boxes == AUTO else BoxConvention(self.boxes)

    @property
    def model_roles(self) -> tuple[str, ...]:
        """The roles that models answer."""
        return tuple(item.name for item in self.ROLES if self.of(item.name) != RULES)

    def check(self) -> None:
        """Checks the specifications of all roles, and settings that exclude one another.

        Raises:
            ConfigurationError: A specification is invalid, or replies are held to whole numbers although fractions are
                asked for.
        """
        for role in self.model_roles:
            spec = read_spec(self.of(role))
            if role == _DRAWS_BOXES and spec.kind == OPENAI:
                self._check_fractions()

    def _check_fractions(self) -> None:
        if self.boxes == BoxConvention.FRACTIONS.value and self.structured == SCHEMA:
            raise ConfigurationError(
                f"model.boxes={self.boxes} needs model.structured={JSON} or {NONE}: the schema that the server holds "
                "replies to allows whole numbers only, of which 0 and 1 alone are fractions"
            )


def model_config(roles: Iterable[RoleSetting]) -> type[ModelConfig]:
    """Returns a subclass of ModelConfig with a setting for each role, named like the role.

    Raises:
        ConfigurationError: A name is used twice, is the name of another setting, or cannot be the name of a setting.
    """
    declared = tuple(roles)
    taken = {item.name for item in settings_of(ModelConfig)}
    for item in declared:
        if not item.name.isidentifier() or item.name in taken:
            cause = "exists already" if item.name in taken else "cannot be the name of a setting"
            raise ConfigurationError(
                f"the role {item.name!r} cannot be added: model.{item.name} {cause}; rename it"
            )
        taken.add(item.name)
    fields = [(item.name, str, setting("", _described(item), validate=refuse_secrets)) for item in declared]
    return make_dataclass(
        ModelConfig.__name__, fields, bases=(ModelConfig,), namespace={"ROLES": declared}, frozen=True
    )


def longer_wait(name: str, first: SettingValue, second: SettingValue) -> SettingValue:
    """Returns the value of a setting by which others wait for two nodes that differ in it: the larger number,
    `on_failure` to ask again, which takes longest, and otherwise the second text unless it is empty."""
    if name == "on_failure" and first == RETRY:
        return first
    if isinstance(first, str) or isinstance(second, str):
        return second or first
    return max(first, second)


def _described(item: RoleSetting) -> str:
    rest = "as model.default says" if item.follows_default else "rules, whatever model.default says"
    return f"what answers the {item.title}; empty = {rest}"


@dataclass(frozen=True)
class ModelSpec:
    """A parsed model specification.

    Attributes:
        kind: OPENAI, TRANSFORMERS, RECORDED or SCRIPTED.
        target: name, folder or file of the model.
        url: address of the server; empty for other kinds.
        key_variable: environment variable with the server's key.
    """

    kind: str
    target: str
    url: str = ""
    key_variable: str = KEY_VARIABLE


def read_spec(text: str) -> ModelSpec:
    """Parses a model specification.

    Raises:
        ConfigurationError: The text has none of the known forms.
    """
    kind, colon, target = text.partition(":")
    if kind == OPENAI:
        _refuse_password(target)
        if match := _SERVER.fullmatch(target):
            return ModelSpec(kind, match["model"], match["url"].rstrip("/"), match["key"] or KEY_VARIABLE)
    if kind in _FILES and colon and target:
        return ModelSpec(kind, target)
    shown = hide_key(text) + ("#..." if "#" in text else "")
    raise ConfigurationError(f"{shown!r} is no model. Write {_FORMS}")
