"""Balance of the answers: what the questions give away to somebody who looks at nothing."""

from __future__ import annotations

from stma_ros.domains.eqa.prior_answerer import PriorAnswerer, read_priors
from stma_ros.evaluation.eqa.generation.blind_prior import (
    ANSWER_PRIORS,
    PRIOR_FILE,
    TRAINING_EPISODES,
    BlindPrior,
    blind_prior,
    load_training_answers,
    template_of,
    training_answers,
)
from stma_ros.evaluation.eqa.generation.catalogue import CATALOGUE
from stma_ros.evaluation.eqa.generation.episode import QuestionEpisode
from stma_ros.roles.answerer import AnswerQuery

YES_NO = ("yes", "no")


def test_a_prior_gives_the_most_frequent_answer_to_each_template() -> None:
    prior = BlindPrior.of(
        [("is on", "yes"), ("is on", "no"), ("is on", "no"), ("room of", "the kitchen"), ("exists", "yes")]
    )
    assert prior.answers == {"is on": "no", "room of": "the kitchen", "exists": "yes"}
    assert prior.answer("Is the fan switched on?") == "no"
    assert prior.answer("In which room is the red mug?") == "the kitchen"


def test_a_prior_gives_the_usual_answer_to_an_unknown_question() -> None:
    prior = BlindPrior.of([("is on", "no"), ("is on", "no"), ("exists", "yes")])
    assert prior.answer("Who lives here?") == "no"


def test_the_template_of_a_question_follows_from_its_text(episodes: list[QuestionEpisode]) -> None:
    for episode in episodes:
        assert template_of(episode.task.text) == episode.truth.template


def test_the_stored_patterns_give_the_answers_of_the_prior(episodes: list[QuestionEpisode]) -> None:
    prior, answerer = blind_prior(), PriorAnswerer(read_priors(str(ANSWER_PRIORS)))
    for text in ("Who lives here?", *(episode.task.text for episode in episodes)):
        assert answerer.answer(AnswerQuery(text)).answer == prior.answer(text)


def test_the_stored_patterns_are_those_of_the_prior() -> None:
    stored = [(pattern.pattern, answer) for pattern, answer in read_priors(str(ANSWER_PRIORS))]
    assert stored == list(blind_prior().patterns), "run scripts/blind_prior.py"


def test_the_stored_training_answers_are_those_of_the_generator() -> None:
    stored = load_training_answers(PRIOR_FILE)
    assert len(stored) == TRAINING_EPISODES
    assert training_answers(0, 12) == stored[:12], "run scripts/blind_prior.py"
    last = TRAINING_EPISODES - 5
    assert training_answers(last, TRAINING_EPISODES) == stored[last:], "run scripts/blind_prior.py"


def test_every_template_is_in_the_training_answers() -> None:
    names = {template.name for templates in CATALOGUE.values() for template in templates}
    assert {template for template, _ in load_training_answers()} == names


def test_yes_and_no_are_about_as_frequent_in_training() -> None:
    answers = [answer for _, answer in load_training_answers() if answer in YES_NO]
    assert 0.45 <= answers.count("yes") / len(answers) <= 0.55


def test_a_blind_answer_is_right_in_few_training_episodes() -> None:
    answered, prior = load_training_answers(), blind_prior()
    right = [prior.answers[template] == answer for template, answer in answered]
    assert sum(right) <= 0.3 * len(answered)
    yes_no = [prior.answers[template] == answer for template, answer in answered if answer in YES_NO]
    assert sum(yes_no) <= 0.55 * len(yes_no)
