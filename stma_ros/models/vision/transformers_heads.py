"""What differs between the families of detectors in transformers: the texts that they take and what scores mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from stma_ros.models.vision.errors import LabelsError, NetworkError
from stma_ros.models.vision.transformers_loading import Pretrained
from stma_ros.types.errors import ConfigurationError

_SEPARATOR = "."


class Head(Protocol):
    """Reads the output of a family of detectors.

    Attributes:
        labels: Names of the classes, in the order of the scores.
    """

    labels: tuple[str, ...]

    def texts(self, images: int) -> dict[str, Any]:
        """Returns the tensors of texts for a number of images, without those of the images."""
        ...

    def scores(self, logits: Any) -> Any:
        """Returns the scores (images, queries, labels) of logits (images, queries, ...).

        Raises:
            NetworkError: The logits have another shape.
        """
        ...

    def extent(self, height: int, width: int) -> tuple[int, int]:
        """Returns width and height [px of the image] of what boxes of 1 x 1 enclose."""
        ...


class _Head:
    def __init__(self, labels: tuple[str, ...]) -> None:
        self.labels = labels

    def texts(self, images: int) -> dict[str, Any]:
        return {}

    def extent(self, height: int, width: int) -> tuple[int, int]:
        return width, height


class ClosedHead(_Head):
    """DETR, RT-DETR, D-FINE and their kin: classes are those of the training.

    With a logit for each class, scores are sigmoids; where there is one more, for "no object", they are a softmax.
    """

    def scores(self, logits: Any) -> Any:
        more = logits.shape[-1] - len(self.labels)
        if more not in (0, 1):
            raise NetworkError(
                f"the network has {logits.shape[-1]} classes, its configuration {len(self.labels)} labels; take one "
                "whose files belong together"
            )
        return logits.softmax(-1)[..., :-1] if more else logits.sigmoid()


class GroundingHead(_Head):
    """Grounding DINO: labels are phrases of one text, and there is a logit for each token of it.

    The score of a label is the mean over its tokens.
    """

    def __init__(self, labels: tuple[str, ...], tokenizer: Any, longest: int, device: Any) -> None:
        """Makes a head.

        Args:
            labels: The phrases.
            tokenizer: Of the network.
            longest: Largest number of tokens of the text.
            device: Device of the network.

        Raises:
            LabelsError: The labels are no phrases of one text that is short enough.
        """
        import torch

        super().__init__(labels)
        parted = next((label for label in labels if _SEPARATOR in label), None)
        if parted is not None:
            raise LabelsError(f"{parted!r} has a full stop, which ends a phrase; write it without")
        phrases = [f"{label.lower()}{_SEPARATOR}" for label in labels]
        encoded = tokenizer(
            " ".join(phrases),
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        offsets = encoded.pop("offset_mapping")[0].tolist()
        tokens = encoded["input_ids"][0].tolist()
        if len(tokens) > longest:
            raise LabelsError(
                f"the text of all labels has {len(tokens)} tokens, more than {longest}; list fewer"
            )
        shares = torch.zeros(longest, len(labels))
        start = 0
        for index, phrase in enumerate(phrases):
            end = start + len(phrase) - len(_SEPARATOR)
            own = [n for n, (first, last) in enumerate(offsets) if start <= first < last <= end]
            _check_known(labels[index], [tokens[n] for n in own], tokenizer)
            shares[own, index] = 1 / len(own)
            start += len(phrase) + len(" ")
        self._shares = shares.to(device)
        self._texts = {name: tensor.to(device) for name, tensor in encoded.items()}

    def texts(self, images: int) -> dict[str, Any]:
        return {name: tensor.expand(images, -1) for name, tensor in self._texts.items()}

    def scores(self, logits: Any) -> Any:
        if logits.shape[-1] != len(self._shares):
            raise NetworkError(
                f"the network has logits for {logits.shape[-1]} tokens, its configuration says {len(self._shares)}; "
                "take one whose files belong together"
            )
        return logits.sigmoid() @ self._shares


class OwlHead(_Head):
    """OWL-ViT and OWLv2: each label is a text of its own, and has a logit."""

    def __init__(
        self, labels: tuple[str, ...], tokenizer: Any, longest: int, device: Any, *, square: bool
    ) -> None:
        """Makes a head.

        Args:
            labels: The texts.
            tokenizer: Of the network.
            longest: Largest number of tokens of a text.
            device: Device of the network.
            square: Whether images get borders that make them square (OWLv2).

        Raises:
            LabelsError: A label is too long, or unknown.
        """
        super().__init__(labels)
        self._square = square
        for label in labels:
            tokens = tokenizer(label)["input_ids"]
            _check_known(label, tokens, tokenizer)
            if len(tokens) > longest:
                raise LabelsError(f"{label!r} has {len(tokens)} tokens, more than {longest}; shorten it")
        encoded = tokenizer(list(labels), padding="max_length", max_length=longest, return_tensors="pt")
        self._texts = {name: encoded[name].to(device) for name in ("input_ids", "attention_mask")}

    def texts(self, images: int) -> dict[str, Any]:
        return {name: tensor.repeat(images, 1) for name, tensor in self._texts.items()}

    def scores(self, logits: Any) -> Any:
        return logits.sigmoid()

    def extent(self, height: int, width: int) -> tuple[int, int]:
        side = max(height, width)
        return (side, side) if self._square else (width, height)


def _closed(files: Pretrained, labels: tuple[str, ...], device: Any) -> Head:
    names: dict[int, str] = files.config.id2label
    if sorted(names) != list(range(len(names))):
        raise ConfigurationError(
            f"the classes in the configuration of {files} are not 0, 1, 2, ...; correct it"
        )
    if labels and len(labels) != len(names):
        raise LabelsError(
            f"{len(labels)} are listed, but the network in {files} has {len(names)} classes; name all of them in "
            "order, or none, to use the names in its configuration"
        )
    return ClosedHead(labels or tuple(names[number] for number in range(len(names))))


def _grounding(files: Pretrained, labels: tuple[str, ...], device: Any) -> Head:
    return GroundingHead(_needed(files, labels), _tokenizer(files), files.config.max_text_len, device)


def _owl(files: Pretrained, labels: tuple[str, ...], device: Any) -> Head:
    longest = files.config.text_config.max_position_embeddings
    square = files.config.model_type == "owlv2"
    return OwlHead(_needed(files, labels), _tokenizer(files), longest, device, square=square)


def _check_known(label: str, tokens: Sequence[int], tokenizer: Any) -> None:
    """Raises LabelsError if the vocabulary has none of a label's tokens, as if its file is missing."""
    if not set(tokens) - set(tokenizer.all_special_ids):
        raise LabelsError(
            f"the network knows no token of {label!r}; name it otherwise, or add the network's tokenizer.json if it is "
            "missing"
        )


def _needed(files: Pretrained, labels: tuple[str, ...]) -> tuple[str, ...]:
    if not labels:
        raise LabelsError(f"the network in {files} finds what texts say; list what it is to look for")
    if len(set(labels)) < len(labels):
        raise LabelsError("a text is listed twice; remove one of the two")
    return labels


def _tokenizer(files: Pretrained) -> Any:
    from transformers import AutoTokenizer

    return files.part(AutoTokenizer.from_pretrained)


TEXT_HEADS: dict[str, Callable[[Pretrained, tuple[str, ...], Any], Head]] = {
    "grounding-dino": _grounding,
    "mm-grounding-dino": _grounding,
    "owlvit": _owl,
    "owlv2": _owl,
}
"""Families that find what texts say, by the type in their configuration."""


def head_of(files: Pretrained, labels: Sequence[str], device: Any) -> Head:
    """Returns the head of a network.

    Args:
        files: Of the network; it is a detector.
        labels: Labels of the description.
        device: Device of the network.

    Raises:
        LabelsError: The labels do not fit the network.
        ConfigurationError: A part of the network cannot be loaded.
    """
    make = TEXT_HEADS.get(files.config.model_type, _closed)
    return make(files, tuple(labels), device)
