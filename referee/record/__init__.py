"""Games being played and their records: written, read, replayed, verified, redacted, printed as text."""
