"""Files to start a house rule or a game from."""
