"""The commands and their options; each command imports what it needs only when it runs."""
