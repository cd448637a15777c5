"""The pages: name -> (bytes, charset by HTTP or None, expected paragraphs)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.pages_zh.prose import Prose


class ChinesePage(NamedTuple):
    """A page and what its content is."""

    data: bytes
    charset: str | None
    paragraphs: list[str]


PAGES: dict[str, Callable[[], ChinesePage]] = {}


def _page(make: Callable[[], ChinesePage]) -> Callable[[], ChinesePage]:
    PAGES[make.__name__] = make
    return make


_CHANNELS = [
    "首页",
    "国内",
    "国际",
    "财经",
    "科技",
    "体育",
    "教育",
    "文化",
    "健康",
    "汽车",
    "房产",
    "旅游",
    "军事",
    "视频",
    "图片",
    "专题",
]


def _nav(times: int = 3) -> str:
    return "<ul>" + "".join(f'<li><a href="/c/{i}">{name}</a></li>' for i, name in enumerate(_CHANNELS * times)) + "</ul>"


def _headlines(prose: Prose, count: int) -> str:
    return "<ul>" + "".join(f'<li><a href="/n/{i}">{prose.headline()}</a></li>' for i in range(count)) + "</ul>"


def _footer(prose: Prose, groups: int = 3) -> str:
    links = " | ".join(
        f'<a href="/f/{i}">{name}</a>'
        for i, name in enumerate(["关于我们", "联系方式", "版权声明", "广告服务", "友情链接"] * groups)
    )
    return f"<div class=foot><p>{links}</p><p>违法和不良信息举报电话：000-0000000</p><p>版权所有 未经许可不得转载</p></div>"


def _html(body: str, charset: str = "utf-8", title: str = "示例页面", head: str = "") -> str:
    return f'<!DOCTYPE html>\n<html lang="zh"><head><meta charset="{charset}">{head}<title>{title}</title></head><body>{body}</body></html>'


@_page
def portal_minified() -> ChinesePage:
    """A news portal without a line break in its source."""
    p = Prose(1)
    paragraphs = p.paragraphs(14)
    body = (
        f"<div id=top><div class=logo><a href=/>示例新闻网</a></div>{_nav()}</div><div class=wrap><div class=main><h1>{p.headline()}</h1>"
        f"<div class=info><span>2024-03-05 10:21</span><span>来源：示例日报</span></div><div class=text>"
        + "".join(f"<p>　　{x}</p>" for x in paragraphs)
        + f"</div><div class=share><a>分享</a><a>收藏</a><a>打印</a></div></div><div class=side><h3>热点新闻</h3>{_headlines(p, 30)}</div></div>{_footer(p)}"
        "<script>var a='" + "脚本文字" * 500 + "';</script>"
    )
    return ChinesePage(_html(body).encode(), "utf-8", paragraphs)


@_page
def nested_tables() -> ChinesePage:
    """A layout of tables in tables; the text lies directly in a cell."""
    p = Prose(2)
    paragraphs = p.paragraphs(18)
    left = "".join(f"<tr><td><a href=/{i}>{name}</a></td></tr>" for i, name in enumerate(_CHANNELS * 2))
    right = "".join(f"<tr><td>·<a href=/{i}>{p.headline()}</a></td></tr>" for i in range(20))
    body = (
        "<table width=760 align=center><tr><td colspan=3><table><tr>"
        + "".join(f"<td><a href=/{i}>{name}</a></td>" for i, name in enumerate(_CHANNELS))
        + f"</tr></table></td></tr><tr><td valign=top><table>{left}</table></td><td valign=top><table><tr><td><font size=5><b>{p.headline()}</b></font>"
        "</td></tr><tr><td><table><tr><td>\n<font color=#333333>"
        + "<br>\n<br>\n".join(f"&nbsp;&nbsp;&nbsp;&nbsp;{x}" for x in paragraphs)
        + f"</font></td></tr></table></td></tr></table></td><td valign=top><table>{right}</table></td></tr></table>{_footer(p)}"
    )
    return ChinesePage(_html(body, "gb2312").encode("gbk"), None, paragraphs)


@_page
def br_paragraphs() -> ChinesePage:
    """Paragraphs separated by line breaks only, in the same element as the links around them."""
    p = Prose(3)
    paragraphs = p.paragraphs(20, 1, 5)
    body = (
        f"<div>{_nav(1)}</div><div id=content><a href=/>首页</a> &gt; <a href=/a>文章</a> &gt; 正文<br><br>"
        + "<br><br>".join(f"　　{x}" for x in paragraphs)
        + f"<br><br><a href=/1>上一篇</a><br><a href=/2>下一篇</a></div>{_headlines(p, 12)}{_footer(p)}"
    )
    return ChinesePage(_html(body).encode(), None, paragraphs)


@_page
def gbk_forum_post() -> ChinesePage:
    """A long first post in GBK and many short answers."""
    p = Prose(4)
    paragraphs = p.paragraphs(16, 2, 5)
    answers = ""
    for floor in range(2, 40):
        user, text = p.comment()
        answers += (
            f"<table class=post><tr><td class=author><p>{user}</p><p>积分 {floor * 7}</p><p>帖子 {floor}</p></td><td><div class=pi>发表于 2012-5-{floor % 28 + 1} "
            f"{floor}楼</div><div class=t_f>{text}</div><div class=sign>个性签名</div><a>回复</a> <a>举报</a></td></tr></table>\n"
        )
    body = (
        f"<div id=hd>{_nav(1)}</div><div id=postlist><table class=post><tr><td class=author><p>楼主</p><p>积分 999</p><p>帖子 12</p></td><td>"
        f"<div class=pi>发表于 2012-5-1 楼主</div><div class=t_f>"
        + "<br />\r\n<br />\r\n".join(paragraphs)
        + f"</div><a>回复</a> <a>举报</a></td></tr></table>\n{answers}</div>{_footer(p)}"
    )
    return ChinesePage(_html(body, "gbk").encode("gbk"), "gbk", paragraphs)


@_page
def novel_chapter_br() -> ChinesePage:
    """A chapter of a serial novel: narration and short dialogue, a line break after each."""
    p = Prose(5)
    paragraphs = p.novel(90)
    links = '<div class="bottem"><a href="/1">上一章</a> <a href="/">章节列表</a> <a href="/3">下一章</a> <a>加入书签</a></div>'
    body = (
        f'<div class="nav">{_nav(1)}</div><div class="bookname"><h1>第十二章 渡口</h1>{links}</div><div id="content">'
        + "<br /><br />".join(f"&nbsp;&nbsp;&nbsp;&nbsp;{x}" for x in paragraphs)
        + f"</div>{links}<div class=box>推荐阅读：{_headlines(p, 10)}</div>{_footer(p)}"
    )
    return ChinesePage(_html(body, title="第十二章 渡口").encode(), "utf-8", paragraphs)


@_page
def novel_chapter_p() -> ChinesePage:
    """The same with an element per line, one per source line."""
    p = Prose(6)
    paragraphs = p.novel(110)
    body = (
        f"<header>{_nav(1)}</header>\n<main>\n<h1>第四十回 夜雨</h1>\n<div class=chapter>\n"
        + "\n".join(f"<p>{x}</p>" for x in paragraphs)
        + f"\n</div>\n</main>\n<div class=pages><a>上一章</a><a>目录</a><a>下一章</a></div>\n{_footer(p)}"
    )
    return ChinesePage(_html(body, "gb18030").encode("gb18030"), None, paragraphs)


@_page
def official_notice() -> ChinesePage:
    """A notice with numbered articles, a signature and a date."""
    p = Prose(7)
    numerals = "一二三四五六七八九十"
    paragraphs = ["各有关单位："]
    for number in range(10):
        paragraphs += [f"{numerals[number]}、工作要求", p.paragraph(3), f"（一）{p.paragraph(2)}", f"（二）{p.paragraph(2)}"]
    paragraphs += ["特此通知。", "示例市人民政府办公室", "2023年6月1日"]
    body = (
        f"<div class=header>{_nav(2)}</div><div class=mid><table class=meta><tr><td>索引号：</td><td>000-1</td><td>发文机关：</td><td>办公室</td></tr></table>"
        f"<h1>关于做好有关工作的通知</h1><div class=TRS_Editor>"
        + "".join(f'<p style="text-indent: 2em"><span style="font-family: 宋体">{x}</span></p>' for x in paragraphs)
        + f"</div><div class=tools><a>打印本页</a><a>关闭窗口</a></div></div>{_footer(p)}"
    )
    return ChinesePage(_html(body).encode(), "utf-8", paragraphs)


@_page
def long_comment_list() -> ChinesePage:
    """An article followed by a hundred comments."""
    p = Prose(8)
    paragraphs = p.paragraphs(20, 2, 5)
    comments = ""
    for index in range(100):
        user, text = p.comment()
        comments += f"<div class=item><div class=head><a>{user}</a><span>{index}分钟前</span></div><div class=body>{text}</div><div class=op><a>赞({index})</a><a>回复</a></div></div>"
    body = (
        f"<div>{_nav()}</div><div class=article><h1>{p.headline()}</h1><section>"
        + "".join(f"<p>{x}</p>" for x in paragraphs)
        + f"</section></div><div class=comments><h2>网友评论</h2>{comments}</div>{_footer(p)}"
    )
    return ChinesePage(_html(body).encode(), None, paragraphs)


@_page
def long_footer() -> ChinesePage:
    """A footer with hundreds of links and legal lines."""
    p = Prose(9)
    paragraphs = p.paragraphs(15, 3, 6)
    legal = "".join(f"<p>许可证编号：示例字{i:04d}号</p>" for i in range(25))
    body = (
        f"<div class=nav>{_nav()}</div>\n<div class=con>\n<h1>{p.headline()}</h1>\n"
        + "\n".join(f"<p>\n{x}\n</p>" for x in paragraphs)
        + f"\n</div>\n<div class=footer>{_nav(12)}{_headlines(p, 40)}{legal}</div>"
    )
    return ChinesePage(_html(body).encode(), "utf-8", paragraphs)


@_page
def lines_of_source() -> ChinesePage:
    """Text whose only structure is the source's own blank lines (shown by `white-space: pre-wrap`)."""
    p = Prose(10)
    paragraphs = p.paragraphs(22, 1, 4)
    body = (
        f"\n<div>\n{_nav(1)}\n</div>\n\n\n\n\n<div style='white-space: pre-wrap'>\n"
        + "\n\n".join(paragraphs)
        + f"\n</div>\n\n\n\n\n<div>\n{_footer(p)}\n</div>\n"
    )
    return ChinesePage(_html(body).encode(), "utf-8", paragraphs)


@_page
def preformatted() -> ChinesePage:
    """A story inside `pre`."""
    p = Prose(11)
    paragraphs = p.novel(60)
    body = f"<center>{_nav(1)}</center><h2>短篇</h2><pre>\n" + "\n\n".join(f"　　{x}" for x in paragraphs) + f"\n</pre>{_footer(p)}"
    return ChinesePage(_html(body, "gbk").encode("gbk"), None, paragraphs)


@_page
def big5_essay() -> ChinesePage:
    """Traditional characters in Big5."""
    sentences = [
        "清晨的渡口還沒有人，老船工已經把纜繩解開，坐在船頭等第一批趕集的鄉親。",
        "他說這條河從前比現在寬得多，夏天漲水的時候，連對岸的竹林都看不清楚。",
        "後來上游修了水庫，河道一年比一年窄，渡船也從七條減少到了兩條。",
        "不過只要還有人要過河，他就打算一直撐下去，直到撐不動的那一天為止。",
        "我把這些話記在本子上，回到城裡以後，常常在夜深的時候重新翻看。",
    ]
    paragraphs = ["".join(sentences[(i + j) % 5] for j in range(2 + i % 4)) for i in range(18)]
    nav = "".join(
        f"<td><a href=/{i}>{name}</a></td>" for i, name in enumerate(["首頁", "散文", "小說", "詩歌", "書評", "留言"] * 3)
    )
    body = (
        f"<table><tr>{nav}</tr></table><div class=essay><h1>渡口</h1>"
        + "".join(f"<p>{x}</p>" for x in paragraphs)
        + "</div><hr><p>版權所有</p><p><a>回首頁</a></p>"
    )
    return ChinesePage(_html(body, "big5", "渡口").encode("big5"), "big5", paragraphs)


@_page
def headlines_first() -> ChinesePage:
    """A hundred headlines stand before the article."""
    p = Prose(12)
    paragraphs = p.paragraphs(16, 3, 6)
    body = (
        f"<div class=left><h3>要闻</h3>{_headlines(p, 50)}<h3>排行</h3>{_headlines(p, 50)}</div><div class=right><div class=box><h1>{p.headline()}</h1><div class=con>"
        + "".join(f"<p>{x}</p>" for x in paragraphs)
        + f"</div></div></div>{_footer(p)}"
    )
    return ChinesePage(_html(body).encode(), "utf-8", paragraphs)


@_page
def word_export() -> ChinesePage:
    """Every paragraph cut into spans and fonts, as word processors write it."""
    p = Prose(13)
    paragraphs = p.paragraphs(18, 2, 5)

    def cut(text: str) -> str:
        parts = [text[i : i + 17] for i in range(0, len(text), 17)]
        return "".join(f'<span lang="ZH-CN" style="font-size:12pt"><font face="宋体">{part}</font></span>' for part in parts)

    body = (
        f"<div>{_nav(2)}</div><div class=Section1>"
        + "\n".join(f'<p class="MsoNormal">{cut(x)}<o:p></o:p></p>' for x in paragraphs)
        + f"</div>{_footer(p)}"
    )
    return ChinesePage(_html(body).encode(), None, paragraphs)


@_page
def xhtml_journal() -> ChinesePage:
    """Well-formed XHTML in its namespace."""
    p = Prose(14)
    paragraphs = p.paragraphs(15, 3, 5)
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>期刊</title></head><body>'
        f'<div id="nav">{_nav(2)}</div><div id="paper">'
        + "".join(f"<p>{x}</p>" for x in paragraphs)
        + '</div><div id="end"><p>本刊编辑部</p><p>地址：示例路一号</p></div></body></html>'
    )
    return ChinesePage(body.encode(), "utf-8", paragraphs)


@_page
def sections_with_ads() -> ChinesePage:
    """Parts of an article in sections, with advertisements between paragraphs."""
    p = Prose(15)
    parts = [p.paragraphs(5, 2, 5) for _ in range(5)]
    body = f"<div>{_nav()}</div><div class=story><h1>{p.headline()}</h1>"
    for part in parts:
        body += "<section>" + "<div class=ad><script>ad()</script></div>".join(f"<p>{x}</p>" for x in part) + "</section>"
    body += f"</div><div class=related>{_headlines(p, 8)}</div>{_footer(p)}"
    return ChinesePage(_html(body).encode(), "utf-8", [x for part in parts for x in part])


@_page
def interview() -> ChinesePage:
    """Questions and answers as a description list."""
    p = Prose(16)
    pairs = [(f"问：{p.headline()}，您怎么看？", "答：" + p.paragraph(4)) for _ in range(18)]
    body = (
        f"<div>{_nav(2)}</div><div class=talk><dl>"
        + "".join(f"<dt>{q}</dt><dd>{a}</dd>" for q, a in pairs)
        + f"</dl></div><div>{_headlines(p, 15)}</div>{_footer(p)}"
    )
    return ChinesePage(_html(body).encode(), "utf-8", [x for pair in pairs for x in pair])


@_page
def body_text_old() -> ChinesePage:
    """Text directly in the body, links before and after it, no charset stated."""
    p = Prose(17)
    paragraphs = p.paragraphs(20, 2, 4)
    links = "".join(f"[<a href=/{i}>{name}</a>]" for i, name in enumerate(_CHANNELS))
    data = (
        f"<html><head><title>文集</title></head><body bgcolor=white>{links}<hr><center><h2>文集之一</h2></center>"
        + "<p>".join(f"　　{x}" for x in paragraphs)
        + f"<hr><center>{links}</center></body></html>"
    )
    return ChinesePage(data.encode("gbk"), None, paragraphs)
