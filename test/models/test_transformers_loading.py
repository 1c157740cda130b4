"""Tests of loading models from folders, and of the errors for folders that cannot be used."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from stma_ros.models.transformers.loading import ModelParts
from stma_ros.models.transformers.model import TransformersModel
from stma_ros.models.vision_cache import VisionCache
from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from support.models.small_models import QWEN2_5_VL, QWEN3_VL, SEEING, TEXT_ONLY, asked, noise, small_parts


def save(parts: ModelParts, folder: Path) -> None:
    parts.network.save_pretrained(folder)
    parts.tokenizer.save_pretrained(folder)
    if parts.processor is not None:
        parts.processor.save_pretrained(folder)


def change(file: Path, **values: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


class TestFolders:
    @pytest.mark.parametrize("kind", [*SEEING, TEXT_ONLY])
    def test_loaded_model_answers_like_the_saved_one(self, kind: str, tmp_path: Path) -> None:
        parts = small_parts(kind)
        save(parts, tmp_path / "Small-1B")
        pictures = () if kind == TEXT_ONLY else (noise(1),)

        loaded = TransformersModel.load(str(tmp_path / "Small-1B"), VisionCache(10_000_000), device="cpu")

        assert loaded.name == f"{kind} in this process (Small-1B)"
        saved = TransformersModel(parts, "small")
        for _ in range(2):
            reply = asked(loaded, "Go on.", *pictures)
            assert reply.text == asked(saved, "Go on.", *pictures).text
        assert reply.usage.images_kept == len(pictures)
        loaded.close()

    @pytest.mark.parametrize("name", ["Qwen2VLImageProcessor", "Qwen2VLImageProcessorFast"])
    def test_model_is_loaded_with_the_image_processor_names_of_published_models(
        self, name: str, tmp_path: Path
    ) -> None:
        parts = small_parts(QWEN2_5_VL)
        save(parts, tmp_path)
        change(tmp_path / "preprocessor_config.json", image_processor_type=name)

        loaded = TransformersModel.load(str(tmp_path), device="cpu")

        assert asked(loaded, noise(1)).text == asked(TransformersModel(parts, "small"), noise(1)).text

    @pytest.mark.parametrize("folder", ["", "nowhere"])
    def test_folder_without_a_model_is_refused(self, folder: str, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match=r"no model in .*config\.json"):
            TransformersModel.load(str(tmp_path / folder))

    @pytest.mark.parametrize("missing", ["model.safetensors", "tokenizer.json", "preprocessor_config.json"])
    def test_folder_of_a_model_that_lacks_a_file_is_refused(self, missing: str, tmp_path: Path) -> None:
        save(small_parts(QWEN3_VL), tmp_path)
        (tmp_path / missing).unlink()

        with pytest.raises(ConfigurationError, match="give the folder of"):
            TransformersModel.load(str(tmp_path), device="cpu")

    def test_truncated_weights_are_refused(self, tmp_path: Path) -> None:
        save(small_parts(TEXT_ONLY), tmp_path)
        weights = (tmp_path / "model.safetensors").read_bytes()
        (tmp_path / "model.safetensors").write_bytes(weights[: len(weights) // 2])

        with pytest.raises(ConfigurationError, match="cannot be loaded"):
            TransformersModel.load(str(tmp_path), device="cpu")

    def test_weights_of_a_smaller_model_are_refused(self, tmp_path: Path) -> None:
        save(small_parts(TEXT_ONLY), tmp_path)
        change(tmp_path / "config.json", num_hidden_layers=4, layer_types=["full_attention"] * 4)

        with pytest.raises(ConfigurationError, match=r"weights of the model are not in .*layers\.3"):
            TransformersModel.load(str(tmp_path), device="cpu")

    @pytest.mark.parametrize(
        ("file", "values"),
        [
            ("config.json", {"model_type": "unheard_of"}),
            ("config.json", {"vocab_size": 7}),
            ("preprocessor_config.json", {"image_processor_type": "CLIPImageProcessor"}),
        ],
    )
    def test_model_of_an_unsupported_kind_is_refused(
        self, file: str, values: dict[str, Any], tmp_path: Path
    ) -> None:
        save(small_parts(QWEN3_VL), tmp_path)
        if file == "config.json" and "vocab_size" in values:
            text = json.loads((tmp_path / file).read_text())["text_config"]
            values = {"text_config": {**text, **values}}
        change(tmp_path / file, **values)

        with pytest.raises(ConfigurationError, match="give the folder of"):
            TransformersModel.load(str(tmp_path), device="cpu")

    @pytest.mark.parametrize("device", ["abacus", "cuda:99"])
    def test_missing_device_is_refused(self, device: str, tmp_path: Path) -> None:
        save(small_parts(TEXT_ONLY), tmp_path)

        with pytest.raises(ConfigurationError, match=f"no device '{device}' here"):
            TransformersModel.load(str(tmp_path), device=device)

    @pytest.mark.parametrize("missing", ["torch", "transformers"])
    def test_missing_library_of_models_is_reported_with_its_extra(
        self, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, missing, None)

        with pytest.raises(MissingDependencyError, match=rf"{missing}.*stma_ros\[models\].*make models"):
            TransformersModel.load(str(tmp_path))
