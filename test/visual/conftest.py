"""What tests of the scene builder share: made-up runs, frames and messages of other tests."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in ("apps", "components", "storage"):
    sys.path.append(str(Path(__file__).resolve().parents[1] / folder))
