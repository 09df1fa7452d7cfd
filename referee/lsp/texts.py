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
