"""The public names are a contract: what `import mainextract_beam` offers is listed in public_api.txt.

After a wanted change: `python tests/test_public_api.py > tests/public_api.txt`, and a line in CHANGELOG.md.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import mainextract_beam

LIST = Path(__file__).with_name("public_api.txt")


def public_names() -> list[str]:
    """The names that are the package's own, with their parameters and the public members of classes."""
    lines = []
    for name in sorted(dir(mainextract_beam)):
        value = getattr(mainextract_beam, name)
        if name.startswith("_") or not str(getattr(value, "__module__", "")).startswith("mainextract_beam"):
            continue
        lines.append(name + describe(value))
    return lines


def describe(value: Any) -> str:
    if not callable(value) or (inspect.isclass(value) and issubclass(value, Exception)):
        return ""
    signature = inspect.signature(value)
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    text = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    if inspect.isclass(value):
        own = [each for base in value.__mro__ if base.__module__.startswith("mainextract_beam") for each in vars(base)]
        text += ": " + " ".join(sorted({each for each in own if not each.startswith("_")}))
    return text.rstrip(": ")


def test_public_names_are_those_listed() -> None:
    assert public_names() == LIST.read_text(encoding="utf-8").splitlines()


def test_every_listed_name_can_be_imported_by_name() -> None:
    for line in LIST.read_text(encoding="utf-8").splitlines():
        name = line.partition("(")[0].partition(":")[0]
        namespace: dict[str, Any] = {}
        exec(f"from mainextract_beam import {name}", namespace)
        assert name in namespace


def test_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(mainextract_beam, "no_such_name")


if __name__ == "__main__":
    print("\n".join(public_names()))
