"""Tests of adding a role with a module, a prompt and rules: everything that derives from the registry includes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from stma_ros.agents.configured_agent import model_waits
from stma_ros.apps.doctor.models import check_models
from stma_ros.components.role_calls import role_call
from stma_ros.models.errors import ModelError
from stma_ros.models.model_pool import ModelPool
from stma_ros.models.scripted import ScriptedModel
from stma_ros.roles.corruption import FaultKind
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.registry import ROLES, model_config_of
from stma_ros.roles.runner import PromptedRole
from stma_ros.roles.spec import Role
from stma_ros.testing.model_server.role_answers import STAND_INS, of_text
from stma_ros.testing.model_server.server import ModelServer, ServerOptions, serving
from stma_ros.types.errors import ConfigurationError, RoleError
from stma_ros.types.prompt_length import count_tokens
from stma_ros.types.settings import configure, settings_of
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.markdown import import_from

_PAGE = "docs/howto/own_role.md"
_role, _rules = import_from(_PAGE, "examiner.role"), import_from(_PAGE, "examiner.rules")
BEST, EXAMINER, WORST, ExaminerQuery, Mark = (
    _role.BEST,
    _role.EXAMINER,
    _role.WORST,
    _role.ExaminerQuery,
    _role.Mark,
)
EXAMPLE, SAMPLE, WordExaminer, stand_in = _rules.EXAMPLE, _rules.EXAMS, _rules.WordExaminer, _rules.stand_in
DOMAIN = SAMPLE.package
KNOWN = (*ROLES, EXAMINER)
CONFIG = model_config_of(KNOWN)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    options = ServerOptions(stand_ins={**STAND_INS, (DOMAIN, EXAMINER): of_text(stand_in)})
    with serving(options=options) as server:
        yield server


def marked_by(models: ModelPool, rules: WordExaminer | None = None) -> Role[ExaminerQuery, Mark]:
    client = models.client(EXAMINER.name)
    assert client is not None
    return PromptedRole(EXAMINER, client, find_prompt(EXAMINER.name, DOMAIN), rules)


def scripted(*lines: str) -> tuple[ModelPool, ScriptedModel]:
    model = ScriptedModel(lines)
    return ModelPool(CONFIG(examiner="scripted:lines"), lambda *_: model), model


def test_rules_answer_the_sample_role() -> None:
    assert SAMPLE.make_rules(EXAMINER, None).answer(EXAMPLE).mark == BEST
    assert (
        WordExaminer().answer(ExaminerQuery("Where is the mug?", "in the sink", "on a table")).mark == WORST
    )


def test_model_answers_the_sample_role_over_http(server: ModelServer) -> None:
    before = server.requests
    with closing(ModelPool(CONFIG(examiner=f"openai:rules@{server.url}"))) as models:
        assert marked_by(models).answer(EXAMPLE) == WordExaminer().answer(EXAMPLE)
    assert server.requests == before + 1


def test_a_failing_stand_in_is_reported_in_one_line_to_client_and_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(question: str) -> None:
        raise ZeroDivisionError("no marks")

    options = ServerOptions(stand_ins={**STAND_INS, (DOMAIN, EXAMINER): of_text(fail)})
    with (
        serving(options=options) as server,
        closing(ModelPool(CONFIG(examiner=f"openai:rules@{server.url}"))) as models,
        pytest.raises(ModelError, match="The stand-in cannot answer: ZeroDivisionError: no marks"),
    ):
        marked_by(models).answer(EXAMPLE)
    assert capsys.readouterr().err == "The stand-in cannot answer: ZeroDivisionError: no marks\n"


def test_sample_role_settles_a_question_without_the_model() -> None:
    models, model = scripted()
    assert marked_by(models).answer(ExaminerQuery("Where is the mug?", "in the sink", "")).mark == WORST
    assert model.requests == []


def test_sample_role_sends_a_refused_reply_back_once_with_the_problem() -> None:
    models, model = scripted('{"reason": "", "mark": 9}', '{"reason": "so", "mark": 4}')
    assert marked_by(models).answer(EXAMPLE) == Mark(4, "so")
    assert "the mark is 9; give one from 1 to 5" in model.requests[1].messages[-1].text


def test_rules_answer_the_sample_role_when_the_model_has_no_usable_answer() -> None:
    models, _ = scripted("no", "no")
    assert marked_by(models, WordExaminer()).answer(EXAMPLE) == WordExaminer().answer(EXAMPLE)


def test_answers_of_the_sample_role_are_corrupted_by_its_classes_of_fault() -> None:
    seen = set()
    for seed in range(12):
        examiner = FaultyRole(EXAMINER, WordExaminer(), FaultConfig(1.0, seed))
        with suppress(RoleError):  # malformed answers
            assert examiner.answer(EXAMPLE).mark == WORST
        injected = examiner.take()
        assert injected is not None
        seen.add(injected.kind)
    assert seen == {FaultKind.FLIPPED, FaultKind.MALFORMED}


def test_setting_of_the_sample_role_chooses_its_model() -> None:
    assert [item.description for item in settings_of(CONFIG) if item.name == EXAMINER.name] == [
        "what answers the examiner; empty = as model.default says"
    ]
    assert configure(CONFIG, {"examiner": "scripted:lines"}, "model").model_roles == (EXAMINER.name,)


def test_executor_waits_for_the_sample_role() -> None:
    waits = model_waits(CONFIG(examiner="scripted:lines", deadline=10.0), [EXAMINER.name], 1, KNOWN)
    assert waits == {"step_deadline": 20.0, "plan_deadline": 0.0, "critique_deadline": 0.0}


def test_telemetry_contains_the_context_size_of_the_sample_role() -> None:
    _, call = role_call(EXAMINER, EXAMPLE, StepStamp(task_id="t", step=3))
    assert isinstance(call, RoleCall)
    assert (call.role, call.context_tokens) == ("examiner", count_tokens(EXAMINER.text(EXAMPLE)))


def test_doctor_asks_the_sample_role_its_example(
    server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {EXAMINER.name: f"openai:rules@{server.url}"}
    assert check_models(settings, 1, KNOWN, [SAMPLE]) == 0
    assert "examiner: 1 of 1 answers usable" in capsys.readouterr().out


def test_domain_without_a_prompt_of_the_sample_role_is_refused_with_cause_and_remedy() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"examiner in cooking: there is no prompt.*prompts/examiner\.md.*model\.examiner=rules",
    ):
        find_prompt(EXAMINER.name, "stma_ros.domains.cooking")
