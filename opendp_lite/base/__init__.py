"""What everything above uses: names of types, errors, arguments, containers."""
