"""A checked model becomes a program in Python."""
