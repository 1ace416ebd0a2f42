"""The web table: Truco in the browser, with the reasons of every move."""
