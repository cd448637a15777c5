"""Code blocks in one form: ``<pre><code class="language-NAME">text</code></pre>``.

The text is the code and nothing else: indentation, tabs and blank lines as they stand, without line numbers, buttons
and header bars. The name is what the page calls the language.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from lxml import etree

from mainextract_beam.clean.edit import put, set_text
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.walk import class_names, classes, raw_text, text_of

STEP = "standardize"

LANGUAGES = frozenset(
    """abap ada apex applescript arduino asm assembly awk bash basic bat batch c c# c++ cfg clojure cmake cmd cobol
    coffeescript console cpp crystal cs csharp css csv cuda cypher d dart delphi diff docker dockerfile dos elisp elixir
    elm erlang f# fortran fsharp gherkin glsl go golang gradle graphql groovy haml handlebars haskell haxe hcl hlsl htm
    html http ini java javascript jinja js json json5 jsonc jsx julia kotlin kt latex less lisp llvm lua makefile
    markdown markup mathematica matlab md mermaid mysql nasm nginx nim nix objc objective-c objectivec ocaml pascal perl
    php plaintext plsql postgresql powershell prolog properties proto protobuf ps1 puppet py py3 python python2 python3
    qml r racket rb regex rst ruby rust sas sass scala scheme scss sh shell shell-session smalltalk sol solidity sparql
    sql stata svelte swift systemverilog tcl terraform tex text toml tsx ts twig txt typescript vb vbnet verilog vhdl
    vim vue wasm xml xquery yaml yml zig zsh""".split()
)
"""Names a class may state without a prefix; behind a prefix any name counts."""

NUMBERS = frozenset(
    """ln lnt lineno linenos linenum linenumber linenumbers line-number line-numbers line-no line-num hljs-ln-numbers
    react-syntax-highlighter-line-number lnum gutter gutter-line ln-num line-numbers-rows blob-num td-linenum""".split()
)
"""Class names of line numbers; what bears one is taken out only where it holds digits alone."""

LINES = frozenset({"line", "code-line", "token-line", "ec-line", "cm-line", "view-line", "codemirror-line", "cl"})
"""Class names of elements that are one line of code each."""

EDITORS = frozenset({"syntaxhighlighter", "cm-content", "codemirror-code", "prismjs"})
"""Class names of elements that show code without a ``pre``."""

WRAPPERS = frozenset(
    """highlight highlighter-rouge codehilite code-block codeblock code-wrapper code-box code-container code-snippet
    codesnippet sourcecode code-toolbar code-example wp-block-code snippet hljs expressive-code
    literal-block-wrapper""".split()
)
"""Class names of what surrounds a code block with its bar of name and buttons."""

LONGEST_BAR = 60
"""Characters of text such a bar holds at the most."""

_MOST_CHILDREN = 8  # of a wrapper
_LEVELS = 4  # how far above a block its wrapper and its language are looked for
_PREFIXED = re.compile(r"(?:language|lang|highlight-source|highlight|syntax|brush)[-:_]([a-z0-9][\w+#.-]*);?")
_NOT_LANGUAGES = frozenset(
    "none default highlighter wrapper block container code switch picker content unknown undefined plain".split()
)
_ATTRIBUTES = ("data-lang", "data-language", "data-code-language", "data-code-lang")
_SHORT_LANGUAGES = frozenset({"c", "d", "go", "js", "py", "r", "rb"})  # others of two letters are human languages
_INLINE = frozenset(
    """span code br font i b em strong u s del ins mark a kbd var samp small tt wbr data abbr bdi bdo sub sup label
    big""".split()
)
_ROWS = frozenset({"div", "p", "li", "tr"})
_TABLE_PARTS = frozenset({"table", "tbody", "thead", "tr", "ol", "ul"})
_NOT_CODE = frozenset({"button", "svg", "script", "style", "textarea", "select", "input", "template", "noscript"})
_TOLD = ("figcaption", "caption", "p", "h1", "h2", "h3", "h4", "h5", "h6", "img", "li")  # what no bar holds
_DIGITS = re.compile(r"[\s\d.:|]*\d[\s\d.:|]*")


def standardize_code(page: CleanPage) -> None:
    """Brings the code blocks of the content roots to one form and marks them; marks inline code as well."""
    named = not page.stated.classes.isdisjoint(_NAMES)
    if not named and page.stated.tags.isdisjoint(_ELEMENTS):
        return
    for root in page.roots:
        blocks = _blocks(page, root, named=named)
        done: set[etree._Element] = set()
        for block in blocks:
            if block not in done:
                done.update(block.iter("pre", "code", "table", "div"))
                _standardize(page, block)
        for code in list(root.iter("code", "kbd", "samp")):
            if not page.marks.is_inside(code):
                page.marks.protect(code, "code", around=False)


def _blocks(page: CleanPage, root: etree._Element, *, named: bool) -> list[etree._Element]:
    """What shows code, the outermost element of each: ``pre``, tables of numbered lines, and editors without both.

    Args:
        page: the page.
        root: a content root.
        named: whether any element may be told by its class.
    """
    blocks: list[etree._Element] = []
    tables: dict[etree._Element, bool] = {}
    for element in root.iter("pre", "code", *(("div", "table") if named else ())):
        tag = element.tag
        if tag == "pre":
            table = _numbered_table(element, tables)
            blocks.append(element if table is None else table)
        elif tag == "code":
            several = bool(element.text) and "\n" in (element.text or "").strip() and _is_alone(element)
            if several or next(element.iter("pre"), None) is not None:
                blocks.append(element)
        elif value := element.get("class"):
            names = class_names(value)
            if tag == "table":
                if not _TABLES.isdisjoint(names) and _is_numbered(element):
                    blocks.append(element)
            elif not EDITORS.isdisjoint(names) and next(element.iter("pre"), None) is None:
                blocks.append(element)
    return [block for block in blocks if block not in page.roots and not page.marks.is_inside(block)]


_ELEMENTS = frozenset({"pre", "code", "kbd", "samp"})
_TABLES = frozenset({"highlight", "highlighttable", "rouge-table", "hljs-ln", "js-file-line-container", "lntable"})
_NAMES = EDITORS | _TABLES


def _is_alone(code: etree._Element) -> bool:
    """Whether code of several lines, outside a ``pre``, is all its parent holds."""
    parent = code.getparent()
    if parent is None or parent.tag in ("pre", "span", "a", "em", "strong", "b", "i"):
        return False
    return len(parent) == 1 and not (parent.text or "").strip() and not (code.tail or "").strip()


def _numbered_table(pre: etree._Element, known: dict[etree._Element, bool]) -> etree._Element | None:
    """The table around a ``pre`` that sets line numbers beside code."""
    holder = pre.getparent()
    for _ in range(_LEVELS + 2):
        if holder is None:
            return None
        if holder.tag == "table":
            if holder not in known:
                known[holder] = _is_numbered(holder)
            return holder if known[holder] else None
        holder = holder.getparent()
    return None


def _is_numbered(table: etree._Element) -> bool:
    numbers = False
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        filled = [cell for cell in cells if raw_text(cell).strip()]
        digits = [cell for cell in filled if _is_number_cell(cell)]
        if len(cells) > 3 or len(filled) - len(digits) > 1:
            return False
        numbers = numbers or len(cells) > len(filled) or (bool(digits) and len(filled) > 1)
    return numbers


def _is_number_cell(cell: etree._Element) -> bool:
    return _DIGITS.fullmatch(raw_text(cell)) is not None


def _standardize(page: CleanPage, block: etree._Element) -> None:
    wrapper, bar = _wrapper(page, block)
    language = _language(page, block) or next((text for text in bar if text in LANGUAGES), None)
    inner = block.tag == "code" or next(block.iter("code"), None) is not None
    is_code = bool(language) or inner or wrapper is not block or block.tag != "pre"
    beside = {inner for element in block.iter(*_NOT_CODE) for inner in element.iter(etree.Element)}
    rich = any(element.tag not in _CODE_PARTS and element not in beside for element in block.iterdescendants(etree.Element))
    if rich or not is_code:
        # Preformatted text of another kind, or code with pictures and the like in it: it stays as the page has it.
        page.marks.protect(block, "code")
        return
    text = code_text(block)
    pre = etree.Element("pre")
    code = etree.SubElement(pre, "code")
    if language:
        code.set("class", f"language-{language}")
    for source in (block, next(block.iter("code"), block)):
        if source.get("id") and not pre.get("id"):
            pre.set("id", source.get("id", ""))
    set_text(code, text)
    page.journal.record(wrapper, "replace", step=STEP, rule="code", reason=language)
    page.journal.adopt(pre, wrapper)
    put(wrapper, pre)
    page.marks.protect(pre, "code")


def _language(page: CleanPage, block: etree._Element) -> str | None:
    """What the page calls the language: on the code, on its block, or on what is around it."""
    inside = list(itertools.islice(block.iter("code", "pre", "div", "table"), 6))
    for element in (*(e for e in inside if e.tag == "code"), block, *inside):
        found = _stated_language(element, bare=True)
        if found:
            return found
    holder = block.getparent()
    for _ in range(_LEVELS):
        if holder is None or holder in page.roots or holder.tag in ("body", "main", "article", "li"):
            return None
        found = _stated_language(holder, bare=not WRAPPERS.isdisjoint(classes(holder)))
        if found:
            return found
        holder = holder.getparent()
    return None


def _stated_language(element: etree._Element, *, bare: bool) -> str | None:
    for name in _ATTRIBUTES:
        value = element.get(name, "").strip().lower()
        if value and value not in _NOT_LANGUAGES and re.fullmatch(r"[\w+#.-]{1,40}", value):
            return value
    names = tuple(classes(element))
    for name, after in zip(names, (*names[1:], ""), strict=False):
        match = _PREFIXED.fullmatch(name)
        if match and match[1].rstrip(";") not in _NOT_LANGUAGES:
            return match[1].rstrip(";")
        if name == "brush:" and after:
            return after.rstrip(";")
    if bare:
        for name in names:
            if name in LANGUAGES and name not in ("text", "basic", "less", "d", "console", "batch", "vim", "http"):
                return name
    value = element.get("lang", "").strip().lower()
    if element.tag in ("pre", "code") and value in LANGUAGES and (len(value) > 2 or value in _SHORT_LANGUAGES):
        return value
    return None


def _wrapper(page: CleanPage, block: etree._Element) -> tuple[etree._Element, list[str]]:
    """The outermost element around a block that shows it alone, with nothing but a bar, and the texts of that bar."""
    wrapper = holder = block
    bar: list[str] = []
    own = len(text_of(block))
    blocks = _count(block)
    for _ in range(_LEVELS):
        parent = holder.getparent()
        if parent is None or parent in page.roots or parent.tag not in ("div", "figure", "pre", "code", "span"):
            break
        inner, holder = holder, parent
        if len(holder) > _MOST_CHILDREN or _count(holder) > blocks or next(holder.iter(*_TOLD), None) is not None:
            break
        if len(text_of(holder)) - own > LONGEST_BAR:
            break
        names = classes(holder)
        named = holder.tag in ("pre", "code") or not WRAPPERS.isdisjoint(names) or any(map(_PREFIXED.fullmatch, names))
        texts = [_bar_text(child) for child in holder if child is not inner and isinstance(child.tag, str)]
        if any(text is None for text in texts):
            break
        bar += [text for text in texts if text]
        if named:
            wrapper = holder
    return wrapper, bar


def _count(element: etree._Element) -> int:
    return sum(1 for _ in itertools.islice(element.iter("pre"), 3))


def _bar_text(element: etree._Element) -> str | None:
    """The text of what stands beside a block where that is a bar: a button, a language's name; None otherwise."""
    text = text_of(element).lower()
    if not text or text in LANGUAGES:
        return text
    for button in element.iter("button", "a"):
        if button.tag == "button" or button.get("role") == "button":
            return text.removesuffix(text_of(button).lower()).strip()
    return None


def code_text(block: etree._Element) -> str:
    """The text of a code block: one line for each element that is one, no line numbers, no buttons."""
    elements: Iterable[etree._Element] = block.iterdescendants(etree.Element)
    if all(
        element.tag in _INLINE
        and element.tag != "br"
        and ((value := element.get("class")) is None or _NAMED.isdisjoint(class_names(value)))
        for element in elements
    ):
        text = raw_text(block)
    else:
        text = _lines(block)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # HTML drops the newline a pre begins with; not every parser does.
    return text.removeprefix("\n") if block.tag == "pre" else text.strip("\n")


_NAMED = NUMBERS | LINES
_CODE_PARTS = _INLINE | _ROWS | _TABLE_PARTS | {"td", "th", "pre", "tfoot", "colgroup", "col"}


def _lines(block: etree._Element) -> str:
    out: list[str] = []
    pending = False  # a line has ended and its newline is still to be written, by what comes next
    starts: list[int] = []
    exact = block.tag == "pre" or next(block.iter("pre"), None) is not None

    def write(text: str | None, holder: etree._Element | None) -> None:
        nonlocal pending
        if not text:
            return
        if not exact:
            text = text.replace("\xa0", " ")
        if not text.strip() and ((holder is not None and holder.tag in _TABLE_PARTS) or (not exact and "\n" in text)):
            return
        if pending:
            pending = False
            if not text.strip(" \t\r\n") and "\n" in text:
                text = text[text.index("\n") :]
            elif not text.startswith(("\n", "\r\n")):
                out.append("\n")
        out.append(text)

    walk = etree.iterwalk(block, events=("start", "end"))
    for event, element in walk:
        is_line = element is not block and _is_line(element)
        if event == "start":
            if element is not block and _is_beside(element):
                walk.skip_subtree()
                continue
            if element.tag == "br":
                if pending:
                    out.append("\n")
                pending = False
                out.append("\n")
            elif is_line:
                if pending or (out and not out[-1].endswith("\n")):
                    out.append("\n")
                pending = False
                starts.append(len(out))
            elif element.tag in ("td", "th") and out and not pending and not out[-1][-1:].isspace():
                out.append("\t")
            write(element.text, element)
        else:
            if is_line and not _is_beside(element):
                start = starts.pop()
                # A line may end with a newline of its own.
                pending = pending or len(out) == start or not out[-1].endswith("\n")
            if element is not block:
                write(element.tail, element.getparent())
    return "".join(out)


def _is_line(element: etree._Element) -> bool:
    if element.tag in _ROWS:
        return len(element) > 0 or bool(element.text) or not LINES.isdisjoint(classes(element)) or _has_twin(element)
    return element.tag in ("span", "code") and not LINES.isdisjoint(classes(element))


def _has_twin(element: etree._Element) -> bool:
    return any(beside is not None and beside.tag == element.tag for beside in (element.getprevious(), element.getnext()))


def _is_beside(element: etree._Element) -> bool:
    """Whether an element in a code block is no code: a button, or line numbers."""
    if element.tag in _NOT_CODE:
        return True
    if element.tag in ("td", "th"):
        row = element.getparent()
        return row is not None and len(row) > 1 and element is row[0] and _is_number_cell(element)
    value = element.get("class")
    return value is not None and not NUMBERS.isdisjoint(class_names(value)) and _is_number_cell(element)
