"""Games in the browser: tables for several devices, and the workshop for rules."""
