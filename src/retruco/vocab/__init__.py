"""Games described as questions, features and rows: where rules and cases meet.

One module or folder per game offers `VOCABULARY`, `turn`, `fallback` and `rows`; `registry` finds it.
"""
