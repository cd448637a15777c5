"""The ``clean`` method: the ordered cleaning chain."""

from mainextract_beam.clean.chain import find_clean as find_clean
