"""Published experiments, each run anew by one command and told beside what was published."""
