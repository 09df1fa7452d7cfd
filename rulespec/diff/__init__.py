"""What differs between two rule sets."""
