"""One layout for rule files."""
