"""The core: what transformations, measurements and spaces are; nothing about noise."""
