"""Speed, as ratios measured in one run: nothing here is asserted, everything is printed."""
