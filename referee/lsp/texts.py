"""The texts of `rulespec lsp`."""

LSP = (
    "Run the language server for rule files on standard input and output; editors start it. It shows mistakes while you "
    "type, explains names, finds where they are declared, and completes words.\n\n"
    "\b\n    rulespec lsp\n"
)
MISSING = "`rulespec lsp` needs the Python package `{module}`, which is not installed: pip install 'rulespec[lsp]'"
TOO_SLOW = (
    "checking this document took more than {seconds} seconds and was stopped\n"
    "fix: `rulespec validate` checks it without this limit"
)
DIED = "checking this document ended unexpectedly; the log of the language server says why"
EXAMPLE_FAILED = "example `{name}`: {message}"
SHIPPED = "{where} comes with the program and is not changed; copy the game to a file of your own with `rulespec show`"
READ_ONLY = "`{file}` may not be changed"
NO_NAME = "expected a name of small letters, digits and `_` that begins with a letter, found `{new}`"
LANGUAGE_WORD = "`{new}` is a word of the language"
TAKEN = "`{new}` is used at {where} already"
NOT_PLAIN = "the name at {where} is written in a way that cannot be changed safely"
NOTHING_HERE = "there is no name here that can be renamed"
UNREADABLE = "this document cannot be read as it is: put it right first"
WOULD_BREAK = "then {where} would be wrong: {message}"
UNCHECKED = "checking what it would change took too long"
