"""What people touch: the command line, games at the terminal, boards in letters and colours, bots."""
