"""Pages of many encodings come out as right text, whether the charset is stated rightly, wrongly, late, or nowhere."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from mainextract_beam import extract_page
from mainextract_beam.encodings import codec_of, to_utf8


class Case(NamedTuple):
    """Text in an encoding."""

    label: str  # as pages state it
    codec: str  # as the bytes are made
    wrong: str  # a label that pages of this kind state wrongly
    text: str


SIMPLIFIED = (
    "清晨的渡口还没有人，老船工已经把缆绳解开，坐在船头等第一批赶集的乡亲。他说这条河从前比现在宽得多，夏天涨水的时候，"
    "连对岸的竹林都看不清楚。后来上游修了水库，河道一年比一年窄，渡船也从七条减少到了两条。"
)
TRADITIONAL = (
    "清晨的渡口還沒有人，老船工已經把纜繩解開，坐在船頭等第一批趕集的鄉親。他說這條河從前比現在寬得多，夏天漲水的時候，"
    "連對岸的竹林都看不清楚。後來上游修了水庫，河道一年比一年窄，渡船也從七條減少到了兩條。"
)
JAPANESE = (
    "朝早く渡し場にはまだ誰もいない。船頭は綱をほどき、舳先に腰を下ろして市へ行く人々を待っている。この川は昔もっと広く、"
    "夏に水が増えると向こう岸の竹林も見えなかったという。①上流にダムができてから川幅は狭くなった。"
)
KOREAN = (
    "이른 아침 나루터에는 아직 아무도 없다. 늙은 뱃사공은 밧줄을 풀고 뱃머리에 앉아 장에 가는 사람들을 기다린다. "
    "그는 이 강이 예전에는 훨씬 넓었고 여름에 물이 불면 건너편 대숲도 보이지 않았다고 말한다. 펲시콜라와 똠방각하."
)
RUSSIAN = (
    "Рано утром на переправе ещё никого нет. Старый лодочник уже отвязал канат и ждёт первых путников, идущих на рынок. "
    "Он говорит, что раньше эта река была гораздо шире — летом с неё не был виден другой берег."
)
CASES = [
    Case("gb2312", "gb2312", "iso-8859-1", SIMPLIFIED),
    Case("gbk", "gbk", "utf-8", f"{SIMPLIFIED}朱镕基，丁玲的《太阳照在桑乾河上》，陈氿。"),
    Case("gb2312", "gbk", "big5", f"{SIMPLIFIED}朱镕基总理讲话，喆字也在其中。"),  # the label means GBK
    Case("gb18030", "gb18030", "utf-8", f"{SIMPLIFIED}其中有“㐀㐁”和“𠮷野”这样的罕见字。"),
    Case("big5", "big5", "utf-8", TRADITIONAL),
    Case("big5", "big5hkscs", "iso-8859-1", f"{TRADITIONAL}佢哋嘅渡船喺邊度？"),
    Case("shift_jis", "shift_jis", "utf-8", JAPANESE.replace("①", "")),
    Case("shift_jis", "cp932", "iso-8859-1", JAPANESE),
    Case("euc-jp", "euc_jp", "utf-8", JAPANESE.replace("①", "")),
    Case("euc-kr", "euc_kr", "iso-8859-1", KOREAN.partition(" 펲")[0]),
    Case("euc-kr", "cp949", "utf-8", KOREAN),
    Case("windows-1251", "cp1251", "utf-8", RUSSIAN),
    Case("windows-1250", "cp1250", "utf-8", "Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco řeka pod mlýnem tiše šuměla a déšť stékal po oknech."),
    Case("windows-1252", "cp1252", "utf-8", "Früh am Morgen – niemand ist an der Fähre. „Der Fluss war früher größer“, sagt er; à la carte für 5 €."),
    Case("windows-1253", "cp1253", "utf-8", "Νωρίς το πρωί δεν υπάρχει κανείς στο πέρασμα. Ο γέρος βαρκάρης έλυσε το σχοινί και περιμένει τους πρώτους."),
    Case("windows-1254", "cp1254", "utf-8", "Sabahın erken saatlerinde iskelede kimse yoktur. Yaşlı kayıkçı ipi çözmüş, çarşıya gidecek ilk yolcuları bekliyor; ığdır, şoför, güneş."),
    Case("windows-1255", "cp1255", "utf-8", "בשעת בוקר מוקדמת אין איש במעבורת. הסוור הזקן כבר התיר את החבל והוא יושב וממתין לנוסעים הראשונים אל השוק."),
    Case("windows-1256", "cp1256", "utf-8", "في الصباح الباكر لا يوجد أحد عند المعبر. حل المراكبي العجوز الحبل وجلس ينتظر أول الركاب الذاهبين إلى السوق."),
    Case("utf-8", "utf-8", "gbk", SIMPLIFIED),
    Case("utf-8", "utf-8", "iso-8859-1", f"{RUSSIAN} {JAPANESE} — naïve café"),
]  # fmt: skip
IDS = [f"{case.codec}-{index}" for index, case in enumerate(CASES)]

cases = pytest.mark.parametrize("case", CASES, ids=IDS)


def page(case: Case, head: str = "", before: str = "") -> bytes:
    """A page whose `main` holds the text in five paragraphs."""
    paragraphs = "".join(f"<p>{case.text}</p>" for _ in range(5))
    html = f"{before}<html><head>{head}<title>{case.text[:12]}</title></head><body><main>{paragraphs}</main></body></html>"
    return html.encode(case.codec)


def check(case: Case, data: bytes, encoding: str | None = None) -> None:
    document = extract_page(data, encoding=encoding)
    assert document is not None
    assert document.text() == "\n\n".join([case.text] * 5)
    assert document.title == case.text[:12].strip()


@cases
def test_stated_by_http(case: Case) -> None:
    check(case, page(case), case.label)


@cases
def test_stated_by_http_in_capitals_and_quotes(case: Case) -> None:
    check(case, page(case), f' "{case.label.upper()}" ')


@cases
def test_stated_by_meta(case: Case) -> None:
    check(case, page(case, f"<meta charset={case.label}>"))


@cases
def test_stated_by_http_equiv(case: Case) -> None:
    check(case, page(case, f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={case.label}">'))


@cases
def test_stated_late_in_the_head(case: Case) -> None:
    filler = "<script>/* " + "filler " * 1_500 + "*/</script><link rel=stylesheet href=/a.css>"
    check(case, page(case, f"{filler}<meta charset='{case.label}'>"))


@cases
def test_stated_by_an_xml_declaration(case: Case) -> None:
    check(case, page(case, before=f'<?xml version="1.0" encoding="{case.label}"?>\n'))


@cases
def test_stated_wrongly_by_http_and_rightly_by_meta(case: Case) -> None:
    check(case, page(case, f"<meta charset={case.label}>"), case.wrong)


@cases
def test_stated_wrongly_by_meta_and_rightly_by_http(case: Case) -> None:
    check(case, page(case, f"<meta charset={case.wrong}>"), case.label)


@cases
def test_stated_wrongly(case: Case) -> None:
    check(case, page(case, f"<meta charset={case.wrong}>"), case.wrong)


@cases
def test_stated_nowhere(case: Case) -> None:
    check(case, page(case))


@cases
def test_an_unknown_label(case: Case) -> None:
    check(case, page(case, "<meta charset=x-no-such>"), "none")


@cases
def test_a_label_in_a_comment_is_none(case: Case) -> None:
    check(case, page(case, f"<!-- <meta charset={case.wrong}> --><meta charset={case.label}>"))


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("label", [None, "gbk", "iso-8859-1"])
def test_a_byte_order_mark_decides(codec: str, label: str | None) -> None:
    case = CASES[0]._replace(codec=codec)
    check(case, page(case, "<meta charset=big5>"), label)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(codec: str) -> None:
    case = CASES[0]._replace(codec=codec, text="plain words that a reader may read, " * 9 + "end")
    check(case, page(case))


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("gb2312", "gb18030"), ("GB_2312-80", "gb18030"), ("x-gbk", "gb18030"), ("big5-hkscs", "big5hkscs"), ("x-sjis", "cp932"),
        ("windows-31j", "cp932"), ("ks_c_5601-1987", "cp949"), ("latin1", "cp1252"), ("us-ascii", "cp1252"), ("utf8", "utf-8"),
        ("unicode", "utf-8"), ("nonsense", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_labels_are_read_by_the_whatwg_table(label: str | None, codec: str | None) -> None:
    assert codec_of(label) == codec


def test_damaged_bytes_lose_only_themselves() -> None:
    data = page(CASES[1])
    cut = data[:-60]  # the end of the page is missing
    document = extract_page(cut[:400] + b"\xff" + cut[400:], encoding="gbk")
    assert document is not None
    assert document.text().count(CASES[1].text) >= 3


def test_a_str_is_taken_as_it_is() -> None:
    assert to_utf8("<meta charset=gbk>渡口", "big5") == "<meta charset=gbk>渡口".encode()
