# ruff: noqa: E501 headers and rows stay as long as the banks write them
"""Tables as banks of many countries export them, with the header, encoding and order of days that each really has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from .truth import Institution, Made, Row, Statement, draw, money


@dataclass(frozen=True)
class Export:
    """One bank's export; `proves`: it states balances that prove its rows."""

    bank: str
    currency: str
    head: str
    line: Callable[[Row, Statement], str]
    proves: bool = True
    encoding: str = "utf-8"
    newest_first: bool = False
    foot: str = ""
    decimal: str = "."
    group: str = ","
    name: str = "export.csv"


def plain(value: Decimal) -> str:
    return f"{value:.2f}"


def comma(value: Decimal) -> str:
    return plain(value).replace(".", ",")


def german(value: Decimal) -> str:
    return money(value, Institution("", "EUR", "%d.%m.%Y", ",", "."))


def spaced(value: Decimal) -> str:
    return money(value, Institution("", "EUR", "%d.%m.%Y", ",", " "))


def out(row: Row, write: Callable[[Decimal], str] = plain) -> str:
    return write(-row.amount) if row.amount < 0 else ""


def into(row: Row, write: Callable[[Decimal], str] = plain) -> str:
    return write(row.amount) if row.amount > 0 else ""


EXPORTS = (
    Export(
        "Barclays",
        "GBP",
        "Number,Date,Account,Amount,Subcategory,Memo\n",
        lambda row, _: f"\t ,{row.day:%d/%m/%Y},20-00-00 12345678,{row.amount},Debit,{row.text}    ",
        proves=False,
    ),
    Export(
        "Lloyds",
        "GBP",
        "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance,\n",
        lambda row, _: (
            f"{row.day:%d/%m/%Y},DEB,'30-00-00,12345678,{row.text},{out(row)},{into(row)},{row.balance}"
        ),
        newest_first=True,
    ),
    Export(
        "NatWest",
        "GBP",
        "\nDate, Type, Description, Value, Balance, Account Name, Account Number\n\n",
        lambda row, _: (
            f'{row.day:%d/%m/%Y},POS,"\'{row.text}",{row.amount},{row.balance},"\'SMITH J","\'600001-12345678",'
        ),
        newest_first=True,
    ),
    Export(
        "Westpac",
        "AUD",
        "Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance,Categories,Serial\n",
        lambda row, _: (
            f'732000123456,{row.day:%d/%m/%Y},"{row.text}",{out(row)},{into(row)},{row.balance},OTHER,'
        ),
    ),
    Export(
        "Kiwibank",
        "NZD",
        "Account number,Date,Memo/Description,Source Code (payment type),TP ref,TP part,TP code,OP ref,OP part,OP code,OP name,"
        "OP Bank Account Number,Amount (credit),Amount (debit),Amount,Balance\n",
        lambda row, _: (
            f"38-9000-0123456-00,{row.day:%d-%m-%Y},{row.text} ;,,,,,,,,,,{into(row)},{out(row)},{row.amount},{row.balance}"
        ),
    ),
    Export(
        "HDFC",
        "INR",
        "\n  Date     ,Narration    ,Value Dat,Debit Amount       ,Credit Amount      ,Chq/Ref Number   ,Closing Balance\n",
        lambda row, _: (
            f"  {row.day:%d/%m/%y}  ,{row.text:<30} ,{row.day:%d/%m/%y} ,  {out(row) or '0.00'}   ,  {into(row) or '0.00'}   ,0000400212345678,  {row.balance}  "
        ),
        name="12345678.txt",
    ),
    Export(
        "SEB",
        "SEK",
        "Bokförd;Valutadatum;Verifikationsnummer;Text;Belopp;Saldo\n",
        lambda row, _: f"{row.day};{row.day};5484123456;{row.text};{row.amount:.3f};{row.balance:.3f}",
        encoding="utf-8-sig",
        newest_first=True,
    ),
    Export(
        "Handelsbanken",
        "SEK",
        "Reskontradatum;Transaktionsdatum;Text;Belopp;Saldo\n",
        lambda row, _: f"{row.day};{row.day};{row.text};{spaced(row.amount)};{spaced(row.balance)}",
    ),
    Export(
        "DNB",
        "NOK",
        '"Dato";"Forklaring";"Rentedato";"Ut fra konto";"Inn på konto"\n',
        lambda row, _: (
            f'"{row.day:%d.%m.%Y}";"{row.text}";"{row.day:%d.%m.%Y}";"{out(row, german)}";"{into(row, german)}"'
        ),
        proves=False,
        encoding="cp1252",
    ),
    Export(
        "Danske Bank",
        "DKK",
        '"Dato";"Tekst";"Beløb";"Saldo";"Status";"Afstemt"\n',
        lambda row, _: (
            f'"{row.day:%d.%m.%Y}";"{row.text}";"{german(row.amount)}";"{german(row.balance)}";"Udført";"Nej"'
        ),
        encoding="cp1252",
    ),
    Export(
        "OP",
        "EUR",
        '"Kirjauspäivä";"Arvopäivä";"Määrä EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Viesti"\n',
        lambda row, _: f'{row.day};{row.day};{comma(row.amount)};162;"PKORTTIMAKSU";"{row.text}";""',
        proves=False,
    ),
    Export(
        "PKO",
        "PLN",
        '"Data operacji","Data waluty","Typ transakcji","Kwota","Waluta","Saldo po transakcji","Opis transakcji","","",""\n',
        lambda row, _: (
            f'"{row.day}","{row.day}","Płatność kartą","{row.amount:+}","PLN","{row.balance:+}","Tytuł: {row.text}","Miejscowość: ŁÓDŹ","",""'
        ),
        encoding="cp1250",
        newest_first=True,
    ),
    Export(
        "Fio",
        "CZK",
        '"accountId";"2000123456"\n"currency";"CZK"\n\n"ID pohybu";"Datum";"Objem";"Měna";"Protiúčet";"Zpráva pro příjemce";"Typ"\n',
        lambda row, _: (
            f'"25012345678";"{row.day:%d.%m.%Y}";"{comma(row.amount)}";"CZK";"";"{row.text}";"Platba kartou"'
        ),
        proves=False,
    ),
    Export(
        "MUFG",
        "JPY",
        '"日付","摘要","摘要内容","支払い金額","預かり金額","差引残高","メモ"\n',
        lambda row, _: (
            f'"{row.day.year}/{row.day.month}/{row.day.day}","振込","{row.text}","{out(row)}","{into(row)}","{row.balance}",""'
        ),
        encoding="cp932",
    ),
    Export(
        "Tinkoff",
        "RUB",
        '"Дата операции";"Дата платежа";"Номер карты";"Статус";"Сумма операции";"Валюта операции";"Сумма платежа";"Валюта платежа";"Описание"\n',
        lambda row, _: (
            f'"{row.day:%d.%m.%Y} 16:44:00";"{row.day:%d.%m.%Y}";"*7197";"OK";"{comma(row.amount)}";"RUB";"{comma(row.amount)}";"RUB";"{row.text}"'
        ),
        proves=False,
        encoding="cp1251",
    ),
    Export(
        "Raiffeisen",
        "CHF",
        "IBAN;Booked At;Text;Credit/Debit Amount;Balance;Valuta Date\n",
        lambda row, _: (
            f"CH9300762011623852957;{row.day} 00:00:00.0;{row.text};{row.amount};{row.balance};{row.day} 00:00:00.0"
        ),
    ),
    Export(
        "ABN AMRO",
        "EUR",
        "",
        lambda row, _: (
            f"123456789\tEUR\t{row.day:%Y%m%d}\t{comma(row.balance - row.amount)}\t{comma(row.balance)}\t{row.day:%Y%m%d}\t{comma(row.amount)}\tBEA {row.text}"
        ),
        name="TXT240201.TAB",
    ),
    Export(
        "BNP Paribas",
        "EUR",
        "Compte de chèques;Compte de chèques;****1234;31/01/2024;;1 234,56\n",
        lambda row, _: f"{row.day:%d/%m/%Y};PAIEMENT CB;;{row.text};{spaced(row.amount)}",
        proves=False,
        encoding="cp1252",
    ),
    Export(
        "Up",
        "AUD",
        "Time,BSB / Account Number,Transaction Type,Payee,Description,Total (AUD),Settled Date\n",
        lambda row, _: (
            f"{row.day}T10:11:12+11:00,633-123 / 123456789,Purchase,{row.text},{row.text},{row.amount},2026-01-01"
        ),
        proves=False,
    ),
    Export(
        "Cash App",
        "USD",
        '"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Asset Type","Status","Notes"\n',
        lambda row, _: (
            f'"abc","{row.day} 10:11:12 PST","Cash out","USD","{row.amount + 1}","-$1.00","{row.amount}","","COMPLETE","{row.text}"'
        ),
        proves=False,
    ),
    Export(
        "HSBC Hong Kong",
        "HKD",
        "Date,Description,Billing amount,Billing currency,Balance,Balance currency\n",
        lambda row, _: f'{row.day:%d/%m/%Y},{row.text},"{row.amount:,}",HKD,"{row.balance:,}",HKD',
    ),
    Export(
        "a card that states what is owed",
        "USD",
        "Posting Date,Merchant,Amount,Running Balance,Currency\n",
        lambda row, _: f"{row.day:%m/%d/%Y},{row.text},{-row.amount},{-row.balance},USD",
        proves=False,
    ),
)


def made(export: Export, statement: Statement) -> Made:
    rows = list(reversed(statement.rows)) if export.newest_first else list(statement.rows)
    text = export.head + "".join(f"{export.line(row, statement)}\n" for row in rows) + export.foot
    return Made(
        export.name,
        text.encode(export.encoding),
        statement.rows,
        export.currency,
        f"{export.bank} export",
        export.proves,
    )


def exports(seed: int) -> Iterator[Made]:
    """One file for each export; its rows reach over a whole month, as a person's do."""
    for export in EXPORTS:
        is_card = "owed" in export.bank
        bank = Institution(
            export.bank,
            export.currency,
            "%Y-%m-%d",
            is_card=is_card,
            places=0 if export.currency == "JPY" else 2,
        )
        yield made(export, draw(bank, seed, fewest=12, most=16))
