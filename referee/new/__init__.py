"""Templates for a house rule and for a game."""
