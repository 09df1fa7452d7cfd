"""Lines in and out: the one writer, the screen, the keyboard, typed moves."""
