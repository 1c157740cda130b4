from collections.abc import Mapping
from typing import Any

EXAMPLES: Mapping[str, Any] = {}
