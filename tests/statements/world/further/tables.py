# ruff: noqa: E501 lines stay as wide as the file they are modelled on
"""Tables as banks of many countries export them: preambles, marks, several amount columns, other encodings."""

from __future__ import annotations

from collections.abc import Iterator

from ..institutions.ledgers import (
    BRAZILIAN,
    CANADIAN,
    FRENCH,
    GERMAN,
    INDIAN,
    NORDIC,
    POLISH,
    SINGAPORE,
    SPANISH,
    SWISS,
    UK,
    US_CARD,
    US_CHECKING,
    comma,
    de,
    file_of,
    fr,
    indian,
    into,
    ledger,
    lines,
    out,
    plain,
    trailing,
    us,
)
from ..institutions.tables import table
from ..truth import Made

ITALIAN = ledger(
    "1840.22",
    """
2024-09-02 -38.90 PAGAMENTO POS ESSELUNGA MILANO
2024-09-05 -650.00 BONIFICO AFFITTO SETTEMBRE
2024-09-13 -22.40 ADDEBITO DIRETTO ENEL
2024-09-27 1730.00 STIPENDIO DITTA ROSSI SRL
2024-09-30 -1.00 IMPOSTA DI BOLLO
""",
)
PORTUGUESE = ledger(
    "712.09",
    """
2024-10-01 -540.00 TRANSFERENCIA RENDA OUTUBRO
2024-10-03 -27.15 COMPRA CONTINENTE BRAGA
2024-10-15 -60.00 LEVANTAMENTO MULTIBANCO
2024-10-25 1310.40 ORDENADO EMPRESA LDA
2024-10-28 -44.30 PAGAMENTO EDP COMERCIAL
""",
)
DUTCH = ledger(
    "2044.80",
    """
2024-11-01 -950.00 Huur november Woonstichting
2024-11-04 -31.27 Albert Heijn 1403 Utrecht
2024-11-14 12.50 Tikkie Jan de Vries
2024-11-22 2890.00 Salaris Bakker BV
2024-11-29 -1204.16 Belastingdienst
""",
)
HUNGARIAN = ledger(
    "402300",
    """
2024-03-04 -12490 SPAR MAGYARORSZAG
2024-03-11 -165000 LAKBER MARCIUS
2024-03-18 -8990 YETTEL
2024-03-28 512000 MUNKABER KFT
""",
)


def german_and_swiss() -> Iterator[Made]:
    yield table(
        "comdirect with pending rows",
        GERMAN,
        "EUR",
        f';\n"Umsätze Girokonto";"Zeitraum: 60 Tage";\n"Neuer Kontostand";"{de(GERMAN.closing)} EUR";\n\n"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";\n"offen";"--";"Kartenverfügung";"Buchungstext: EDEKA 17,20";"-17,20";',
        lambda r: (
            f'"{r.day:%d.%m.%Y}";"{r.day:%d.%m.%Y}";"Lastschrift / Belastung";"Auftraggeber: {r.text} Buchungstext: {r.text} Ref. 3H2C{r.day:%d%m}";"{de(r.amount)}";'
        ),
        newest_first=True,
        foot=f'\n"Alter Kontostand";"{de(GERMAN.opening)} EUR";\n',
        encoding="cp1252",
        proves=True,
    )
    yield table(
        "sparkasse with booked and pending, two-digit years",
        GERMAN,
        "EUR",
        '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Waehrung";"Info"',
        lambda r: (
            f'"DE12500105170648489890";"{r.day:%d.%m.%y}";"{r.day:%d.%m.%y}";"{"LASTSCHRIFT" if r.amount < 0 else "GUTSCHRIFT"}";"{r.text}";"Muster";"";"";"{comma(r.amount)}";"EUR";"Umsatz gebucht"'
        ),
        newest_first=True,
        encoding="cp1252",
    )
    yield table(
        "german whole thousands without cents",
        ledger(
            "5000",
            "2024-01-15 -1200 Miete\n2024-01-18 2450 Gehalt\n2024-01-22 -1034.50 Reise\n2024-01-29 -250 Strom",
        ),
        "EUR",
        "Datum;Text;Betrag EUR",
        lambda r: f"{r.day:%d.%m.%Y};{r.text};{de(r.amount).removesuffix(',00')}",
    )
    yield table(
        "trailing minus and S/H marks",
        GERMAN,
        "EUR",
        "Buchungsdatum;Valuta;Empfänger/Verwendungszweck;Währung;Umsatz;S/H",
        lambda r: (
            f"{r.day:%d.%m.%Y};{r.day:%d.%m.%Y};{r.text};EUR;{de(abs(r.amount))};{'S' if r.amount < 0 else 'H'}"
        ),
        encoding="cp1252",
    )
    yield table(
        "ubs with single amounts of a collective order",
        SWISS,
        "CHF",
        f"Kontonummer:;0234 00103914.40;\nIBAN:;CH62 0023 4234 1039 1440 G;\nVon:;2024-02-01;\nBis:;2024-02-29;\nAnfangssaldo:;{plain(SWISS.opening)};\nSchlusssaldo:;{plain(SWISS.closing)};\nBewertet in:;CHF;\nAnzahl Transaktionen in diesem Zeitraum:;6;\n\nAbschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten",
        lambda r: (
            f'{r.day};;{r.day};{r.day};CHF;{plain(r.amount) if r.amount < 0 else ""};{into(r, plain)};;{plain(r.balance)};9930{r.day:%j};"{r.text}";"Zahlung";;'
            + (";\n;;;;CHF;;;-400.00;;;Teil 1;;;\n;;;;CHF;;;-31.20;;;Teil 2;;;" if "CSS" in r.text else "")
        ),
        newest_first=True,
        proves=True,
    )
    yield table(
        "zkb with details of a collective debit",
        SWISS,
        "CHF",
        '"Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF"',
        lambda r: (
            f'"{r.day:%d.%m.%Y}";"{r.text}";"";"";"Z2403{r.day:%d}";"";"{out(r, plain)}";"{into(r, plain)}";"{r.day:%d.%m.%Y}";"{plain(r.balance)}"'
            + (
                '\n"";"Praemie Februar";"CHF";"400.00";"";"";"";"";"";""\n"";"Spesen";"CHF";"31.20";"";"";"";"";"";""'
                if "CSS" in r.text
                else ""
            )
        ),
        newest_first=True,
    )
    yield table(
        "raiffeisen with lines of text below rows",
        SWISS,
        "CHF",
        "IBAN;Booked At;Text;Credit/Debit Amount;Balance;Valuta Date",
        lambda r: (
            f"CH4580808001234567890;{r.day} 00:00:00.0;{r.text};{plain(r.amount)};{plain(r.balance)};{r.day} 00:00:00.0\n;;Zahlungsgrund {r.day:%m/%y};;;"
        ),
        encoding="cp1252",
    )
    yield table(
        "viseca card with debit first",
        ledger(
            "0",
            "2024-02-03 -54.30 Migros Zuerich\n2024-02-10 -1250.00 Swiss Air Lines\n2024-02-14 300.00 Ihre Zahlung\n2024-02-20 -18.00 Kino Corso",
        ),
        "CHF",
        "Transaction date;Description;Card number;Currency;Amount;Debit/Credit;Status;Category",
        lambda r: (
            f"{r.day:%d.%m.%Y};{r.text};XXXX 4242;CHF;{plain(-r.amount)};{'Debit' if r.amount < 0 else 'Credit'};Posted;Shopping"
        ),
    )


def romance() -> Iterator[Made]:
    yield table(
        "banque postale in euros and francs",
        FRENCH,
        "EUR",
        f"Numéro Compte   :;1234567A020\nType         :;CCP\nCompte tenu en  :;euros\nDate            :;26/01/2024\nSolde (EUROS)   :;{comma(FRENCH.closing)}\nSolde (FRANCS)   :;{comma(FRENCH.closing * 6)}\n\nDate;Libellé;Montant(EUROS);Montant(FRANCS)",
        lambda r: f'{r.day:%d/%m/%Y};"{r.text}";{comma(r.amount)};{comma(r.amount * 6)}',
        newest_first=True,
        encoding="cp1252",
    )
    yield table(
        "credit agricole with quoted newlines",
        FRENCH,
        "EUR",
        f"Téléchargement du 26/01/2024;\n\nM. MARTIN PAUL;\nCompte de Dépôt carte n° 12345678901;\nSolde au 26/01/2024 {fr(FRENCH.closing)} €\n\nListe des opérations du compte entre le 27/12/2023 et le 26/01/2024;\n\nDate;Libellé;Débit euros;Crédit euros;",
        lambda r: (
            f'{r.day:%d/%m/%Y};"{r.text}\n    REF {r.day:%d%m}                   \n";{out(r, fr)};{into(r, fr)};'
        ),
        newest_first=True,
        encoding="cp1252",
    )
    yield table(
        "french narrow spaces and euro signs",
        FRENCH,
        "EUR",
        "Date de l'opération\tDate de valeur\tLibellé\tMontant\tSolde",
        lambda r: (
            f"{r.day:%d/%m/%Y}\t{r.day:%d/%m/%Y}\t{r.text}\t{us(r.amount).replace(',', ' ').replace('.', ',')} €\t{us(r.balance).replace(',', ' ').replace('.', ',')} €"
        ),
        encoding="utf-16",
        name="releve.txt",
    )
    yield table(
        "caixabank amounts with EUR behind",
        SPANISH,
        "EUR",
        "Fecha;Fecha valor;Movimiento;Más datos;Importe;Saldo",
        lambda r: f"{r.day:%d/%m/%Y};{r.day:%d/%m/%Y};{r.text};;{de(r.amount)}EUR;{de(r.balance)}EUR",
        newest_first=True,
    )
    yield table(
        "spanish month words",
        SPANISH,
        "EUR",
        "Fecha operación|Concepto|Cargo|Abono|Saldo (EUR)",
        lambda r: f"{r.day.day:02d}-mar-2024|{r.text}|{out(r, de)}|{into(r, de)}|{de(r.balance)}",
        name="movimientos.txt",
    )
    yield table(
        "intesa where valuta is the currency",
        ITALIAN,
        "EUR",
        "Data;Operazione;Dettagli;Conto o carta;Contabilizzazione;Categoria ;Valuta;Importo",
        lambda r: (
            f"{r.day:%d/%m/%Y};{r.text[:12]};{r.text};Conto 1000/00012345;CONTABILIZZATO;Altre uscite;EUR;{comma(r.amount)}"
        ),
        newest_first=True,
    )
    yield table(
        "unicredit where valuta is a day, dare and avere",
        ITALIAN,
        "EUR",
        "Data;Valuta;Descrizione;Dare EUR;Avere EUR;Causale",
        lambda r: f'{r.day:%d.%m.%Y};{r.day:%d.%m.%Y};"{r.text}";{out(r, de)};{into(r, de)};048',
        foot=f"Saldo iniziale;;;;{de(ITALIAN.opening)};\nSaldo finale;;;;{de(ITALIAN.closing)};\n",
    )
    yield table(
        "fineco entrate and uscite",
        ITALIAN,
        "EUR",
        "Conto Corrente: 1234567\nIntestazione Conto Corrente: ROSSI MARIO\nPeriodo Dal: 01/09/2024 Al: 30/09/2024\n\nData_Operazione;Data_Valuta;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato;Moneymap",
        lambda r: (
            f"{r.day:%d/%m/%Y};{r.day:%d/%m/%Y};{into(r, comma)};{comma(r.amount) if r.amount < 0 else ''};{r.text[:14]};{r.text};Contabilizzato;Casa"
        ),
    )
    yield table(
        "caixa geral with two balances",
        PORTUGUESE,
        "EUR",
        "Consultar saldos e movimentos à ordem - 31-10-2024\n\nConta ;0123456789030 - EUR - Conta Extracto \nData de início ;01-10-2024\nData de fim ;31-10-2024\n\nData mov. ;Data valor ;Descrição ;Débito ;Crédito ;Saldo contabilístico ;Saldo disponível ;Categoria ;",
        lambda r: (
            f"{r.day:%d-%m-%Y};{r.day:%d-%m-%Y};{r.text} ;{out(r, de)};{into(r, de)};{de(r.balance)};{de(r.balance + 250)};Diversos ;"
        ),
        newest_first=True,
        foot=f" ; ; ; ; ;Saldo contabilístico ;{de(PORTUGUESE.closing)} EUR; ;\n",
        encoding="cp1252",
    )
    yield table(
        "millennium with a type column",
        PORTUGUESE,
        "EUR",
        "Data lançamento;Data valor;Descrição;Montante;Tipo;Saldo;Moeda",
        lambda r: (
            f"{r.day:%d-%m-%Y};{r.day:%d-%m-%Y};{r.text};{comma(abs(r.amount))};{'Débito' if r.amount < 0 else 'Crédito'};{comma(r.balance)};EUR"
        ),
    )
    yield table(
        "bradesco with an earlier balance and totals",
        BRAZILIAN,
        "BRL",
        f"Extrato de: Agência: 1234 | Conta: 56789-0\n;Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$)\n;01/08/2024;SALDO ANTERIOR;;;;{de(BRAZILIAN.opening)}",
        lambda r: f";{r.day:%d/%m/%Y};{r.text};0{r.day:%d%m};{into(r, de)};{out(r, de)};{de(r.balance)}",
        foot=f";;Total;;{de(BRAZILIAN.paid_in)};{de(BRAZILIAN.paid_out)};{de(BRAZILIAN.closing)}\n\nOs dados acima têm como base 30/08/2024 às 10h11\n",
        encoding="cp1252",
        proves=True,
    )


def northern_and_eastern() -> Iterator[Made]:
    yield table(
        "kbc with amount and both of its halves",
        DUTCH,
        "EUR",
        "Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Vrije mededeling",
        lambda r: (
            f"BE71096123456769;;JANSSENS;EUR;2024011;{r.day:%d/%m/%Y};{r.text};{r.day:%d/%m/%Y};{comma(r.amount)};{comma(r.balance)};{into(r, comma)};{comma(r.amount) if r.amount < 0 else ''};;;;"
        ),
        newest_first=True,
    )
    yield table(
        "dutch af and bij",
        DUTCH,
        "EUR",
        "Datum,Naam / Omschrijving,Rekening,Tegenrekening,Code,Af Bij,Bedrag (EUR),Mutatiesoort,Mededelingen",
        lambda r: (
            f'{r.day:%Y%m%d},"{r.text}",NL91INGB0417164300,,BA,{"Af" if r.amount < 0 else "Bij"},"{comma(abs(r.amount))}",Betaalautomaat,"Pasvolgnr 001 {r.day:%d-%m-%Y 12:30}"'
        ),
        newest_first=True,
    )
    yield table(
        "mbank in an eastern code page",
        POLISH,
        "PLN",
        f"mBank S.A. Bankowość Detaliczna;\n#Klient;\nJAN ŻÓŁĆ;\n#Za okres:;\n01.06.2024;30.06.2024;\n#Waluta;\nPLN;\n#Saldo początkowe;{fr(POLISH.opening)} PLN;\n\n#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;",
        lambda r: (
            f'{r.day};{r.day};PRZELEW WYCHODZĄCY;"{r.text}";"ŁUKASZ";\'\';{fr(r.amount)};{fr(r.balance)};'
        ),
        foot=f";;;;;;#Saldo końcowe;{fr(POLISH.closing)} PLN;\n",
        encoding="cp1250",
        proves=True,
    )
    yield table(
        "santander poland with a line of the account first",
        POLISH,
        "PLN",
        f'2024-06-30,01-06-2024,\'12 1090 1234 0000 0001 2345 6789,JAN KOWALSKI,PLN,"{comma(POLISH.opening)}","{comma(POLISH.closing)}",6,',
        lambda r: (
            f'{r.day:%d-%m-%Y},{r.day:%d-%m-%Y},"{r.text}",,,"{comma(r.amount)}","{comma(r.balance)}",1,'
        ),
        newest_first=True,
    )
    yield table(
        "swedbank with row numbers",
        NORDIC,
        "SEK",
        "* Transaktioner Period 2024-05-01 – 2024-05-31 Skapad 2024-06-01 10:00 CEST\nRadnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo",
        lambda r: (
            f'{r.day.day},8327,"9942355555","Privatkonto","SEK",{r.day},{r.day},{r.day},"{r.text}","{r.text}",{plain(r.amount)},{plain(r.balance)}'
        ),
        newest_first=True,
        encoding="cp1252",
    )
    yield table(
        "nordea with reserved rows",
        NORDIC,
        "SEK",
        "Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta\nReserverat;-89,00;;;;PRESSBYRAN;;SEK",
        lambda r: f"{r.day:%Y/%m/%d};{comma(r.amount)};1234 56 78901;;;{r.text};{comma(r.balance)};SEK",
        newest_first=True,
    )
    yield table(
        "dnb ut and inn",
        NORDIC,
        "NOK",
        '"Dato";"Forklaring";"Rentedato";"Ut fra konto";"Inn på konto"',
        lambda r: f'"{r.day:%d.%m.%Y}";"{r.text}";"{r.day:%d.%m.%Y}";"{out(r, de)}";"{into(r, de)}"',
        newest_first=True,
    )
    yield table(
        "danske with a row that waits",
        NORDIC,
        "DKK",
        '"Dato";"Tekst";"Beløb (DKK)";"Saldo (DKK)";"Status";"Afstemt"',
        lambda r: f'"{r.day:%d.%m.%Y}";"{r.text}";"{de(r.amount)}";"{de(r.balance)}";"Udført";"Nej"',
        foot='"31.05.2024";"NETTO";"-45,00";"";"Venter";"Nej"\n',
        encoding="cp1252",
    )
    yield table(
        "finnish op",
        NORDIC,
        "EUR",
        '"Kirjauspäivä";"Arvopäivä";"Määrä EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Saajan tilinumero";"Viite";"Viesti";"Arkistointitunnus"',
        lambda r: (
            f'{r.day:%d.%m.%Y};{r.day:%d.%m.%Y};{comma(r.amount)};162;"PKORTTIMAKSU";"{r.text}";"";"ref=";"Viesti: 24";"240{r.day:%m%d}/1"'
        ),
        encoding="cp1252",
    )
    yield table(
        "otp without a header",
        HUNGARIAN,
        "HUF",
        "",
        lambda r: (
            f'"117730161111111100000000";"{"T" if r.amount < 0 else "J"}";{r.amount};"HUF";{r.day:%Y%m%d};{r.day:%Y%m%d};{r.balance};"";"{r.text}";"";"";"";"{r.text}";'
        ),
    )
    yield table(
        "fio with a preamble",
        POLISH,
        "CZK",
        f'"accountId";"2300012345"\n"bankId";"2010"\n"currency";"CZK"\n"iban";"CZ7920100000002300012345"\n"openingBalance";"{comma(POLISH.opening)}"\n"closingBalance";"{comma(POLISH.closing)}"\n"dateStart";"01.06.2024"\n"dateEnd";"30.06.2024"\n\n"ID pohybu";"Datum";"Objem";"Měna";"Protiúčet";"Název protiúčtu";"VS";"Zpráva pro příjemce";"Typ"',
        lambda r: (
            f'"2412{r.day:%m%d}";"{r.day:%d.%m.%Y}";"{comma(r.amount)}";"CZK";"";"{r.text}";"{r.day:%d}";"";"Platba kartou"'
        ),
        proves=True,
    )


def elsewhere() -> Iterator[Made]:
    yield table(
        "hdfc with padded heads",
        INDIAN,
        "INR",
        "\n  Date     ,Narration                                                                                                                ,Value Dat,Debit Amount       ,Credit Amount      ,Chq/Ref Number   ,Closing Balance",
        lambda r: (
            f" {r.day:%d/%m/%y} ,{r.text:<60},{r.day:%d/%m/%y} ,{-r.amount if r.amount < 0 else 0.00:>15} ,{r.amount if r.amount > 0 else 0.00:>15} ,0000{r.day:%d%m}  ,{plain(r.balance):>15}  "
        ),
    )
    yield table(
        "sbi by tabs with lakhs",
        INDIAN,
        "INR",
        f"Account Name       :\tMr. A RAO\nAccount Number     :\t_00000012345678901\nStart Date         :\t1 Apr 2024\nEnd Date           :\t30 Apr 2024\nBalance as on 1 Apr 2024 :\t{indian(INDIAN.opening)}\n\nTxn Date\tValue Date\tDescription\tRef No./Cheque No.\t        Debit\tCredit\tBalance",
        lambda r: (
            f'{r.day.day} {r.day:%b %Y}\t{r.day.day} {r.day:%b %Y}\t   {r.text}--\t TRANSFER\t"{out(r, indian)}"\t"{into(r, indian)}"\t"{indian(r.balance)}"'
        ),
        foot="\n**This is a computer generated statement and does not require a signature\n",
        name="statement.xls",
    )
    yield table(
        "ocbc with lines below",
        SINGAPORE,
        "SGD",
        "Account details for:,360 Account 501-123456-001\nAvailable Balance,{}\nLedger Balance,{}\n\nTransaction History\nTransaction date,Value date,Description,Withdrawals (SGD),Deposits (SGD)".format(
            us(SINGAPORE.closing - 50).replace(",", ""), plain(SINGAPORE.closing)
        ),
        lambda r: f'{r.day:%d/%m/%Y},{r.day:%d/%m/%Y},DEBIT PURCHASE,"{out(r)}","{into(r)}"\n,,"{r.text}",,',
        newest_first=True,
    )
    yield table(
        "asb with a ledger balance",
        UK,
        "NZD",
        f"Created date / time : 26 January 2024 / 10:00:00\nBank 12; Branch 3456; Account 0012345-50 (Streamline)\nFrom date 20231227\nTo date 20240126\nAvail Bal : {plain(UK.closing)} as of 20240126\nLedger Balance : {plain(UK.closing)} as of 20240126\nCurrency : NZD\nDate,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount\n",
        lambda r: (
            f'{r.day:%Y/%m/%d},{r.day:%Y%m%d}01,{"DEBIT" if r.amount < 0 else "D/C"},,"{r.text}","",{plain(r.amount)}'
        ),
    )
    yield table(
        "kiwibank with three amounts",
        UK,
        "NZD",
        "Account number,Date,Memo/Description,Source Code (payment type),TP ref,TP part,TP code,OP ref,OP part,OP code,OP name,OP Bank Account Number,Amount (credit),Amount (debit),Amount,Balance",
        lambda r: (
            f"38-9000-0123456-00,{r.day:%d-%m-%Y},{r.text} ;,POS,,,,,,,,,{into(r, plain)},{out(r, plain)},{plain(r.amount)},{plain(r.balance)}"
        ),
    )
    yield table(
        "nab with short months",
        UK,
        "AUD",
        "Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name",
        lambda r: (
            f"{r.day:%d %b %y},{plain(r.amount)},123456789,,DEBIT,{r.text},{plain(r.balance)},Groceries,"
        ),
        newest_first=True,
    )
    yield table(
        "cibc without a header",
        CANADIAN,
        "CAD",
        "",
        lambda r: f'{r.day},"{r.text}",{out(r, plain)},{into(r, plain)}',
        newest_first=True,
    )
    yield table(
        "bmo with a sentence before",
        CANADIAN,
        "CAD",
        "\nFollowing data is valid as of 20240201 09:12:13 (Year/Month/Day/Hour/Minute/Second)\n\n\nFirst Bank Card,Transaction Type,Date Posted, Transaction Amount,Description\n\n",
        lambda r: (
            f"'5510290012345678',{'DEBIT' if r.amount < 0 else 'CREDIT'},{r.day:%Y%m%d},{plain(r.amount)},[PR]{r.text}"
        ),
    )
    yield table(
        "mercury with a failed transfer",
        US_CHECKING,
        "USD",
        "Date (UTC),Description,Amount,Status,Source Account,Bank Description,Reference,Note,Category\n01-06-2024,OAKWOOD LLC,-980.00,Failed,Mercury Checking ••4821,,,,",
        lambda r: f'{r.day:%m-%d-%Y},"{r.text}",{plain(r.amount)},Sent,Mercury Checking ••4821,,,,',
        newest_first=True,
    )
    yield table(
        "revolut business with a reverted payment",
        UK,
        "GBP",
        "Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Card number,Orig currency,Orig amount,Payment currency,Amount,Total amount,Exchange rate,Fee,Fee currency,Balance,Account\n2024-01-20,,65ab,CARD_PAYMENT,REVERTED,HOTEL,,Jo,,EUR,-210.00,GBP,-180.00,-180.00,,0.00,GBP,,Main",
        lambda r: (
            f'{r.day},{r.day},65{r.day:%j},CARD_PAYMENT,COMPLETED,"{r.text}",,Jo,,EUR,{plain(r.amount * 2)},GBP,{plain(r.amount)},{plain(r.amount)},,0.00,GBP,{plain(r.balance)},Main'
        ),
        newest_first=True,
    )
    yield table(
        "card whose balance grows by spending",
        US_CARD,
        "USD",
        "Posted Date,Reference Number,Payee,Address,Amount (USD),Balance Owed (USD)",
        lambda r: f'{r.day:%m/%d/%Y},24{r.day:%j},"{r.text}","",{plain(-r.amount)},{plain(-r.balance)}',
    )
    yield table(
        "excel says which separator",
        US_CHECKING,
        "USD",
        "sep=;\nDate;Payee;Amount in USD",
        lambda r: f"{r.day:%m/%d/%Y};{r.text};{us(r.amount) if r.amount > 0 else f'({us(-r.amount)})'}",
        encoding="utf-16",
    )
    yield table(
        "amounts that end in a minus, and dots as thousands",
        DUTCH,
        "EUR",
        "Boekdatum;Omschrijving;Bedrag in EUR",
        lambda r: f"{r.day:%d-%m-%y};{r.text};{trailing(r.amount, de)}",
    )
    yield table(
        "amounts marked D and C",
        PORTUGUESE,
        "EUR",
        "Data;Descrição;Valor (EUR);Saldo (EUR)",
        lambda r: (
            f"{r.day:%d/%m/%Y};{r.text};{de(abs(r.amount))} {'D' if r.amount < 0 else 'C'};{de(r.balance)} C"
        ),
    )
    yield table(
        "times with a zone",
        US_CHECKING,
        "USD",
        "timestamp,merchant,amount,currency,balance_after",
        lambda r: f'{r.day}T20:30:00-05:00,"{r.text}",{plain(r.amount)},USD,{plain(r.balance)}',
    )
    yield table(
        "rows numbered and summed month by month",
        UK,
        "GBP",
        f"No,Date,Details,Money out (£),Money in (£),Balance (£)\n,,Opening balance,,,{plain(UK.opening)}",
        lambda r: (
            f'{r.day.day},{r.day:%d/%m/%Y},"{r.text}",{out(r, plain)},{into(r, plain)},{plain(r.balance)}'
            + (
                f",\n,,Total December,{plain(-sum(x.amount for x in UK.rows[:3]))},0.00,"
                if r is UK.rows[2]
                else ""
            )
        ),
        foot=f",,Closing balance,,,{plain(UK.closing)}\n",
        proves=True,
    )
    yield file_of(
        "an expense report that is no statement of money in",
        "spend.csv",
        "Date,Merchant,Spend (GBP),Receipt\n"
        + lines(UK.debits(), lambda r: f"{r.day},{r.text},{out(r, plain)},yes"),
        ledger("0", "\n".join(f"{r.day} {r.amount} {r.text}" for r in UK.debits())),
        "GBP",
        False,
    )


def tables() -> Iterator[Made]:
    yield from german_and_swiss()
    yield from romance()
    yield from northern_and_eastern()
    yield from elsewhere()
