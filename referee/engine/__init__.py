"""The referee for other programs: a JSON object a line."""
