"""A role that is added with a module, a prompt and rules: all that derives from the registry knows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from stma_ros.agents.configured_agent import model_waits
from stma_ros.apps.doctor.models import check_models
from stma_ros.components.role_calls import role_call
from stma_ros.models.model_pool import ModelPool
from stma_ros.models.scripted import ScriptedModel
from stma_ros.roles.corruption import FaultKind
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.registry import ROLES, model_config_of
from stma_ros.roles.rendering import count_tokens
from stma_ros.roles.runner import PromptedRole
from stma_ros.roles.spec import Role
from stma_ros.testing.model_server.role_answers import STAND_INS, of_text
from stma_ros.testing.model_server.server import ModelServer, ServerOptions, serving
from stma_ros.types.errors import ConfigurationError, RoleError
from stma_ros.types.settings import configure, settings_of
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.markdown import import_from

_PAGE = "docs/howto/own_role.md"
_role, _rules = import_from(_PAGE, "judge.role"), import_from(_PAGE, "judge.rules")
BEST, JUDGE, WORST, JudgeQuery, Mark = _role.BEST, _role.JUDGE, _role.WORST, _role.JudgeQuery, _role.Mark
EXAMPLE, SAMPLE, WordJudge, stand_in = _rules.EXAMPLE, _rules.EXAMS, _rules.WordJudge, _rules.stand_in
DOMAIN = SAMPLE.package
KNOWN = (*ROLES, JUDGE)
CONFIG = model_config_of(KNOWN)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    options = ServerOptions(stand_ins={**STAND_INS, (DOMAIN, JUDGE): of_text(stand_in)})
    with serving(options=options) as server:
        yield server


def judged_by(models: ModelPool, rules: WordJudge | None = None) -> Role[JudgeQuery, Mark]:
    client = models.client(JUDGE.name)
    assert client is not None
    return PromptedRole(JUDGE, client, find_prompt(JUDGE.name, DOMAIN), rules)


def scripted(*lines: str) -> tuple[ModelPool, ScriptedModel]:
    model = ScriptedModel(lines)
    return ModelPool(CONFIG(judge="scripted:lines"), lambda *_: model), model


def test_rules_answer_a_role_with_its_one_verb() -> None:
    assert SAMPLE.make_rules(JUDGE, None).answer(EXAMPLE).mark == BEST
    assert WordJudge().answer(JudgeQuery("Where is the mug?", "in the sink", "on a table")).mark == WORST


def test_a_model_answers_a_role_outside_of_a_component_over_http(server: ModelServer) -> None:
    before = server.requests
    with closing(ModelPool(CONFIG(judge=f"openai:rules@{server.url}"))) as models:
        assert judged_by(models).answer(EXAMPLE) == WordJudge().answer(EXAMPLE)
    assert server.requests == before + 1


def test_a_question_that_is_settled_is_not_put_to_the_model() -> None:
    models, model = scripted()
    assert judged_by(models).answer(JudgeQuery("Where is the mug?", "in the sink", "")).mark == WORST
    assert model.requests == []


def test_a_reply_that_its_role_refuses_goes_back_once_with_what_is_wrong() -> None:
    models, model = scripted('{"reason": "", "mark": 9}', '{"reason": "so", "mark": 4}')
    assert judged_by(models).answer(EXAMPLE) == Mark(4, "so")
    assert "the mark is 9; give one from 1 to 5" in model.requests[1].messages[-1].text


def test_rules_answer_where_the_model_has_no_usable_answer() -> None:
    models, _ = scripted("no", "no")
    assert judged_by(models, WordJudge()).answer(EXAMPLE) == WordJudge().answer(EXAMPLE)


def test_answers_are_corrupted_by_the_classes_of_fault_of_the_role() -> None:
    seen = set()
    for seed in range(12):
        judge = FaultyRole(JUDGE, WordJudge(), FaultConfig(1.0, seed))
        with suppress(RoleError):  # of the malformed ones
            assert judge.answer(EXAMPLE).mark == WORST
        injected = judge.take()
        assert injected is not None
        seen.add(injected.kind)
    assert seen == {FaultKind.FLIPPED, FaultKind.MALFORMED}


def test_a_setting_says_what_answers_it() -> None:
    assert [item.description for item in settings_of(CONFIG) if item.name == JUDGE.name] == [
        "what answers the judge; empty = as model.default says"
    ]
    assert configure(CONFIG, {"judge": "scripted:lines"}, "model").model_roles == (JUDGE.name,)


def test_the_executor_waits_for_it() -> None:
    waits = model_waits(CONFIG(judge="scripted:lines", deadline=10.0), [JUDGE.name], 1, KNOWN)
    assert waits == {"step_deadline": 20.0, "plan_deadline": 0.0, "critique_deadline": 0.0}


def test_telemetry_says_how_much_it_was_told() -> None:
    _, call = role_call(JUDGE, EXAMPLE, StepStamp(task_id="t", step=3))
    assert isinstance(call, RoleCall)
    assert (call.role, call.context_tokens) == ("judge", count_tokens(JUDGE.text(EXAMPLE)))


def test_the_doctor_asks_it_its_example(server: ModelServer, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {JUDGE.name: f"openai:rules@{server.url}"}
    assert check_models(settings, 1, KNOWN, [SAMPLE]) == 0
    assert "judge: 1 of 1 answers usable" in capsys.readouterr().out


def test_a_domain_without_its_prompt_is_refused_with_cause_and_remedy() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"judge in cooking: there is no prompt.*prompts/judge\.md.*model\.judge=rules",
    ):
        find_prompt(JUDGE.name, "stma_ros.domains.cooking")
