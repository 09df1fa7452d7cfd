"""What kind of game rules make, and what a changed rule does to it: games are played, measured and compared."""
