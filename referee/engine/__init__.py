"""The referee for other programs: JSON objects, one per line."""
