"""Banks, cards and wallets in Hong Kong, China, Taiwan, Japan and Korea."""

from __future__ import annotations

from datetime import timedelta

from tests.statements.world.truth import Made

from .books import ENGLISH, PLAIN, WHOLE, WHOLE_ENGLISH, draw, export, table


def hsbc_hk() -> Made:
    """A card: the first column is the day of the statement, in each row the same."""
    book = draw("hsbc hk card", "hk", month=1, scale=5, is_card=True, count=12)
    header = (
        "Statement date,Transaction date,Post date,Description,Billing amount (HKD),Foreign currency,Foreign amount,"
        "Merchant name,Card number"
    )
    lines = [header.split(",")]
    closing = book.last + timedelta(days=2)
    for place, row in enumerate(book.newest):
        foreign = ["USD", PLAIN.size(row.amount / 8)] if row.amount < 0 and place % 4 == 1 else ["", ""]
        days = [f"{day:%d/%m/%Y}" for day in (closing, book.before(row.day), row.day)]
        lines.append([*days, row.text, ENGLISH.signed(row.amount), *foreign, row.text.title(), "xxxx-0412"])
    label = "HSBC card, Hong Kong: three dates, that of the statement in each row (trap)"
    return export("TransactionHistory (1).csv", table(lines), book.newest, "HKD", label, encoding="utf-8-sig")


def hang_seng() -> Made:
    """An account of two currencies: HKD and USD, each with its own running balance."""
    books = {
        "HKD": draw("hang seng hkd", "hk", month=2, scale=5, count=9),
        "USD": draw("hang seng usd", "hk", month=2, count=5),
    }
    lines = [["Date", "Transaction Description", "Currency", "Deposit", "Withdrawal", "Balance"]]
    rows, currencies = [], []
    for currency, book in books.items():
        for row in book.rows:
            money = [ENGLISH.came(row.amount), ENGLISH.out(row.amount), ENGLISH.signed(row.balance)]
            lines.append([f"{row.day:%d %b %Y}", row.text, currency, *money])
            rows.append(row)
            currencies.append(currency)
    label = (
        "Hang Seng Integrated Account, Hong Kong: two currencies below one another, deposit before withdrawal"
    )
    text = table(lines, end="\n")
    return export("AccountHistory_412.csv", text, rows, "HKD", label, both=True, currencies=currencies)


def china_merchants() -> Made:
    book = draw("cmb", "zh", month=3, scale=5, count=12)
    lines = [
        "# 招商银行交易记录,,,,,,",
        f"# 导出时间: [{book.last + timedelta(days=1)} 09:12:04],,,,,,",
        "# 账    户: [一卡通: 6225********0412],,,,,,",
        "# 币    种: [人民币],,,,,,",
        "# 起始日期: [20250301]   终止日期: [20250331],,,,,,",
        "# 过滤设置: [无],,,,,,",
        "",
        "交易日期,交易时间,收入,支出,余额,交易类型,交易备注",
    ]
    for row in book.newest:
        kind = "代发工资" if row.amount > 0 else "快捷支付"
        money = f"{PLAIN.came(row.amount)},{PLAIN.out(row.amount)},{row.balance}"
        lines.append(f"\t{row.day:%Y%m%d},\t{book.clock(row)},{money},{kind},{row.text}")
    received = sum(row.amount > 0 for row in book.rows)
    paid = len(book.rows) - received
    lines += [
        "",
        f"# 收入合计: {received} 笔，共 {book.received} 元,,,,,,",
        f"# 支出合计: {paid} 笔，共 {abs(book.paid)} 元,,,,,,",
    ]
    label = "China Merchants Bank, China: GBK, a tab before each day, sums as comments"
    text = "\r\n".join(lines) + "\r\n"
    name = "CMB_6225xxxxxxxx0412_20250301_20250331.csv"
    return export(name, text, book.newest, "CNY", label, encoding="gbk", both=True)


def alipay() -> Made:
    """A closed order was never paid."""
    book = draw("alipay", "zh", month=4, scale=3, count=12)
    lines = [
        "------------------------------------------------------------------------------------",
        "导出信息：",
        "姓名：王小明",
        "支付宝账户：138******12",
        "起始时间：[2025-04-01 00:00:00]    终止时间：[2025-04-30 23:59:59]",
        "导出交易类型：[全部]",
        f"导出时间：[{book.last + timedelta(days=1)} 09:12:04]",
        f"共{len(book.rows) + 1}笔记录",
        "",
        "------------------------支付宝（中国）网络技术有限公司  电子客户回单------------------------",
        "交易时间,交易分类,交易对方,对方账号,商品说明,收/支,金额,收/付款方式,交易状态,交易订单号,商家订单号,备注,",
    ]
    for place, row in enumerate(book.newest):
        stamp = f"{row.day} {book.clock(row)}"
        if place == 4:
            lines.append(
                f"{stamp},数码电器,苹果官方旗舰店,/,手机,支出,5999.00,,交易关闭,{book.digits(28)}\t,,,"
            )
        way, state = ("收入", "交易成功") if row.amount > 0 else ("支出", "交易成功")
        lines.append(
            f"{stamp},餐饮美食,{row.text},/,{row.text},{way},{PLAIN.size(row.amount)},余额,{state},"
            f"{book.digits(28)}\t,T200P{book.digits(12)}\t,,"
        )
    label = "Alipay, China: GBK, income or spending in words, a closed order (trap)"
    text = "\r\n".join(lines) + "\r\n"
    return export("alipay_record_20250501_0912.csv", text, book.newest, "CNY", label, encoding="gbk")


def wechat() -> Made:
    book = draw("wechat", "zh", month=5, scale=3, count=12)
    comma = ",,,,,,,,"
    lines = [
        "微信支付账单明细" + comma,
        "微信昵称：[小明]" + comma,
        "起始时间：[2025-05-01 00:00:00] 终止时间：[2025-05-31 23:59:59]" + comma,
        "导出类型：[全部]" + comma,
        comma,
        f"共{len(book.rows)}笔记录" + comma,
        f"收入：{sum(r.amount > 0 for r in book.rows)}笔 {book.received}元" + comma,
        f"支出：{sum(r.amount < 0 for r in book.rows)}笔 {abs(book.paid)}元" + comma,
        comma,
        "----------------------微信支付账单明细列表--------------------" + comma,
        "交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注",
    ]
    for row in book.newest:
        way, kind, state = (
            ("收入", "转账", "已存入零钱") if row.amount > 0 else ("支出", "商户消费", "支付成功")
        )
        lines.append(
            f'{row.day} {book.clock(row)},{kind},{row.text},"{row.text}",{way},¥{PLAIN.size(row.amount)},零钱,{state},'
            f'"{book.digits(28)}\t","{book.digits(20)}\t","/"'
        )
    label = "WeChat Pay, China: sums above, yuan signs, income or spending in words"
    text = "\r\n".join(lines) + "\r\n"
    name = "微信支付账单(20250501-20250531).csv"
    return export(name, text, book.newest, "CNY", label, encoding="utf-8-sig")


def chunghwa_post() -> Made:
    """Years of the republic: 114 is 2025."""
    book = draw("chunghwa", "tw", month=6, scale=30, places=0, count=12)
    lines = [
        ["中華郵政 存簿儲金交易明細"],
        ["局號帳號", "'0001234-0412345"],
        ["查詢期間", "114/06/01~114/06/30"],
        [],
        ["交易日期", "交易時間", "摘要", "提款金額", "存款金額", "結存金額", "備註"],
    ]
    for row in book.rows:
        day = f"{row.day.year - 1911}/{row.day:%m/%d}"
        money = [
            WHOLE_ENGLISH.out(row.amount),
            WHOLE_ENGLISH.came(row.amount),
            WHOLE_ENGLISH.signed(row.balance),
        ]
        lines.append([day, book.clock(row), row.text, *money, ""])
    label = "Chunghwa Post, Taiwan: years of the republic (trap), Big5, dollars without decimals"
    text = table(lines)
    return export("交易明細.csv", text, book.rows, "TWD", label, encoding="big5", both=True)


def cathay() -> Made:
    book = draw("cathay", "tw", month=7, scale=30, places=0, count=12)
    header = "日期,摘要,支出,存入,結餘,備註"
    lines = ["國泰世華銀行,帳號：041-50-6123456,幣別：新台幣,,,", header]
    for row in book.newest:
        paid, came = WHOLE.out(row.amount, "-"), WHOLE.came(row.amount, "-")
        lines.append(f'="{row.day:%Y/%m/%d}",{row.text},{paid},{came},{WHOLE.signed(row.balance)},')
    label = 'Cathay United Bank, Taiwan: days in ="...", a dash in the empty column'
    text = "\r\n".join(lines) + "\r\n"
    return export("活存明細_20250731.csv", text, book.newest, "TWD", label, encoding="utf-8-sig", both=True)


def mufg() -> Made:
    book = draw("mufg", "ja", month=8, scale=100, places=0, count=12)
    lines = [
        [
            "日付",
            "摘要",
            "摘要内容",
            "支払い金額",
            "預かり金額",
            "差引残高",
            "メモ",
            "未資金化区分",
            "入払区分",
        ]
    ]
    for row in book.rows:
        kind, way = ("振込入金", "入金") if row.amount > 0 else ("カード", "支払い")
        day = f"{row.day.year}/{row.day.month}/{row.day.day}"
        money = [
            WHOLE_ENGLISH.out(row.amount),
            WHOLE_ENGLISH.came(row.amount),
            WHOLE_ENGLISH.signed(row.balance),
        ]
        lines.append([day, kind, row.text, *money, "", "", way])
    label = "MUFG, Japan: Shift-JIS, yen with grouped thousands within quotes"
    text = table(lines, quote="all")
    return export("0412345_20250831091204.csv", text, book.rows, "JPY", label, encoding="cp932", both=True)


def rakuten_card() -> Made:
    book = draw("rakuten card", "ja", month=9, scale=100, places=0, is_card=True, count=12)
    book = book.told(lambda row: "キャンセル　ラクテンイチバ" if row.amount > 0 else row.text)
    lines = [
        [
            "利用日",
            "利用店名・商品名",
            "利用者",
            "支払方法",
            "利用金額",
            "支払手数料",
            "支払総額",
            "10月支払金額",
            "11月繰越残高",
            "新規サインフラグ",
        ]
    ]
    for row in book.newest:
        money = WHOLE.signed(-row.amount)
        lines.append([f"{row.day:%Y/%m/%d}", row.text, "本人", "1回払い", money, "0", money, money, "0", "*"])
    label = "Rakuten Card, Japan: the amount three times, purchases positive, a fee of zero"
    text = table(lines, quote="all", end="\n")
    return export("enavi202510(0412).csv", text, book.newest, "JPY", label, encoding="utf-8-sig")


def smbc_card() -> Made:
    """The card's holder above, the sum below; no header."""
    book = draw("smbc card", "ja", month=10, scale=100, places=0, is_card=True, count=12)
    book = book.told(lambda row: "返品　ビックカメラ" if row.amount > 0 else row.text)
    lines = ["山田　太郎　様,4980-****-****-****,三井住友カードＶＩＳＡ"]
    for row in book.rows:
        money = WHOLE.signed(-row.amount)
        lines.append(f"{row.day:%Y/%m/%d},{row.text},{money},１,１,{money},")
    lines.append(f",,,,,{WHOLE.signed(-(book.paid + book.received))},")
    label = "Sumitomo Mitsui Card, Japan: no header, holder above, the sum below, purchases positive (trap)"
    text = "\r\n".join(lines) + "\r\n"
    return export("202511.csv", text, book.rows, "JPY", label, encoding="cp932")


def smbc() -> Made:
    book = draw("smbc", "ja", month=11, scale=100, places=0, count=12)
    lines = [["年月日", "お引出し", "お預入れ", "お取り扱い内容", "残高", "メモ", "ラベル"]]
    for row in book.newest:
        day = f"R{row.day.year - 2018}.{row.day.month}.{row.day.day}"
        money = [WHOLE.out(row.amount), WHOLE.came(row.amount)]
        lines.append([day, *money, row.text, WHOLE.signed(row.balance), "", ""])
    label = "SMBC, Japan: years of Reiwa (trap), the text between money and balance, Shift-JIS"
    text = table(lines)
    return export("meisai.csv", text, book.newest, "JPY", label, encoding="cp932", both=True)


def kookmin() -> Made:
    book = draw("kookmin", "ko", month=12, scale=1000, places=0, count=12)
    lines: list[list[str]] = [
        ["거래내역조회"],
        ["계좌번호", "041234-04-123456"],
        ["조회기간", "2025.12.01 ~ 2025.12.31"],
        [],
        [
            "거래일시",
            "적요",
            "보낸분/받는분",
            "송금메모",
            "출금액(원)",
            "입금액(원)",
            "잔액(원)",
            "거래점",
            "구분",
        ],
    ]
    for row in book.newest:
        kind = "급여" if row.amount > 0 else "체크카드"
        stamp = f"{row.day:%Y.%m.%d} {book.clock(row)}"
        money = [
            WHOLE_ENGLISH.out(row.amount, "0"),
            WHOLE_ENGLISH.came(row.amount, "0"),
            WHOLE_ENGLISH.signed(row.balance),
        ]
        lines.append([stamp, kind, row.text, "", *money, "KB카드", ""])
    lines.append(
        ["합계", "", "", "", WHOLE_ENGLISH.size(book.paid), WHOLE_ENGLISH.size(book.received), "", "", ""]
    )
    label = "KB Kookmin, Korea: cp949, zeros in the empty column, a total last"
    text = table(lines)
    return export("거래내역조회_20260101.csv", text, book.newest, "KRW", label, encoding="cp949", both=True)


def files() -> list[Made]:
    return [
        hsbc_hk(),
        hang_seng(),
        china_merchants(),
        alipay(),
        wechat(),
        chunghwa_post(),
        cathay(),
        mufg(),
        rakuten_card(),
        smbc_card(),
        smbc(),
        kookmin(),
    ]
