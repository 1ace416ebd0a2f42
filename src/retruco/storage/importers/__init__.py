"""Hands of other programs: read with care, every fault counted, nothing half imported."""
