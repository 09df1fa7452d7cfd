"""What programs call while they run, and many games at a time."""
