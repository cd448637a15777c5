"""Step 4: code blocks."""

from __future__ import annotations

import pytest

from mainextract_beam.clean.code import standardize_code
from mainextract_beam.clean.protect import is_protected
from tests.clean_steps import after, page_of, protected, written


def code(text: str, language: str | None = None) -> str:
    stated = f' class="language-{language}"' if language else ""
    return f"<pre><code{stated}>{text}</code></pre>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param("<pre><code>\tif a:\n\n\n\t  b\n</code></pre>", code("\tif a:\n\n\n\t  b\n"), id="exact text"),
        pytest.param("<pre><code>  a\n    b</code></pre>", code("  a\n    b"), id="common indent stays"),
        pytest.param("<pre>\n<code>a\n</code></pre>", code("a\n"), id="newline the markup begins with"),
        pytest.param("<pre><code>a<br>b<br>c</code></pre>", code("a\nb\nc"), id="br is a newline"),
        pytest.param("<code><pre>a\nb</pre></code>", code("a\nb"), id="pre in code"),
        pytest.param("<pre><b>a</b> <i>b</i></pre>", "<pre><b>a</b> <i>b</i></pre>", id="no sign of code"),
        pytest.param("<pre>a\n <img src='x'> b</pre>", '<pre>a\n <img src="x"/> b</pre>', id="picture in pre"),
        pytest.param("<div><code>a\n  b</code></div>", f"<div>{code('a' + chr(10) + '  b')}</div>", id="code alone"),
        pytest.param("<p>Use <code>a <b>b</b></code>.</p>", "<p>Use <code>a <b>b</b></code>.</p>", id="inline code"),
        pytest.param(
            '<pre class="shiki"><code><span class="line"><i>a</i></span>\n<span class="line"></span>\n'
            '<span class="line">  b</span></code></pre>',
            code("a\n\n  b"),
            id="span lines with newlines",
        ),
        pytest.param(
            '<pre><code><span class="line">a</span><span class="line">b</span></code></pre>',
            code("a\nb"),
            id="span lines without newlines",
        ),
        pytest.param(
            '<pre><code><div class="ec-line"><div class="code">a</div></div><div class="ec-line"><div class="code">\n'
            '</div></div><div class="ec-line"><div class="code">b</div></div></code></pre>',
            code("a\n\nb"),
            id="div lines, an empty one with its newline",
        ),
        pytest.param(
            "<pre><code><div>a</div>\n<div></div>\n<div>b</div></code></pre>", code("a\n\nb"), id="div lines and newlines"
        ),
        pytest.param(
            '<pre><code><span class="lineno">1 </span>a\n<span class="lineno">2 </span>b</code></pre>',
            code("a\nb"),
            id="line numbers in the line",
        ),
        pytest.param('<pre><code><span class="ln">x</span> = 1</code></pre>', code("x = 1"), id="named a line number, but code"),
        pytest.param(
            '<div class="highlight"><table class="rouge-table"><tbody><tr><td class="gutter"><pre>1\n2\n</pre></td>'
            '<td class="code"><pre>a\n  b\n</pre></td></tr></tbody></table></div>',
            code("a\n  b"),
            id="table with a column of numbers",
        ),
        pytest.param(
            '<pre><code class="hljs ruby"><table class="hljs-ln"><tr><td>1</td><td>a</td></tr><tr><td>2</td><td></td></tr>'
            "<tr><td>3</td><td>  b</td></tr></table></code></pre>",
            code("a\n\n  b", "ruby"),
            id="table with a row for each line",
        ),
        pytest.param(
            '<div class="syntaxhighlighter js"><table><tr><td><div class="line">1</div><div class="line">2</div></td>'
            '<td><div class="line"><code>var&nbsp;a</code></div>'
            '<div class="line"><code>&nbsp;&nbsp;b</code></div></td></tr></table></div>',
            code("var a\n  b", "js"),
            id="highlighter without pre",
        ),
        pytest.param(
            '<div class="cm-content"><div class="cm-line">a</div><div class="cm-line"><br></div><div class="cm-line">b</div></div>',
            code("a\n\nb"),
            id="editor",
        ),
        pytest.param(
            '<div class="code-block"><div><span>Python</span><button>Copy</button></div><pre><code>x</code></pre></div>',
            code("x", "python"),
            id="bar with the language and a button",
        ),
        pytest.param(
            '<div class="code-block"><p>Run this first:</p><pre><code>x</code></pre></div>',
            f'<div class="code-block"><p>Run this first:</p>{code("x")}</div>',
            id="a paragraph is no bar",
        ),
        pytest.param(
            '<figure class="highlight"><pre><code>x</code></pre><figcaption>a.py</figcaption></figure>',
            f'<figure class="highlight">{code("x")}<figcaption>a.py</figcaption></figure>',
            id="caption stays",
        ),
        pytest.param("<pre id='p'><code>x</code></pre>", '<pre id="p"><code>x</code></pre>', id="target stays"),
        pytest.param("<pre><code>a <svg><text>i</text></svg>b</code></pre>", code("a b"), id="icon"),
        pytest.param("<pre><code>x&#12;y</code></pre>", code("x�y"), id="character XML forbids"),
        pytest.param(
            '<pre><code>if <span class="advert-banner">share</span>()</code></pre>',
            code("if share()"),
            id="names of clutter inside",
        ),
    ],
)
def test_code_block(markup: str, expected: str) -> None:
    assert after(standardize_code, markup) == expected


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ('<pre><code class="language-python">x</code></pre>', "python"),
        ('<pre><code class="hljs language-c++">x</code></pre>', "c++"),
        ('<pre><code class="lang-objective-c">x</code></pre>', "objective-c"),
        ('<pre class="language-py3"><code>x</code></pre>', "py3"),
        ('<pre class="brush: php; notranslate">x</pre>', "php"),
        ('<pre class="brush:php">x</pre>', "php"),
        ('<div class="highlight-source-rust"><pre>x</pre></div>', "rust"),
        ('<div class="language-toml highlighter-rouge"><div class="highlight"><pre><code>x</code></pre></div></div>', "toml"),
        ('<pre data-lang="kotlin"><code>x</code></pre>', "kotlin"),
        ('<div class="code-block" data-language="go"><pre>x</pre></div>', "go"),
        ('<pre lang="ruby"><code>x</code></pre>', "ruby"),
        ('<pre class="sourceCode haskell"><code>x</code></pre>', "haskell"),
        ('<pre lang="de"><code>x</code></pre>', None),
        ('<pre class="language-none"><code>x</code></pre>', None),
        ('<pre class="wide"><code>x</code></pre>', None),
    ],
)
def test_language(markup: str, language: str | None) -> None:
    assert after(standardize_code, markup) == code("x", language)


def test_marks() -> None:
    page = page_of("<div><pre><code>x</code></pre></div><p><code>y</code></p><pre>a poem</pre>")
    standardize_code(page)
    assert protected(page) == [("pre", "code"), ("pre", "code"), ("code", "code")]
    block, paragraph, poem = page.roots[0]
    assert is_protected(page, block)
    assert is_protected(page, poem)
    # A word of code does not protect what holds it: menus of references are full of them.
    assert not is_protected(page, paragraph)
    assert is_protected(page, paragraph[0])


def test_journal() -> None:
    page = page_of('<div class="highlight"><pre><code class="language-c">x</code></pre></div>', keep=True)
    standardize_code(page)
    assert [(entry.rule, entry.action, entry.reason, entry.path) for entry in page.journal.entries] == [
        ("code", "replace", "c", "/html/body/div")
    ]
    assert page.journal.path(page.roots[0][0]) == "/html/body/div"


def test_blocks_without_number() -> None:
    assert after(standardize_code, "<pre><code>x</code></pre>" * 5_000) == code("x") * 5_000
    lines = "<span class=line>x</span>\n" * 50_000
    assert after(standardize_code, f"<pre><code>{lines}</code></pre>") == code("x\n" * 50_000)


def test_nested_without_end() -> None:
    page = page_of("<pre>" * 200 + "<code>x</code>" + "</pre>" * 200)
    standardize_code(page)
    assert written(page) == code("x")
