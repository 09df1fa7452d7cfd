"""`python -m rulespec`: the command line."""

from referee.cli import main

if __name__ == "__main__":
    main()
