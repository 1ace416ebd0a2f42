"""Games described as questions and rows: where rules and reasoning meet."""
