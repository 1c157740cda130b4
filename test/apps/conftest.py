"""What tests of the commands share."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "roles"))  # where the homes in words are
sys.path.append(str(Path(__file__).resolve().parents[1] / "storage"))  # ... and any message
