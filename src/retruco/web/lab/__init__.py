"""The laboratory: jobs, case bases, the questionnaire and its results."""
