"""Positions as pictures: a scene is a position as coordinates and signs, which a browser or `svg.py` draws."""
