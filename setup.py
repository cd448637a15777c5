"""Shim that Beam's --setup_file stages to workers; the metadata is in pyproject.toml."""

import setuptools

setuptools.setup()
