"""Records of games: written, read, replayed, verified, shown to one player, told as text."""
