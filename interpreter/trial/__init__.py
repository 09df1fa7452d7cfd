"""Random games that look for faults, within budgets of work."""
