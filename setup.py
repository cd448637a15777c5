"""Shim that Beam's --setup_file stages to workers; the metadata is in pyproject.toml.

It adds one thing: the walks in C (mainextract_beam/walks.py), where they can be compiled. Nothing but speed depends on them.
"""

import os

import setuptools


def extensions():
    if os.environ.get("MAINEXTRACT_PURE"):
        return []
    try:
        import lxml
    except ImportError:  # on workers that build before they install
        return []
    walks = setuptools.Extension(
        "mainextract_beam._walks",
        ["mainextract_beam/_walks.pyx"],
        include_dirs=lxml.get_include(),
        extra_compile_args=["-O3"] if os.name == "posix" else [],
        optional=True,  # where Cython or a compiler is missing, the package is built without
    )
    walks.cython_c_in_temp = True
    return [walks]


setuptools.setup(ext_modules=extensions())
