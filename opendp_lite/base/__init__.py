"""Parts that all layers above share: names of types, errors, arguments, containers."""
