"""What is shown to people: explanations, texts of errors, HTML and pictures."""
