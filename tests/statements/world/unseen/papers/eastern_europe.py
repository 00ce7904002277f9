"""Statements of Poland, Hungary and Turkey."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import COMMA, SPACED, Figures, drawn, ledger, lines, made
from .kit import A4, Paper

FORINT = Figures(".", ",", 0)
MBANK = """
+6200 7900 PRZELEW ZEWNETRZNY PRZYCHODZACY|FABRYKA OKIEN SP. Z O.O. WYNAGRODZENIE
*-12 190 ZAKUP PRZY UZYCIU KARTY|BIEDRONKA ~~~~ WROCLAW {d}
*-9 80 ZAKUP PRZY UZYCIU KARTY|ZABKA Z~~~~ WROCLAW {d}
*-20 200 BLIK ZAKUP E-COMMERCE|ALLEGRO.PL NR REF. 9~~~~~~~~~
-2100 2100 PRZELEW ZEWNETRZNY WYCHODZACY|JANINA MAZUREK CZYNSZ
-60 160 POLECENIE ZAPLATY|TAURON SPRZEDAZ FAKTURA ~~~~~~
*+30 300 BLIK P2P-PRZYCHODZACY|TOMASZ MAZUR
-100 400 WYPLATA W BANKOMACIE|EURONET WROCLAW {d}
"""


def mbank(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 1500, 5000),
        date(2025, 3, 1),
        date(2025, 3, 31),
        MBANK,
        18,
        weekdays=True,
        inner="%Y-%m-%d",
    )
    paper = Paper(A4, font="Vera", left=40)
    paper.size = 7
    paper.put(40, "mBank", bold=True, size=16, ink="#AE0000")
    paper.block(
        555,
        46,
        "mBank S.A. ul. Prosta 18, 00-850 Warszawa\nElektroniczne zestawienie operacji\nza okres od "
        "2025-03-01 do 2025-03-31",
        "r",
        size=7.5,
    )
    paper.y = 95
    paper.say(
        "KAROLINA MAZUR\nUL. LEGNICKA 44/12   54-203 WROCLAW\nRachunek eKonto: 66 1140 2004 0000 3302 4471 "
        "0912   Waluta: PLN",
        size=8,
    )
    paper.y += 10
    paper.pairs(
        ("Saldo poczatkowe:", SPACED(book.opening)),
        (f"Uznania ({sum(row.amount > 0 for row in book.rows)}):", SPACED(book.ins)),
        (f"Obciazenia ({sum(row.amount < 0 for row in book.rows)}):", SPACED(book.outs)),
        ("Saldo koncowe:", SPACED(book.closing)),
        x=40,
        to=260,
    )
    paper.y += 10
    grid = paper.grid(
        "42 105 180 455r 552r",
        ("Data operacji", "Data ksiegowania", "Opis operacji", "Kwota", "Saldo po operacji"),
        step=9.5,
    )
    grid.head()
    grid.row("", "", "Saldo poczatkowe", "", SPACED(book.opening), bold=True)
    for row in book.shown:
        text = lines(row)
        grid.row(f"{row.day}", f"{row.day}", text[0], SPACED(row.amount), SPACED(row.balance), lines=2)
        grid.row("", "", text[1])
        paper.y += 2
    grid.row("", "", "Saldo koncowe", "", SPACED(book.closing), bold=True)
    paper.y += 10
    paper.prose(
        "Dokument elektroniczny wygenerowany na podstawie art. 7 ustawy Prawo bankowe, nie wymaga podpisu "
        "ani stempla. "
        "Kapital zakladowy na dzien 01.01.2025 wynosi 169 987 892 zl.",
        size=6,
    )
    return made(
        "eKonto_44710912_2503.pdf",
        paper,
        "PLN",
        "mBank, Poland: ISO days in two columns and in the text, spaced thousands",
        book,
    )


OTP = """
+310000 460000 MUNKABÉR|KÉK DUNA KFT
*-1500 24000 VÁSÁRLÁS KÁRTYÁVAL|{d} LIDL 0~~~ BUDAPEST
*-900 7000 VÁSÁRLÁS KÁRTYÁVAL|{d} BKK BUDAPEST
-92000 92000 ÁTUTALÁS|ALBÉRLET MÁRCIUS
-9000 21000 CSOPORTOS BESZEDÉS|MVM NEXT ZRT
*+3000 30000 ÁTUTALÁS JÓVÁÍRÁS|HORVÁTH ESZTER
-20000 60000 KÉSZPÉNZFELVÉT ATM|{d} BUDAPEST XIII
>-749 749 HAVI SZÁMLAVEZETÉSI DÍJ|
"""


def otp(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 90000, 400000, 0),
        date(2025, 3, 3),
        date(2025, 3, 31),
        OTP,
        16,
        places=0,
        weekdays=True,
        inner="%m.%d",
    )
    paper = Paper(A4, left=50)
    paper.put(50, "OTP Bank", bold=True, size=17, ink="#006940")
    paper.put(545, "BANKSZÁMLAKIVONAT", "r", bold=True, size=12)
    paper.block(
        545,
        68,
        "Kivonat száma: 003/2025\nIdõszak: 2025.03.01 - 2025.03.31\nSzámlaszám: 11773016-00447113\n"
        "Devizanem: HUF",
        "r",
        size=8.5,
    )
    paper.y = 100
    paper.say("SZABÓ GERGELY\n1137 BUDAPEST, POZSONYI ÚT 21.")
    paper.y += 24
    grid = paper.grid(
        "52 110 165 430r 540r",
        ("KÖNYVELÉS", "ÉRTÉKNAP", "MEGNEVEZÉS", "TERHELÉS / JÓVÁÍRÁS", "EGYENLEG"),
        size=8.5,
        step=11,
    )
    grid.head()
    grid.row("", "", "NYITÓ EGYENLEG", "", FORINT(book.opening), bold=True)
    for row in book.shown:
        text = [line for line in lines(row) if line]
        grid.row(
            f"{row.day:%y.%m.%d}",
            f"{row.day:%y.%m.%d}",
            text[0],
            FORINT(row.amount),
            FORINT(row.balance) if book.last_of_day(row) else "",
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", "", line)
    grid.row("", "", "ZÁRÓ EGYENLEG", "", FORINT(book.closing), bold=True)
    paper.y += 10
    paper.say(
        f"JÓVÁÍRÁSOK ÖSSZESEN:   {FORINT(book.ins)}          TERHELÉSEK ÖSSZESEN:   {FORINT(book.outs)}",
        size=8.5,
    )
    paper.say(
        "Betéteire az OBA 100.000 euróig nyújt biztosítást. Éves díjösszesítõ 2025.01.01 óta: 2.247 HUF",
        size=7.5,
    )
    return made(
        "11773016-00447113_2025_003.pdf",
        paper,
        "HUF",
        "OTP, Hungary: days as 25.03.05 (year first), forints without decimals, points for thousands",
        book,
    )


GARANTI = """
+6000 15000 ÖDEMENİZ İÇİN TEŞEKKÜR EDERİZ
*-80 1400 MİGROS ~~~~ KADIKÖY İSTANBUL
*-60 900 OPET PETROL İZMİT
*-45 400 KAHVE DÜNYASI MODA İSTANBUL
-700 1500 TEKNOSA AKASYA|3/9
-400 1100 BOYNER ÇARŞI|2/6
-90 400 NETFLIX.COM AMSTERDAM NLD
>-60 160 ALIŞVERİŞ FAİZİ
>-9 20 BSMV
"""


def garanti(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 9000, 16000), date(2025, 5, 14), date(2025, 6, 12), GARANTI, 14)
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, font="Vera", left=45)
    paper.size = 7.5
    paper.put(45, "Garanti BBVA  bonus", bold=True, size=15, ink="#00854A")
    paper.put(550, "KREDİ KARTI HESAP ÖZETİ", "r", bold=True, size=10)
    paper.y = 85
    paper.say("SN. DERYA KARAGÖZ      Kart No: 5549 60** **** 3317", size=8.5)
    paper.y += 6
    for start, pairs in (
        (
            45,
            (
                ("Hesap Kesim Tarihi", "13.06.2025"),
                ("Son Ödeme Tarihi", "23.06.2025"),
                ("Önceki Hesap Bakiyesi", COMMA(owed) + " TL"),
                ("Ödemeleriniz", COMMA(-book.ins) + " TL"),
            ),
        ),
        (
            310,
            (
                ("Dönem İçi Harcamalar", COMMA.bare(book.outs) + " TL"),
                ("Dönem Borcu", COMMA(new) + " TL"),
                ("Asgari Ödeme Tutarı", COMMA((new / 5).quantize(Decimal("0.01"))) + " TL"),
                ("Kart Limiti", "60.000,00 TL"),
            ),
        ),
    ):
        top = paper.y
        paper.pairs(*pairs, x=start, to=start + 225)
        paper.y = top
    paper.y += 62
    grid = paper.grid(
        "47 110 330r 430r 548r", ("İşlem Tarihi", "İşlem", "Taksit", "Bonus (TL)", "Tutar (TL)"), step=12
    )
    grid.head()
    for row in book.shown:
        text, *part = lines(row)
        bonus = (
            ""
            if row.amount > 0 or row.text[:4] in ("ALIŞ", "BSMV")
            else COMMA((-row.amount / 200).quantize(Decimal("0.01")))
        )
        grid.row(
            f"{row.day:%d/%m/%Y}",
            text,
            part[0] if part else "",
            bonus,
            COMMA.bare(row.amount) + ("+" if row.amount > 0 else ""),
        )
    grid.row("", "DÖNEM BORCU", "", "", COMMA(new), bold=True)
    paper.y += 14
    paper.say("GELECEK DÖNEM TAKSİTLERİNİZ", bold=True)
    paper.y += 4
    grid = paper.grid("47 110 330r 548r", ("Tarih", "Açıklama", "Taksit", "Tutar (TL)"), step=12)
    grid.head()
    for row in book.shown:
        text, *part = lines(row)
        if part:
            done, all_of = part[0].split("/")
            later = date(2025, 7, 13)
            grid.row(f"{later:%d/%m/%Y}", text, f"{int(done) + 1}/{all_of}", COMMA.bare(row.amount))
    paper.y += 8
    paper.prose(
        "Aylık akdi faiz oranı %4,25, gecikme faiz oranı %4,55. Ödemenizi 23.06.2025 tarihine kadar "
        "yapmanızı rica ederiz.",
        size=6.5,
    )
    return made(
        "ekstre_3317_20250613.pdf",
        paper,
        "TRY",
        "Garanti BBVA, Turkey card: a reward column beside the amounts, instalments due next month below",
        book,
    )


PAPERS = (mbank, otp, garanti)
