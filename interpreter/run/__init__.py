"""Programs that run: the functions they call, random games, the native library, many games side by side."""
