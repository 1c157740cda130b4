"""`stma doctor --model`: sends each role's example to its model, and recommends settings."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stma_ros.apps.console import figure, make_console, make_progress
from stma_ros.apps.doctor.boxes import BoxFinding, measure_boxes
from stma_ros.domains.examples import Example, examples
from stma_ros.domains.registry import DOMAINS
from stma_ros.domains.spec import Domain
from stma_ros.evaluation.model_use import model_use
from stma_ros.models.box_convention import BoxConvention
from stma_ros.models.chat import Finish
from stma_ros.models.errors import DeadlineError, UnknownModelError, UnreachableError, WrongKeyError
from stma_ros.models.model_pool import ModelPool, RoleClient
from stma_ros.models.settings import FAIL, JSON, OPENAI, SCHEMA, TRANSFORMERS, ModelConfig, read_spec
from stma_ros.roles.registry import ROLES, model_config_of
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.spec import AnyRole, UnusableReplyError
from stma_ros.types.errors import ConfigurationError, RoleError
from stma_ros.types.settings import configure
from stma_ros.types.telemetry import ModelCall

REPEAT = 3

_AWAY = (UnreachableError, WrongKeyError, UnknownModelError)
"""After one of these errors the model is asked nothing more."""

_MISSED = 2  # missed deadlines before any answer; a server may miss the first while it loads its model
_NEAR = 0.5  # share of the deadline; an example is short compared with the questions of a long task
_COLUMNS = ("usable", "at once", "second try", "median [s]", "prompt tokens", "cached", "reply tokens")


@dataclass(frozen=True)
class Trial:
    """One question. calls: the requests sent for it. error: why there is no usable answer."""

    calls: tuple[ModelCall, ...]
    error: RoleError | None = None

    @property
    def answered(self) -> tuple[ModelCall, ...]:
        return tuple(call for call in self.calls if not call.error)

    @property
    def was_cut_off(self) -> bool:
        return any(call.finish == Finish.LENGTH.value for call in self.calls)

    @property
    def went_back(self) -> bool:
        """Whether its first reply was unusable."""
        return len(self.calls) > 1 or isinstance(self.error, UnusableReplyError)


@dataclass(frozen=True)
class RoleCheck:
    """The questions of one example to its role's model.

    Attributes:
        example: the question.
        spec: the model, in the settings' form.
        model: the model, for people.
        trials: the questions that were sent.
        boxes: in which convention the model draws boxes; None where it draws none, or was not asked.
    """

    example: Example
    spec: str
    model: str
    trials: tuple[Trial, ...]
    boxes: BoxFinding | None = None

    @property
    def usable(self) -> int:
        return sum(trial.error is None for trial in self.trials)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The calls that were answered."""
        return tuple(call for trial in self.trials for call in trial.answered)


def check_models(
    models: Mapping[str, str],
    repeat: int = REPEAT,
    roles: Sequence[AnyRole] = ROLES,
    domains: Sequence[Domain] = tuple(DOMAINS.values()),
) -> int:
    """Runs the subcommand.

    Args:
        models: settings of models.settings as text.
        repeat: questions per example.
        roles: all roles.
        domains: all domains.

    Returns:
        The exit status: 1 where a role had no usable answer at all.

    Raises:
        ConfigurationError: no model, or an unknown role, is named.
        StmaError: as `make_model`.
    """
    # Without cache and retries: each question is sent, and an absent server is not waited for.
    config = replace(configure(model_config_of(roles), models, "model"), cache_size=0, on_failure=FAIL)
    if not config.model_roles:
        raise ConfigurationError(
            "no model is named; name one: stma doctor --model --set model=openai:NAME@http://localhost:8000/v1"
        )
    console = make_console()
    checks = tuple(_shown(config, examples(roles, domains), repeat, console))
    by_model = {check.spec: [each for each in checks if each.spec == check.spec] for check in checks}
    for those in by_model.values():
        console.print(_table(those))
    advice = [
        text for spec, those in by_model.items() for text in _advice(those, read_spec(spec).kind, config)
    ]
    console.print("[bold]to change[/]" if advice else "there is nothing to change")
    for text in advice:
        console.print(f"  - {text}", markup=False, highlight=False, soft_wrap=True)
    return 0 if all(check.usable for check in checks) else 1


def _shown(
    config: ModelConfig, asked: Iterable[Example], repeat: int, console: Console
) -> Iterator[RoleCheck]:
    """Yields the checks one after the other, each printed as soon as it is done."""
    tried: dict[str, list[Trial]] = {}
    with closing(ModelPool(config)) as models, make_progress(console) as progress:
        chosen = [example for example in asked if example.role.name in config.model_roles]
        bar = progress.add_task("", total=repeat * len(chosen), rate="")
        for example in chosen:
            progress.update(bar, rate=f"asking the {example.name}")
            client = models.client(example.role.name)
            assert client is not None  # a model answers it
            spec, trials = config.of(example.role.name), list[Trial]()
            before = tried.setdefault(spec, [])
            for _ in range(repeat):
                if not _is_lost(before):
                    trials.append(_tried(example, client, models))
                    before.append(trials[-1])
                progress.update(bar, advance=1)
            boxes = None
            if example.role is SCENE_GRAPH and not _is_lost(before):
                boxes = measure_boxes(client, client.boxes, example.domain)
                models.log.take()
            check = RoleCheck(example, spec, client.model.name, tuple(trials), boxes)
            progress.console.print(f"{example.name}: {_usable(check)}", highlight=False)
            if boxes is not None:
                progress.console.print(f"{example.name}: {boxes.text}", markup=False, highlight=False)
            yield check


def _tried(example: Example, client: RoleClient, models: ModelPool) -> Trial:
    error: RoleError | None = None
    try:
        example.ask(client)
    except RoleError as problem:
        error = problem
    return Trial(models.log.take(), error)


def _is_lost(trials: Sequence[Trial]) -> bool:
    """Whether further questions to the model would be in vain."""
    if trials and isinstance(trials[-1].error, _AWAY):
        return True
    return len(trials) >= _MISSED and all(isinstance(trial.error, DeadlineError) for trial in trials)


# -- what is shown


def _table(checks: Sequence[RoleCheck]) -> Table:
    """Returns the table of one model."""
    table = Table(title=escape(checks[0].model), title_justify="left")
    table.add_column("role")
    for heading in _COLUMNS:
        table.add_column(escape(heading), justify="right")
    for check in checks:
        table.add_row(check.example.name, *(_cells(check) if check.trials else ["-"] * len(_COLUMNS)))
    return table


def _cells(check: RoleCheck) -> tuple[str, ...]:
    at_once = sum(trial.error is None and not trial.went_back for trial in check.trials)
    latencies = [call.latency for call in check.calls]
    use = model_use(check.calls)
    return (
        f"{check.usable} of {len(check.trials)}",
        str(at_once),
        str(check.usable - at_once),
        figure(statistics.median(latencies) if latencies else None),
        _mean(use.prompt_tokens, use.calls),
        f"{use.cached_tokens / use.reported_tokens:.0%}" if use.reported_tokens else "-",
        _mean(use.reply_tokens, use.calls),
    )


def _mean(tokens: int, calls: int) -> str:
    """Returns the mean number of tokens; 0 where the model does not report them."""
    return f"{tokens / calls:.0f}" if tokens else "-"


def _usable(check: RoleCheck) -> str:
    return f"{check.usable} of {len(check.trials)} answers usable" if check.trials else "not asked"


def _names(checks: Sequence[RoleCheck]) -> str:
    return ", ".join(check.example.name for check in checks)


# -- what to change


def _advice(checks: Sequence[RoleCheck], kind: str, config: ModelConfig) -> Iterator[str]:
    """Yields advice about one model. kind: of its specification."""
    yield from _of_errors(checks)
    yield from _of_cut_off(checks)
    yield from _of_unusable(checks, kind, config)
    yield from _of_boxes(checks, config)
    yield from _of_time(checks, config)
    if kind == OPENAI:
        yield from _of_prefix_cache(checks)


def _of_errors(checks: Sequence[RoleCheck]) -> Iterator[str]:
    """Yields the first error of each kind, which names its remedy, and their number."""
    errors = [trial.error for check in checks for trial in check.trials if trial.error is not None]
    first = {type(error): error for error in reversed(errors)}
    for kind, error in first.items():
        if kind is not UnusableReplyError:
            count = sum(type(each) is kind for each in errors)
            yield f"{error}" + (f" ({count} times)" if count > 1 else "")


def _of_cut_off(checks: Sequence[RoleCheck]) -> Iterator[str]:
    cut = [check for check in checks if any(trial.was_cut_off for trial in check.trials)]
    if cut:
        yield (
            f"{_names(cut)}: replies were cut off. Give the model a larger context, ask one that says less, or raise "
            "reply_tokens in the head of the role's prompt (prompts/ of its domain, or of roles)"
        )


def _of_unusable(checks: Sequence[RoleCheck], kind: str, config: ModelConfig) -> Iterator[str]:
    wrong = {
        check.example: [trial for trial in check.trials if trial.went_back and not trial.was_cut_off]
        for check in checks
    }
    those = [check for check in checks if wrong[check.example]]
    if not those:
        return
    errors = (trial.error for trials in wrong.values() for trial in trials)
    shown = next((f", such as: {error}" for error in errors if isinstance(error, UnusableReplyError)), "")
    count = sum(map(len, wrong.values()))
    replaceable = [check.example.role.name for check in those if not check.example.role.has_images]
    rules = f", or leave it to the rules (model.{replaceable[0]}=rules)" if replaceable else ""
    remedies = "; ".join((*_of_form(kind, config), f"take a larger model{rules}"))
    yield f"{_names(those)}: {count} first replies could not be used{shown}. What may help: {remedies}"


def _of_boxes(checks: Sequence[RoleCheck], config: ModelConfig) -> Iterator[str]:
    """Yields the setting of the convention of boxes, if they are of another one."""
    for finding in (check.boxes for check in checks if check.boxes is not None):
        if finding.advice:
            whole_numbers = finding.found is BoxConvention.FRACTIONS and config.structured == SCHEMA
            yield finding.advice + (
                f", and model.structured={JSON}, since the schema allows whole numbers only"
                if whole_numbers
                else ""
            )


def _of_form(kind: str, config: ModelConfig) -> Iterator[str]:
    """Yields the remedies for replies that do not have the required form."""
    if kind == OPENAI and config.structured != SCHEMA:
        yield f"set model.structured={SCHEMA}, if the server can hold replies to a JSON schema"
    elif kind == OPENAI:
        yield "see whether the server does hold replies to the JSON schema that it is sent"
    elif kind == TRANSFORMERS:
        yield "have a server run the model that can hold replies to a JSON schema: in this process nothing does"
    if config.temperature > 0:
        yield "lower model.temperature"


def _of_time(checks: Sequence[RoleCheck], config: ModelConfig) -> Iterator[str]:
    longest = {check.example: max((call.latency for call in check.calls), default=0.0) for check in checks}
    slow = [check for check in checks if longest[check.example] > _NEAR * config.deadline]
    if slow:
        yield (
            f"{_names(slow)}: an answer took {max(longest.values()):.3g} s of the {config.deadline:g} s that "
            "model.deadline allows, and questions grow. Raise it, or ask a faster model"
        )


def _of_prefix_cache(checks: Sequence[RoleCheck]) -> Iterator[str]:
    use = model_use([call for check in checks for call in check.calls])
    if use.calls > 1 and not use.cached_tokens:
        measured = (
            "read every prompt anew" if use.reported_tokens else "does not tell whether it has a prefix cache"
        )
        yield (
            f"{checks[0].model} {measured}. All requests of a role begin alike: let it keep what it has read (vLLM: "
            "--enable-prefix-caching, and --enable-prompt-tokens-details so that it tells)"
        )
