"""Pictures of noise, guarantees, accuracies, budgets and releases, by matplotlib."""
