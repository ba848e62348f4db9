"""Reading TeX: macros, what a proof says to the reviewer, what a log says."""
