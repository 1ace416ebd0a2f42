"""Table views, one file per game: what a seat is shown, in words and as a drawing; texts and templates beside them."""
