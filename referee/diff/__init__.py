"""Two rule sets compared, in words and in play."""
