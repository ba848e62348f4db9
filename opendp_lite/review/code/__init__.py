"""Reading code: modules as texts, what a function uses, when two texts are equal."""
