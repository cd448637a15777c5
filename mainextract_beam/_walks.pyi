from collections.abc import Callable, Container, Mapping
from typing import Any

LXML: str
LIBXML: int

def read_text(
    top: Any,
    whole: bool,
    newlines: bool,
    kinds: Mapping[Any, int],
    kind_of_element: Callable[[Any], int],
    entity_text: Callable[[str], str],
    is_unseen: Callable[[str], bool],
) -> tuple[list[tuple[str, Any, bool, bool, int, int, int, bool]], list[tuple[int, Any]]]: ...
def block_lines(
    atoms: list[Any],
    line_class: type[Any],
    normalize: Callable[[str], str],
    keep_lines: Callable[[list[Any], int, list[Any]], int],
) -> list[Any]: ...
def is_plain(element: Any) -> bool: ...
def survey(element: Any, names: Container[str], most: int) -> list[Any] | None: ...
def stating_main(top: Any, whole: bool) -> Any | None: ...
def densest(top: Any, whole: bool, kinds: Mapping[Any, int], kind_of_element: Callable[[Any], int]) -> Any: ...
def marked(top: Any, tags: Mapping[str, int], attributes: Mapping[str, int | Mapping[str, int]]) -> list[tuple[Any, int]]: ...
