"""The rule language: a text becomes a checked model, or diagnostics."""

__version__ = "0.1.0"
LANGUAGE = 1  # the version of the rule language, which every rule file states
