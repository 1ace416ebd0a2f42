"""Hold'em players: probes, formula players, and Casey, who learns from cases."""
