"""Rules that are well formed and well typed, and still make no sense. A check yields complaints; none means good."""
