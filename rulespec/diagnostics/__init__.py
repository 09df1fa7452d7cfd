"""Complaints as values: what is wrong, how it is shown, and the page of each code."""
