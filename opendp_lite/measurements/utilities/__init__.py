"""What needs no data, or releases only: accuracies, scales, bounds, estimates."""

__all__: list[str] = []
