"""What somebody probably meant who wrote an expression that cannot be read."""
