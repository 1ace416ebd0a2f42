"""Reuse: how the retrieved rows become one answer; one criterion or model a file."""
