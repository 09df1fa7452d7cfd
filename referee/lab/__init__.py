"""The lab: games are played, measured and compared, to learn what kind of game rules make and what a change does to it."""
