"""The texts of `rulespec lsp`."""

LSP = (
    "Run the language server for rule files on standard input and output; editors start it. It shows mistakes while you "
    "type, tells what names mean, leads to where they are declared, and offers how to go on.\n\n"
    "\b\n    rulespec lsp\n"
)
MISSING = "`rulespec lsp` needs the Python package `{module}`, which is not installed: pip install 'rulespec[lsp]'"
