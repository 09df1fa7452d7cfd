"""A language server for rule files: what `validate` says while one types, and what every name means."""
