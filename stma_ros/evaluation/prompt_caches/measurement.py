"""The measurement `prompt_caches`: what a model server can reuse of the prompts of a recorded run.

Each episode begins with empty caches, and its prompts come in the order in which they were answered. The measured
prompts are those that were sent: answers from the cache of answers took none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final

from stma_ros.evaluation.metrics import ALL
from stma_ros.evaluation.prompt_caches.recorded_prompts import RecordedPrompt, SentImage, recorded_prompts
from stma_ros.evaluation.prompt_caches.simulated_caches import ImageCache, PrefixCache
from stma_ros.evaluation.tokenizing import MINILM, UNITS, Tokenizer, find_tokenizer
from stma_ros.models.replies import find_recordings
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting

ENCODINGS: Final = "encodings_per_image"
"""The key of a figure: images encoded per image that is new to the episode, before it is prepared; 1 is ideal."""

IMAGES_REUSED: Final = "images_reused"
"""The key of a figure: of the images sent, those that an earlier prompt of any role had encoded already [%]."""

PREFIX_REUSED: Final = "prefix_reused"
"""The key of a figure: of the tokens sent, those of beginnings that an earlier prompt had, too [%]."""

_CACHED_TEXTS = 10_000  # most texts occur in many prompts


@dataclass(frozen=True)
class PromptCachesSettings:
    run: str = setting("", "folder of the recorded run, or a file replies.jsonl")
    tokenizer: str = setting(
        MINILM, "what splits texts: all-MiniLM-L6-v2, or words and punctuation marks", choices=UNITS
    )
    patch: int = setting(
        32, "edge of the part of an image that is one token; Qwen3-VL: 32, Qwen2.5-VL: 28", unit="px", low=1
    )
    cached_tokens: int = setting(262_144, "tokens that the prefix cache holds", low=16)
    cached_images: int = setting(100, "images that the cache of encoded images holds", low=1)


@dataclass
class _Use:
    """Sums over the prompts of one role, or of all."""

    calls: int = 0
    steps: set[tuple[str, str, int]] = field(default_factory=set)
    episodes: set[str] = field(default_factory=set)
    sources: set[tuple[str, str]] = field(default_factory=set)
    tokens: int = 0
    tokens_reused: int = 0
    images: int = 0
    images_reused: int = 0


class PromptCaches:
    """The Measurement of a recorded run: for each preset a row for each role, and one for all."""

    name = "prompt_caches"
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "preset",
        "group": "role",
        "episodes": "episodes",
        "calls": "calls",
        ENCODINGS: "encodings per new image",
        IMAGES_REUSED: "images reused [%]",
        PREFIX_REUSED: "prefix reused [%]",
        "tokens_per_step": "tokens a step",
        "fresh_tokens_per_step": "fresh",
        "images_per_step": "images a step",
        "fresh_images_per_step": "fresh images",
    }

    def __init__(self, settings: PromptCachesSettings) -> None:
        """Raises ConfigurationError where no run is named."""
        if not settings.run:
            raise ConfigurationError("prompt_caches measures a recorded run: name its folder, --set run=DIR")
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def total(self) -> int:
        return len(self._uses)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """Yields the rows; no seed plays a part.

        Raises:
            StorageError: the run has no recording, or it cannot be read.
            MissingDependencyError: the tokenizer is not installed.
        """
        for (preset, role), use in self._uses.items():
            yield _row(preset, role, use)

    @cached_property
    def _uses(self) -> Mapping[tuple[str, str], _Use]:
        uses: dict[tuple[str, str], _Use] = {}
        run = Path(self._settings.run)
        tokenize = lru_cache(_CACHED_TEXTS)(find_tokenizer(self._settings.tokenizer))
        for file in find_recordings(run):
            self._read(file, _preset(run, file), tokenize, uses)
        return dict(sorted(uses.items(), key=lambda item: (item[0][0], item[0][1] == ALL)))

    def _read(self, file: Path, preset: str, tokenize: Tokenizer, uses: dict[tuple[str, str], _Use]) -> None:
        """Reads the prompts of an episode, and adds to the uses of its preset."""
        prefixes = PrefixCache(self._settings.cached_tokens)
        encoded = ImageCache(self._settings.cached_images)
        episode = str(file.parent)
        for prompt in recorded_prompts(file):
            tokens = prompt_tokens(prompt, tokenize, self._settings.patch)
            tokens_reused = prefixes.read(tokens)
            images_reused = sum(encoded.read(image.key) for image in prompt.images)
            for group in (prompt.role, ALL):
                use = uses.setdefault((preset, group), _Use())
                use.calls += 1
                use.episodes.add(episode)
                use.steps.add((episode, *prompt.step))
                use.sources |= {(episode, image.source) for image in prompt.images}
                use.tokens += len(tokens)
                use.tokens_reused += tokens_reused
                use.images += len(prompt.images)
                use.images_reused += images_reused


def prompt_tokens(prompt: RecordedPrompt, tokenize: Tokenizer, patch: int) -> Sequence[Hashable]:
    """Returns the tokens of a prompt: a mark at both ends of each message and image, texts, and the parts of images.

    Args:
        prompt: the prompt.
        tokenize: splits a text.
        patch: edge of the part of an image that is one token [px].
    """
    tokens: list[Hashable] = []
    for author, parts in prompt.messages:
        tokens.append(("message", author))
        for part in parts:
            tokens += _image_tokens(part, patch) if isinstance(part, SentImage) else tokenize(part)
        tokens.append("end of message")
    return tokens


def _image_tokens(image: SentImage, patch: int) -> Iterator[Hashable]:
    """Yields the tokens of an image, which differ from those of any other."""
    size = max(round(image.width / patch), 1) * max(round(image.height / patch), 1)
    yield "image"
    yield from ((image.key, number) for number in range(size))
    yield "end of image"


def _preset(run: Path, file: Path) -> str:
    """Returns the preset of an episode of a benchmark, or else the name of the run's folder."""
    folders = file.relative_to(run).parts[:-1] if run.is_dir() else ()
    return folders[0] if len(folders) > 1 else file.absolute().parent.name


def _row(preset: str, role: str, use: _Use) -> dict[str, Any]:
    steps, encoded = len(use.steps), use.images - use.images_reused
    is_whole = role == ALL  # an image is encoded for the role that sends it first
    return {
        "preset": preset,
        "group": role,
        "episodes": len(use.episodes),
        "calls": use.calls,
        ENCODINGS: encoded / len(use.sources) if is_whole and use.sources else None,
        IMAGES_REUSED: 100 * use.images_reused / use.images if use.images else None,
        PREFIX_REUSED: 100 * use.tokens_reused / use.tokens if use.tokens else None,
        "tokens_per_step": use.tokens / steps,
        "fresh_tokens_per_step": (use.tokens - use.tokens_reused) / steps,
        "images_per_step": use.images / steps,
        "fresh_images_per_step": encoded / steps,
    }
