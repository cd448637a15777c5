"""The ordered cleaning chain."""
