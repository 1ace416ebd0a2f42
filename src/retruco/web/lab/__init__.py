"""The laboratory: jobs, case bases; the study with people, its questionnaire and results."""
