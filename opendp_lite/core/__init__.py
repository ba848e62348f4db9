"""What a transformation, a measurement and their spaces are; nothing about noise."""
