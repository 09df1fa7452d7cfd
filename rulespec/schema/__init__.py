"""The shape of a rule file."""
