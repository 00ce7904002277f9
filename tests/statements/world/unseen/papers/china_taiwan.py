"""Statements in Chinese."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import POINT, WHOLE, before, drawn, ledger, lines, made, total
from .kit import A4, Paper

CMB = """
+14000 21000 代发工资|深圳市云图科技有限公司
*-12 160 快捷支付|财付通-美团平台商户
*-20 380 快捷支付|支付宝-盒马鲜生
*-50 900 转账汇款|陈晓燕
-4200 4200 转账汇款|李国强
-5000 9000 信用卡还款|招商银行信用卡中心
*+20 600 网联收款|微信零钱提现
>+0.2 4 账户结息|
"""


def merchants(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 6000, 30000), date(2025, 2, 1), date(2025, 3, 21), CMB, 40)

    def top() -> None:
        paper.y = 50
        paper.put(45, "招商银行", size=15)
        paper.put(300, "招商银行交易流水", "c", size=13)
        paper.put(300, "Transaction Statement of China Merchants Bank", "c", size=8, y=64)
        paper.put(300, "2025-02-01 -- 2025-03-21", "c", size=8, y=76)
        paper.y = 100

    paper = Paper(A4, font="STSong-Light", left=45)
    top()
    paper.say("户 名： 王思远          账号： 6214********4471          账户类型： ALL", size=8.5)
    paper.say(
        "申请时间： 2025-03-22 10:12:08          开 户 行： 深圳分行科苑支行          验 证 码： 8KQ2M47D",
        size=8.5,
    )
    paper.y += 10
    heads = (
        "记账日期\nDate",
        "货币\nCurrency",
        "交易金额\nTransaction Amount",
        "联机余额\nBalance",
        "交易摘要\nTransaction Type",
        "对手信息\nCounter Party",
    )
    grid = paper.grid("47 110 240r 330r 345 425", heads, size=7.5, step=13, top=100, before=top)
    grid.head()
    for row in book.shown:
        kind, who = (*lines(row), "")[:2]
        grid.row(f"{row.day}", "CNY", POINT(row.amount), POINT(row.balance), kind, who)
    paper.rule()
    paper.y += 14
    paper.say(f"合并统计   支出 {POINT.bare(book.outs)}   收入 {POINT(book.ins)}", size=8.5)
    paper.foot = lambda page, pages: paper.put(300, f"{page}/{pages}", "c", y=815, size=8)
    return made(
        "招商银行交易流水_4471.pdf",
        paper,
        "CNY",
        "China Merchants Bank, China: signed amounts before the balance, no opening balance printed",
        book,
        both_ends=False,
    )


CMB_CARD = """
+2000 6000 掌上生活还款
*-18 260 财付通-永辉超市
*-9 60 支付宝-哈啰单车
*-60 800 京东支付-网银在线
-120 480 UNIQLO GINZA TOKYO|JP|20.6
-80 300 APPLE.COM/BILL|US|0.1379
+20 90 财付通-退款
"""


def merchants_card(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 3000, 7000), date(2024, 12, 8), date(2025, 1, 6), CMB_CARD, 17)
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, font="STSong-Light", left=45)
    paper.say("招商银行信用卡对账单（个人消费卡账户 2025年01月）", size=14)
    paper.say("CMB Credit Card Statement (2025.01)", size=9)
    paper.y += 6
    grid = paper.grid(
        "47 160 300r 420r 545r",
        (
            "账单日\nStatement Date",
            "到期还款日\nPayment Due Date",
            "信用额度\nCredit Limit",
            "本期应还金额\nNew Balance",
            "最低还款额\nMin. Payment",
        ),
        size=8,
    )
    grid.head()
    grid.row(
        "2025年01月07日",
        "2025年01月25日",
        "¥ 50,000.00",
        "¥ " + POINT(new),
        "¥ " + POINT((new / 20).quantize(Decimal("0.01"))),
        size=9,
    )
    paper.y += 8
    grid = paper.grid(
        "120r 230r 340r 440r 545r",
        (
            "本期应还金额\nNew Balance",
            "上期账单金额\nBalance B/F",
            "上期还款金额\nPayment",
            "本期账单金额\nNew Charges",
            "本期调整金额\nAdjustment",
        ),
        size=8,
    )
    grid.head()
    spent = -total(tuple(row for row in book.rows if row.amount < 0))
    back = total(book.only("财付通-退款"))
    grid.row(POINT(new), POINT(owed), POINT(book.ins - back), POINT(spent), POINT(back), size=9)
    paper.y += 12
    heads = (
        "交易日\nSold",
        "记账日\nPosted",
        "交易摘要\nDescription",
        "人民币金额\nRMB Amount",
        "卡号末四位\nCard No",
        "交易地金额\nOriginal Tran Amount",
    )
    grid = paper.grid("47 95 145 375r 445r 545r", heads, size=8, step=13)
    grid.head()
    for row in book.shown:
        text, *abroad = lines(row)
        posted = min(row.day + timedelta(days=1), date(2025, 1, 6))
        original = f"{POINT(-row.amount)}(CN)"
        if abroad:
            places = Decimal(1) if abroad[0] == "JP" else Decimal("0.01")
            original = f"{(-row.amount * Decimal(abroad[1])).quantize(places):,}({abroad[0]})"
        paid = "还款" in text
        grid.row(
            "" if paid else f"{row.day:%m/%d}",
            f"{(row.day if paid else posted):%m/%d}",
            text,
            POINT(-row.amount),
            "4471",
            original,
        )
    paper.y += 8
    paper.say(
        "★ 上期还款截止 2024/12/25。积分：本期新增 201 分，可用积分 8,814 分（2025年6月30日到期 1,200 分）。",
        size=8,
    )
    return made(
        "招商银行信用卡电子账单2025年01月.pdf",
        paper,
        "CNY",
        "China Merchants Bank, China card: original foreign amounts in the last column, a payment with a "
        "posting day "
        "only, over New Year",
        book,
    )


CATHAY = """
+52000 71000 薪資轉帳|緯創資通
*-60 900 VISA金融卡|全聯福利中心
*-35 300 VISA金融卡|統一超商
*-500 6000 跨行轉出|陳小姐
-18500 18500 跨行轉出|房租
-900 2600 代繳|台灣電力
*+200 3000 跨行轉入|林先生
-3000 6000 ATM提款|
>+3 90 利息|
"""


def cathay(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 20000, 160000, 0),
        date(2025, 3, 3),
        date(2025, 3, 31),
        CATHAY,
        14,
        places=0,
        weekdays=True,
    )
    paper = Paper(A4, font="MSung-Light", left=45)
    paper.say("國泰世華銀行  綜合對帳單", size=15)
    paper.say("林怡君 君     帳單期間 114/03/01-114/03/31     製表日 114/04/03", size=9)
    paper.y += 8
    paper.say("資產總覽", size=11)
    paper.pairs(
        ("臺幣活期性存款", WHOLE(book.closing)),
        ("外幣存款（折合臺幣）", "64,310"),
        ("信用卡 本期應繳（114/04/18 前）", "12,408"),
        x=47,
        to=330,
    )
    paper.y += 8
    paper.say("臺幣活期存款 交易明細   帳號 044-50-711093-3", size=11)
    paper.y += 6
    grid = paper.grid(
        "47 105 190 345r 425r 510r", ("交易日", "摘要", "備註", "支出", "存入", "餘額"), size=9, step=13.5
    )
    grid.head()
    grid.row("", "上期結餘", "", "", "", WHOLE(book.opening))
    for row in book.shown:
        kind, who = (*lines(row), "")[:2]
        out, into = WHOLE.sides(row.amount)
        grid.row(f"{row.day.year - 1911}/{row.day:%m/%d}", kind, who, out, into, WHOLE(row.balance))
    grid.row("", "本期結餘", "", WHOLE.bare(book.outs), WHOLE(book.ins), WHOLE(book.closing))
    paper.y += 12
    paper.say("臺幣放款 / 定存到期日", size=11)
    grid = paper.grid("47 150 345r 510r", ("起息日", "到期日", "利率", "本金"), size=9)
    grid.head()
    later = before(chance, book.rows[0])
    grid.row(f"113/{later:%m/%d}", f"115/{later:%m/%d}", "1.700%", "200,000")
    return made(
        "對帳單_11403.pdf",
        paper,
        "TWD",
        "Cathay United, Taiwan: years of the republic (114/03/05 is 2025), other products' days and amounts "
        "around",
        book,
    )


PAPERS = (merchants, merchants_card, cathay)
