"""The referee of a game with real pieces."""
