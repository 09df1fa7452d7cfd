"""The files that make a rule set, and the one tree they make together."""
