"""symgen: equations of motion and fast dynamics code for robots."""

from __future__ import annotations

__version__ = "0.1.0"
