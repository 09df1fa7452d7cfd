"""A language server for rule files: diagnostics while you type, and what every name means."""
