"""Names that moved to `rulespec.syntax`."""

from rulespec.syntax import *  # noqa: F403
