"""Case bases in a database: hands are stored, everything else is derived from them.

- `store` opens a database: `sqlite` or `server` (PostgreSQL, MariaDB); `schema`, `reading`, `writing`, `columns`.
- `library` opens case bases by name and derives their rows and clusters (`deriving`); `embedded` and `human` are made on first use.
- `runs` stores learning runs; `deals` fixed deals; `exchange` and `importers` read and write other formats, `seat_choice` says whose views.
- `files`, `errors`, `progress` serve all of these. Nothing here plays a game.
"""
