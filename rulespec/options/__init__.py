"""The options of a rule file, and which combinations of them to check."""
