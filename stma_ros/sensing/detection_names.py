"""Names of what other detectors find: labels of class numbers, and categories of labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stma_ros.storage.written_file import error_at

_DIGITS = 9  # of a class number at most


class UnnamedClassError(ValueError):
    """A class has a number, and no label."""


def renamed(label: str, categories: Mapping[str, str]) -> str:
    """Returns the category of the things that a label stands for: the label itself where the table lacks it; empty =
    they are not remembered."""
    return categories.get(label, label)


@dataclass(frozen=True)
class DetectionNames:
    """Names of what a detector finds.

    Attributes:
        labels: Label by class number.
        categories: Category by label, where it is another word; empty = not remembered, as a person.
    """

    labels: Mapping[int, str] = field(default_factory=dict)
    categories: Mapping[str, str] = field(default_factory=dict)

    def category(self, word: str) -> str:
        """Returns the category of a class; empty = its things are not remembered.

        Args:
            word: A label, or the number of a class as text ("41").

        Raises:
            UnnamedClassError: It is a number without a label.
        """
        label = word.strip()
        if label.isdecimal() and len(label) <= _DIGITS:
            number = int(label)
            if number not in self.labels:
                raise UnnamedClassError(
                    f"class {number} has no label: list the labels as detections_labels in the mapping file"
                )
            label = self.labels[number]
        return renamed(label, self.categories)


def lines_of_labels(path: Path, key: str, name: str) -> tuple[str, ...]:
    """Returns the labels in a file with one in each line.

    Args:
        path: The YAML file that names it; the name is relative to its folder.
        key: Its key there, for error messages.
        name: Name of the file.

    Raises:
        ConfigurationError: The file cannot be read, or a line is empty.
    """
    file = path.parent / name
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise error_at(
            path, (key,), f"{file} cannot be read ({error}); list the labels here, or correct it"
        ) from error
    labels = tuple(map(str.strip, text.rstrip().splitlines()))
    if "" in labels:
        raise error_at(
            path,
            (key,),
            f"{file}, line {labels.index('') + 1}, is empty; each line is the name of a class",
        )
    return labels
