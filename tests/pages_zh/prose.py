"""Chinese text to fill pages with: paragraphs, dialogue, headlines, comments; always the same for the same seed."""

from __future__ import annotations

import random

_TIMES = ["清晨", "午后", "傍晚", "入夜以后", "去年冬天", "雨季来临之前", "集市散场的时候", "开学的第一个星期"]
_PEOPLE = [
    "老船工",
    "图书馆的管理员",
    "新来的乡村教师",
    "修钟表的师傅",
    "种茶的人家",
    "几位年轻的工程师",
    "镇上的邮递员",
    "合作社的会计",
]
_PLACES = [
    "渡口旁的石阶上",
    "山脚的旧车站",
    "河对岸的粮仓",
    "城北的小巷里",
    "新修的堤坝边",
    "学校后面的竹林",
    "临街的茶馆里",
    "水库的观测房",
]
_ACTS = [
    "把多年来积攒的记录一页一页地整理出来",
    "同邻近几个村子的人商量如何分配灌溉用水",
    "向来访者讲述这条路从前的样子",
    "把损坏的零件拆开清洗，再按原来的次序装回去",
    "测量水位的变化，并且写在一块木板上",
    "教孩子们辨认山坡上各种常见的草木",
    "核对账目，直到每一笔收入都有来处",
    "在地图上标出今后三年要修的每一座桥",
]
_REASONS = [
    "因为谁也说不准下一场大水什么时候来",
    "为的是让后来的人少走一些弯路",
    "这样做虽然费时，却能避免许多争执",
    "据说这个习惯已经延续了将近一百年",
    "而真正的困难在于经费迟迟没有着落",
    "结果比最初的设想还要好一些",
    "尽管起初很少有人相信这件事能够办成",
    "专家认为这一做法值得在其他地区推广",
]
_SAYINGS = [
    "你怎么来了？",
    "路上不好走吧。",
    "我等了整整一天。",
    "钥匙在谁手里？",
    "别回头，往前走就是了。",
    "他说过他会回来的。",
    "这件事，除了你我，还有谁知道？",
    "好。",
]
_DEEDS = ["他低声说道", "她没有抬头", "老人叹了口气", "门外忽然安静下来", "灯芯跳了一下", "少年把刀放回鞘里"]
_COMMENTS = [
    "写得真好，支持一下",
    "沙发！",
    "顶楼主",
    "说得有道理，不过我们这里不是这样",
    "已收藏，谢谢分享",
    "小时候也见过这样的渡口",
    "希望能有后续报道",
    "哈哈哈哈",
]
_USERS = ["山间明月", "用户3021", "匿名网友", "老张", "海边的风", "momo", "路过打酱油", "小镇青年"]


class Prose:
    """A source of text."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def sentence(self) -> str:
        pick = self._random.choice
        return f"{pick(_TIMES)}，{pick(_PEOPLE)}在{pick(_PLACES)}{pick(_ACTS)}，{pick(_REASONS)}。"

    def paragraph(self, sentences: int = 4) -> str:
        return "".join(self.sentence() for _ in range(sentences))

    def paragraphs(self, count: int, low: int = 2, high: int = 6) -> list[str]:
        return [self.paragraph(self._random.randint(low, high)) for _ in range(count)]

    def novel(self, count: int) -> list[str]:
        """Narration and short lines of dialogue, as in a serial novel."""
        lines = []
        for index in range(count):
            pick = self._random.choice
            if index % 4 == 0:
                lines.append(self.paragraph(self._random.randint(1, 3)))
            elif index % 4 == 3:
                lines.append(f"{pick(_DEEDS)}，{pick(_DEEDS)}，谁也没有再开口。")
            else:
                lines.append(f"“{pick(_SAYINGS)}”{pick(_DEEDS)}。")
        return lines

    def headline(self) -> str:
        pick = self._random.choice
        return f"{pick(_PEOPLE)}{pick(['谈', '回应', '走进', '获评', '告别'])}{pick(_PLACES)}"

    def comment(self) -> tuple[str, str]:
        return self._random.choice(_USERS), self._random.choice(_COMMENTS)
