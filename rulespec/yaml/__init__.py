"""YAML text and the tree of it, with the position of every word."""
