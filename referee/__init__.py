"""The programs that people and other programs use: the command line, games, records, the protocol, rulebooks, the language server."""
