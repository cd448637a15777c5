"""The command `mainextract`: the main content of single pages on standard output.

Exit status: 0 where every page gave a document, 1 where one held no content, 2 for bad usage, unreadable input, output
that cannot be written. Each page that gives no document is one line on standard error. Nothing ends in a traceback.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Final

if TYPE_CHECKING:
    from mainextract_beam.document import Document

OK: Final = 0
NO_CONTENT: Final = 1
ERROR: Final = 2
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it

# What the help says of the methods' parameters. One that is missing here is offered all the same.
PARAMETER_HELP: Final[Mapping[str, str]] = {
    "debug": "keep class, id and data-* attributes, unwrap nothing",
    "density": "characters per line of content",
    "gap": "how many empty lines in a row a block may span",
    "keep": "what is handed on: tags, text or images",
    "layout": "what a line is: auto, source or block",
    "sanitize": "leave out all that could run or load something",
    "selector": "CSS selector of the content, instead of detecting it",
    "skip": "switch a step off, by name, or a rule of it, as STEP:RULE; may be given more than once",
    "threshold": "how many consecutive lines make a block",
}
# Offered for every method, since the answer to a wrong one is clearer than "unrecognized arguments".
ALWAYS_OFFERED: Final = ("selector", "skip")
# Of the page's text; below it the method `lines` fails by nature.
LOW_SHARE: Final = 0.5
# A parameter here, but a file name on the command line.
JOURNAL: Final = "journal"


class UsageError(Exception):
    """Bad usage, or input or output that cannot be had: exit status 2. The message is one line and names the remedy."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        argv: the arguments after the command's name; those of the process where None.

    Returns:
        The exit status.
    """
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except UsageError as error:
        _say(str(error))
        return ERROR
    except BrokenPipeError:
        # The reader (a pager, head) has seen enough. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as stop:  # argparse: --help, --version, bad usage
        return stop.code if isinstance(stop.code, int) else ERROR
    except Exception as error:
        # A fault of ours. The page that shows it is what a report needs, not the user's terminal full of our files.
        _say(f"internal error, please report it with the page: {type(error).__name__}: {error}")
        return ERROR


def _run(argv: Sequence[str]) -> int:
    arguments = _parser().parse_args(argv)
    options = _method_options(arguments)
    _check_encoding(arguments.encoding)
    answer = _answer(arguments, options)
    out = _standard_output()
    status = OK
    with _journal(arguments.journal) as journal:
        for name in arguments.pages:
            try:
                printed = answer(name, _read(name), journal)
            except UsageError as error:
                _say(f"{name}: {error}")
                status = ERROR
            else:
                if printed is not None:
                    _write(out, printed)
                else:
                    _say(f"{name}: no content found by method {arguments.method!r}")
                    status = max(status, NO_CONTENT)
    return status


Answer = Callable[[str, bytes, "BinaryIO | None"], "bytes | None"]


def _answer(arguments: argparse.Namespace, options: Mapping[str, Any]) -> Answer:
    """What is done with each page: a function of its name, its bytes and the journal to what is printed for it."""
    outside = {"url": arguments.url, "encoding": arguments.encoding}
    if arguments.why is not None:
        explain = _tool("mainextract_beam.why", "explain", "--why")

        def why(name: str, data: bytes, journal: BinaryIO | None) -> bytes:
            try:
                answer: str = explain(data, arguments.why, method=arguments.method, **outside, **options)
            except ValueError as error:
                raise UsageError(str(error)) from error
            return answer.encode() + b"\n"

        return why

    render = _renderer(arguments.format)
    plot = _plotter(arguments) if arguments.plot is not None else None

    def document(name: str, data: bytes, journal: BinaryIO | None) -> bytes | None:
        if plot:
            plot(data, **outside, **options)
        # Of the formats, JSON alone has a place for it.
        found = _extract(data, method=arguments.method, metadata=arguments.format == "json", **outside, **options)
        if found is None:
            return None
        if journal:
            _write_journal(journal, arguments.journal, name, found)
        if arguments.method == "lines":
            _advise(name, found)
        return render(found)

    return document


def _plotter(arguments: argparse.Namespace) -> Callable[..., None]:
    """The function that draws a page's lines to the file asked for, which is checked before any page is read."""
    file = arguments.plot
    if arguments.method != "lines":
        raise UsageError("--plot draws what method 'lines' sees; use it with --method lines")
    if len(arguments.pages) > 1:
        raise UsageError("--plot draws one page; give one page")
    plot_lines = _tool("mainextract_beam.plot", "plot_lines", "--plot")
    try:
        _tool("mainextract_beam.plot", "check_format", "--plot")(file)
    except ValueError as error:
        raise UsageError(f"--plot: {error}") from error

    def plot(data: bytes, *, url: str | None, encoding: str | None, **options: Any) -> None:
        from mainextract_beam.parse import parse_html

        drawn = {name: value for name, value in options.items() if name in inspect.signature(plot_lines).parameters}
        try:
            plot_lines(parse_html(data, url=url, encoding=encoding), file, url=url, **drawn)
        except (ImportError, ValueError) as error:
            raise UsageError(f"--plot: {error}") from error
        except OSError as error:
            raise UsageError(f"--plot {file}: {_reason(error)}") from error

    return plot


def _parser() -> argparse.ArgumentParser:
    from mainextract_beam import __version__
    from mainextract_beam.methods import METHODS
    from mainextract_beam.render import FORMATS
    from mainextract_beam.walks import compiled

    parser = argparse.ArgumentParser(
        prog="mainextract",
        description="Prints the main content of web pages, without the navigation, banners and sidebars around it.",
        epilog="Exit status: 0 with a document, 1 where a page holds no content, 2 for bad usage or unreadable input.",
        allow_abbrev=False,
    )
    parser.add_argument("pages", metavar="PAGE", nargs="+", help="an HTML or XHTML file; - reads standard input")
    parser.add_argument(
        "--method", choices=list(METHODS), default="regions", help="how the content is found (default: %(default)s)"
    )
    parser.add_argument("--format", choices=list(FORMATS), default="xml", help="what is printed (default: %(default)s)")
    parser.add_argument("--url", help="the page's URL, the base of its relative references")
    parser.add_argument("--encoding", metavar="LABEL", help="charset as stated from outside the page, such as by HTTP")
    parser.add_argument("--journal", metavar="FILE", help="write what was removed, and why, as JSON Lines")
    parser.add_argument("--why", metavar="TEXT", help="print which step took this text away, or that it lies outside the content")
    parser.add_argument("--plot", metavar="FILE", help="draw the page's lines and the chosen block, as .svg or .png")
    walks = "C" if compiled is not None else "Python"
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__} (walks over trees in {walks})")
    group = parser.add_argument_group("parameters of the methods")
    parameters = _parameters()
    for name in sorted({*parameters, *ALWAYS_OFFERED} - {JOURNAL}):
        _add_parameter(group, name, parameters.get(name, {}))
    return parser


def _parameters() -> dict[str, dict[str, Any]]:
    """The parameters of all methods: name -> method -> default."""
    from mainextract_beam.methods import METHODS

    found: dict[str, dict[str, Any]] = {}
    for method, find in METHODS.items():
        for name, each in inspect.signature(find).parameters.items():
            if each.kind is each.KEYWORD_ONLY:
                found.setdefault(name, {})[method] = each.default
    return found


def _add_parameter(group: argparse._ArgumentGroup, name: str, defaults: Mapping[str, Any]) -> None:
    flag = "--" + name.replace("_", "-")
    methods = f"[{', '.join(defaults)}]" if defaults else ""
    text = " ".join(part for part in (PARAMETER_HELP.get(name, ""), methods) if part).replace("%", "%%")
    default = next(iter(defaults.values()), None)
    # None stands for "not given", so that the methods' own defaults are stated in one place only.
    if isinstance(default, bool):
        group.add_argument(flag, dest=f"option_{name}", action=argparse.BooleanOptionalAction, help=text, default=None)
    elif isinstance(default, (int, float)):
        text += f" (default: {default})"
        group.add_argument(flag, dest=f"option_{name}", type=type(default), metavar="N", help=text)
    elif name == "skip" or isinstance(default, (tuple, list, set, frozenset)):
        group.add_argument(flag, dest=f"option_{name}", action="append", metavar="STEP", help=text)
    else:
        text += f" (default: {default})" if isinstance(default, str) else ""
        group.add_argument(flag, dest=f"option_{name}", metavar="CSS" if name == "selector" else "NAME", help=text)


def _method_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options given for the method, checked.

    Raises:
        UsageError: one that the method does not take, or a value that it refuses.
    """
    from mainextract_beam.methods import bind_method

    given = {
        name.removeprefix("option_"): value
        for name, value in vars(arguments).items()
        if name.startswith("option_") and value is not None
    }
    if arguments.journal is not None or arguments.why is not None:
        given[JOURNAL] = True
    parameters = _parameters()
    for name in given:
        takers = parameters.get(name, {})
        if arguments.method not in takers:
            flag = "--why" if name == JOURNAL and arguments.journal is None else f"--{name.replace('_', '-')}"
            remedy = f"use it with --method {' or '.join(takers)}" if takers else "no method of this version takes it"
            raise UsageError(f"{flag} is no option of method {arguments.method!r}; {remedy}")
    try:
        bind_method(arguments.method, given)
    except (ValueError, TypeError) as error:
        raise UsageError(str(error)) from error
    return given


def _check_encoding(label: str | None) -> None:
    import webencodings

    if label is not None and webencodings.lookup(label) is None:
        raise UsageError(f"unknown encoding {label!r}; give a label of the Encoding Standard, such as utf-8 or gbk")


def _read(name: str) -> bytes:
    try:
        if name != "-":
            with open(name, "rb") as file:
                return file.read()
        if sys.stdin is None:
            raise UsageError("standard input is closed")
        return sys.stdin.buffer.read()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise UsageError(_reason(error)) from error
    except MemoryError as error:
        raise UsageError("too large for this machine's memory") from error


def _extract(data: bytes, **options: Any) -> Document | None:
    from mainextract_beam.methods import extract_page

    try:
        return extract_page(data, **options)
    except ValueError as error:  # what only the page can show, such as a selector that matches nothing in it
        raise UsageError(str(error)) from error


def _advise(name: str, document: Document) -> None:
    """Says so where the method is known to fail on pages like this one."""
    share = document.metadata.get("coverage")
    if isinstance(share, float) and share < LOW_SHARE:
        _say(f"{name}: note: the block is {share:.0%} of the page's text; for such pages try --method regions or clean")


# Formats


def _renderer(form: str) -> Callable[[Document], bytes]:
    """What writes a document in a format, with one line feed at its end."""
    from mainextract_beam.render import renderer

    try:
        render = renderer(form)
    except ModuleNotFoundError as error:
        raise UsageError(f"--format {form} needs the package {error.name}, which is not installed") from error
    return lambda document: render(document).rstrip("\n").encode() + b"\n"


def _tool(module: str, function: str, flag: str) -> Callable[..., Any]:
    """A function of a part that a version or an installation may lack.

    Raises:
        UsageError: it is missing; the message says what to do.
    """
    try:
        found: Callable[..., Any] = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        if error.name is not None and not error.name.startswith("mainextract_beam"):
            raise UsageError(f"{flag} needs the package {error.name}, which is not installed") from error
        raise UsageError(f"{flag} is not available in this version") from error
    return found


# Output


def _standard_output() -> BinaryIO:
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    return sys.stdout.buffer


def _write(out: BinaryIO, data: bytes) -> None:
    try:
        out.write(data)
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What could not be written would be tried again, and complained about, when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UsageError(f"standard output: {_reason(error)}") from error


def _journal(name: str | None) -> AbstractContextManager[BinaryIO | None]:
    if name is None:
        return nullcontext()
    try:
        return open(name, "wb")
    except (OSError, ValueError) as error:
        raise UsageError(f"{name}: {_reason(error)}") from error


def _write_journal(file: BinaryIO, name: str, page: str, document: Document) -> None:
    try:
        for line in _journal_lines(page, document):
            file.write(line)
        file.flush()
    except OSError as error:
        raise UsageError(f"{name}: {_reason(error)}") from error


def _journal_lines(page: str, document: Document) -> Iterator[bytes]:
    for entry in document.journal or ():
        yield json.dumps({"page": page, **dataclasses.asdict(entry)}, ensure_ascii=False).encode() + b"\n"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _say(message: str) -> None:
    if sys.stderr is not None:
        print("mainextract:", " ".join(message.split()), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
