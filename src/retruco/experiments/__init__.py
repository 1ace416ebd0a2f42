"""Published experiments, repeated and compared with what was published.

One file per experiment, found by `registry`; what was published is in `expected/` and read by `published`.

- `study` defines what an experiment is, `published_experiment` what those here have in common; `running` runs it stage by stage.
- `contest`, `training`, `casey_training`, `simulated_people`: the kinds of work; `base_file` stores a growing base.
- `conclusions` judges the claims; `report_sections`, `clusters`, `appendix`, `people_report` are parts of the reports.
- A large experiment has files for its works (`moral2020_works`, `paulus2020_works`), results and report.
"""
