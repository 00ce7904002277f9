"""Statements in Japanese and Korean."""

from __future__ import annotations

import random
from datetime import date

from tests.statements.world.truth import Made

from .deals import WHOLE, drawn, ledger, lines, made
from .kit import A4, Paper

YUCHO = """
+230000 310000 給与|カ)ミナトコウギョウ
*-1200 9000 カード|イオンリテ-ル
*-5000 30000 払出し|ATM
-78000 78000 送金|ヤマモト フドウサン
-6800 14000 自払|トウキヨウデンリヨク
*+2000 30000 振込|タナカ ミサキ
>+1 30 受取利子|
"""


def japan_post(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 120000, 900000, 0),
        date(2025, 3, 3),
        date(2025, 3, 31),
        YUCHO,
        14,
        places=0,
        weekdays=True,
    )
    paper = Paper(A4, font="HeiseiKakuGo-W5", left=50)
    paper.say("ゆうちょ銀行", size=16)
    paper.say("通常貯金 お取引明細", size=12)
    paper.y += 6
    paper.say(
        "記号 10040   番号 44711091      田中 健一 様\n照会期間 令和7年3月1日 ～ 令和7年3月31日      作成日 令和7年4月2日",
        size=9,
    )
    paper.y += 12
    grid = paper.grid(
        "52 120 230 370r 460r 545r",
        ("年月日", "取扱内容", "備考", "お預り金額", "お支払金額", "現在高"),
        size=9,
        step=14,
    )
    grid.head()
    grid.row("07-03-01", "繰越", "", "", "", WHOLE(book.opening))
    for row in book.shown:
        text = (*lines(row), "")[:2]
        out, into = WHOLE.sides(row.amount)
        grid.row(f"{row.day.year - 2018:02}-{row.day:%m-%d}", text[0], text[1], into, out, WHOLE(row.balance))
    paper.rule()
    paper.y += 12
    grid.row("07-03-31", "現在高", "", WHOLE(book.ins), WHOLE.bare(book.outs), WHOLE(book.closing))
    paper.say("（ご注意）この明細は証明書としてはご利用いただけません。金額の単位は円です。", size=7.5)
    return made(
        "yucho_meisai_202503.pdf",
        paper,
        "JPY",
        "Japan Post Bank, Japan: years of the emperor's reign (07-03-05 is 2025), deposits before "
        "withdrawals, no decimals",
        book,
    )


RAKUTEN = """
*-300 4800 セブン－イレブン
*-900 9000 ライフ 桜新町店
*-1500 12000 楽天市場
-24000 48000 ヨドバシカメラ 新宿|3回払い(1回目)
-3980 3980 東京ガス
-1490 1490 NETFLIX.COM
"""


def rakuten(chance: random.Random) -> Made:
    book = ledger(chance, "0", date(2025, 2, 1), date(2025, 2, 28), RAKUTEN, 13, places=0)
    part = next(row for row in book.rows if "|" in row.text)
    paper = Paper(A4, font="HeiseiKakuGo-W5", left=40)
    paper.say("楽天カード ご利用代金請求明細書", size=15)
    paper.say("佐々木 翔 様     カード番号 5346-****-****-4471", size=9)
    due = -book.closing - (-part.amount) + (-part.amount / 3).to_integral_value()
    paper.y += 6
    paper.pairs(
        ("お支払日", "2025年3月27日"),
        ("ご請求金額", f"{WHOLE(due)}円"),
        ("前回ご請求金額（2025年2月27日 お支払済）", "61,204円"),
        x=42,
        to=330,
        size=9,
    )
    paper.y += 12
    grid = paper.grid(
        "42 105 260 300 410r 480r 555r",
        ("利用日", "利用店名・商品名", "利用者", "支払方法", "利用金額", "3月支払金額", "4月以降繰越残高"),
        size=8,
        step=13,
    )
    grid.head()
    for row in book.shown:
        text, *way = lines(row)
        now = -row.amount if not way else (-row.amount / 3).to_integral_value()
        grid.row(
            f"{row.day:%Y/%m/%d}",
            text,
            "本人",
            way[0] if way else "1回払い",
            WHOLE.bare(row.amount),
            WHOLE(now),
            WHOLE(-row.amount - now),
        )
    grid.row("", "合計", "", "", WHOLE.bare(book.closing), WHOLE(due), WHOLE(-book.closing - due))
    paper.y += 12
    paper.say("前回ご請求分の明細（お支払済）", size=9.5)
    paper.y += 4
    grid = paper.grid(
        "42 105 260 410r", ("利用日", "利用店名・商品名", "利用者", "利用金額"), size=8, step=13
    )
    grid.head()
    for day, text, money in (
        (11, "セブン－イレブン", "1,204"),
        (17, "エアコン工事 取付費", "48,000"),
        (29, "ビックカメラ", "12,000"),
    ):
        grid.row(f"2025/01/{day}", text, "本人", money)
    paper.y += 10
    paper.say("ポイント： 当月獲得 1,042 ポイント   累計 18,331 ポイント", size=8.5)
    return made(
        "statement_202503.pdf",
        paper,
        "JPY",
        "Rakuten, Japan card: paid in three parts beside the price, rows of the bill before below, no "
        "balances",
        book,
        both_ends=False,
    )


KOOKMIN = """
+2600000 3400000 급여|(주)한빛소프트
*-3500 42000 체크카드|GS25 서초점
*-4800 60000 체크카드|이마트 양재점
*-20000 200000 스마트출금|김민준
-650000 650000 자동이체|월세 송파빌라
-32000 98000 CMS 공동|SK텔레콤
*+10000 150000 전자금융|이서연
-100000 300000 ATM출금|강남역지점
>+40 900 예금이자|
"""


def kookmin(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 400000, 3000000, 0),
        date(2025, 1, 2),
        date(2025, 1, 31),
        KOOKMIN,
        18,
        places=0,
        weekdays=True,
    )
    paper = Paper(A4, font="HYGothic-Medium", left=40)
    paper.say("KB국민은행", size=16)
    paper.say("거래내역 조회 (입출금)", size=12)
    paper.y += 4
    paper.say(
        "계좌번호 447102-04-110933   예금주 박지훈 님   통화 KRW\n조회기간 2025.01.01 ~ 2025.01.31   출력일시 2025.02.01 09:41:20",
        size=8.5,
    )
    paper.y += 10
    less = sum(row.amount < 0 for row in book.rows)
    paper.pairs(
        ("이월잔액", WHOLE(book.opening)),
        (f"출금합계 ({less}건)", WHOLE.bare(book.outs)),
        (f"입금합계 ({len(book.rows) - less}건)", WHOLE(book.ins)),
        ("최종잔액", WHOLE(book.closing)),
        x=42,
        to=280,
        size=8.5,
    )
    paper.y += 10
    grid = paper.grid(
        "42 145 225 350r 430r 515r 525",
        ("거래일시", "적요", "보낸분/받는분", "출금액(원)", "입금액(원)", "잔액(원)", "처리점"),
        size=8,
        step=13,
    )
    grid.head()
    hour = 9
    for row in book.shown:
        kind, who = (*lines(row), "")[:2]
        out, into = WHOLE.sides(row.amount)
        hour = 9 if book.first_of_day(row) else hour + 2
        clock = f"{row.day:%Y.%m.%d} {hour:02}:{chance.randint(0, 59):02}:{chance.randint(0, 59):02}"
        grid.row(clock, kind, who, out or "0", into or "0", WHOLE(row.balance), "강남")
    paper.say("※ 본 내역은 고객님의 편의를 위해 제공되며 법적 효력이 없습니다.", size=7)
    return made(
        "KB_거래내역_20250131.pdf",
        paper,
        "KRW",
        "KB Kookmin, Korea: zeros in the empty column, clock times, no decimals",
        book,
    )


PAPERS = (japan_post, rakuten, kookmin)
