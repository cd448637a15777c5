"""Shim that Beam's --setup_file stages to workers; the metadata is in pyproject.toml.

It adds one thing: the walks in C (mainextract_beam/walks.py), where they can be compiled. Nothing but speed depends on them.
"""

import os
from pathlib import Path

import setuptools


def extensions():
    if os.environ.get("MAINEXTRACT_PURE"):
        return []
    try:
        import lxml
    except ImportError:  # on workers that build before they install
        return []
    return [extension(path, lxml.get_include()) for path in sorted(Path("mainextract_beam").rglob("_*.pyx"))]


def extension(path, includes):
    walks = setuptools.Extension(
        ".".join(path.with_suffix("").parts),
        [str(path)],
        include_dirs=includes,
        depends=["mainextract_beam/_nodes.pxd"],
        extra_compile_args=["-O3"] if os.name == "posix" else [],
        optional=True,  # where Cython or a compiler is missing, the package is built without
    )
    walks.cython_c_in_temp = True
    return walks


setuptools.setup(ext_modules=extensions())
