"""Rule files that nobody wrote: a generator, what of the language it covers, and how a failing file gets smaller."""
