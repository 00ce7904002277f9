"""Banks in France."""

from __future__ import annotations

from decimal import Decimal

from tests.statements.world.truth import Made

from .books import COMMA, FIXED_SPACE, NARROW, SPACED, draw, export, table


def bnp_paribas() -> Made:
    book = draw("bnp", "fr", month=1, count=13)
    lines = [
        [
            "Compte de chèques",
            "Compte de chèques",
            "****0412",
            f"{book.last:%d/%m/%Y}",
            "",
            SPACED.signed(book.closing),
        ],
        [
            "Date operation",
            "Libelle court",
            "Type operation",
            "Libelle operation",
            "Montant operation en euro",
        ],
    ]
    for row in book.newest:
        kind = "VIREMENT RECU" if row.amount > 0 else "FACTURE CARTE"
        lines.append([f"{row.day:%d-%m-%Y}", "", kind, row.text, SPACED.signed(row.amount)])
    label = "BNP Paribas, France: account and balance in a first line, thousands by spaces"
    text = table(lines, sep=";")
    return export("E4123456.csv", text, book.newest, "EUR", label, encoding="cp1252")


def boursorama() -> Made:
    book = draw("boursorama", "fr", month=2, count=12)
    header = "dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance"
    lines = [header.split(";")]
    account = ["00040412345", "BoursoBank", f"{book.closing}"]  # the balance of today, the same in each row
    for row in book.newest:
        days = [f"{row.day}", f"{row.day}"]
        lines.append(
            [
                *days,
                row.text,
                "Alimentation",
                "Vie quotidienne",
                "divers",
                SPACED.signed(row.amount),
                "",
                *account,
            ]
        )
    label = (
        "BoursoBank, France: the balance of today in each row, with a point where amounts have commas (trap)"
    )
    text = table(lines, sep=";", end="\n")
    name = "export-operations-01-03-2025_09-12-41.csv"
    return export(name, text, book.newest, "EUR", label, encoding="utf-8-sig")


def credit_agricole() -> Made:
    book = draw("credit agricole", "fr", month=3, count=12)
    closing = FIXED_SPACE.signed(book.closing)
    lines: list[list[str]] = [
        ["Téléchargement du 31/03/2025", ""],
        [],
        ["M. MORGAN ALEX", ""],
        ["Compte de Dépôt carte n° 60412345678", ""],
        [f"Solde au 31/03/2025 {closing} €", ""],
        [],
        ["Liste des opérations du compte entre le 01/03/2025 et le 31/03/2025", ""],
        [],
        ["Date", "Libellé", "Débit euros", "Crédit euros", ""],
    ]
    book = book.told(lambda row: f"PAIEMENT PAR CARTE\n{row.text}\nX0412" if row.amount < 0 else row.text)
    lines += [
        [f"{row.day:%d/%m/%Y}", row.text, FIXED_SPACE.out(row.amount), FIXED_SPACE.came(row.amount), ""]
        for row in book.newest
    ]
    label = "Crédit Agricole, France: preamble in sentences, quoted newlines, no-break spaces, latin-9"
    text = table(lines, sep=";", end="\n")
    return export("CA20250331_091204.csv", text, book.newest, "EUR", label, encoding="iso8859-15")


def societe_generale() -> Made:
    book = draw("socgen", "fr", month=4, count=12)
    lines = [
        '="0004 0412345";01/04/2025;30/04/2025;',
        "Date de l'opération;Libellé;Détail de l'écriture;Montant de l'opération;Devise",
    ]
    lines += [
        f"{row.day:%d/%m/%Y};{row.text[:18]};{row.text};{COMMA.signed(row.amount)};EUR" for row in book.newest
    ]
    label = 'Société Générale, France: the account in ="..." above, short and long texts'
    text = "\r\n".join(lines) + "\r\n"
    return export("00040412345.csv", text, book.newest, "EUR", label, encoding="cp1252")


def lcl() -> Made:
    """The last line is no transaction: it is the balance of the account on that day."""
    book = draw("lcl", "fr", month=5, count=12)
    lines = []
    for row in book.newest:
        kind = "Virement" if row.amount > 0 else "Carte"
        lines.append([f"{row.day:%d/%m/%Y}", COMMA.signed(row.amount), kind, "", row.text, "", "0", "Divers"])
    lines.append([f"{book.last:%d/%m/%Y}", COMMA.signed(book.closing), "", "", "04412 060412A", "", "", ""])
    label = "LCL, France: no header, a last line with a day that is the account's balance (trap)"
    text = table(lines, sep=";", end="\n")
    return export("T_cpte_04412060412A.csv", text, book.newest, "EUR", label, encoding="latin-1")


def banque_postale() -> Made:
    """Every amount stands in euros and again in francs, at 6.55957."""
    book = draw("banque postale", "fr", month=6, count=12)

    def francs(value: Decimal) -> str:
        return COMMA.signed((value * Decimal("6.55957")).quantize(Decimal("0.01")))

    lines = [
        "Numéro Compte   :;6041234A020",
        "Type          :;CCP",
        "Compte tenu en  :;euros",
        "Date            :;30/06/2025",
        f"Solde (EUROS)   :;{COMMA.signed(book.closing)}",
        f"Solde (FRANCS)  :;{francs(book.closing)}",
        "",
        "Date;Libellé;Montant(EUROS);Montant(FRANCS)",
    ]
    lines += [
        f'{row.day:%d/%m/%Y};"{row.text}";{COMMA.signed(row.amount)};{francs(row.amount)}'
        for row in book.newest
    ]
    label = "La Banque Postale, France: each amount in euros and again in francs (trap)"
    text = "\r\n".join(lines) + "\r\n"
    return export("6041234A0201751300000000.csv", text, book.newest, "EUR", label, encoding="latin-1")


def fortuneo() -> Made:
    book = draw("fortuneo", "fr", month=7, count=12)
    lines = [["Date opération", "Date valeur", "libellé", "Débit", "Crédit", ""]]
    for row in book.newest:
        paid = COMMA.signed(row.amount) if row.amount < 0 else ""
        days = [f"{row.day:%d/%m/%Y}", f"{row.day:%d/%m/%Y}"]
        lines.append([*days, row.text, paid, COMMA.came(row.amount), ""])
    label = "Fortuneo, France: debits negative in their own column, an empty column last"
    text = table(lines, sep=";", end="\n")
    return export(
        "HistoriqueOperations_00412345_du_01_07_2025.csv", text, book.newest, "EUR", label, encoding="cp1252"
    )


def qonto() -> Made:
    """A company's account in Paris, exported in French with narrow spaces."""
    book = draw("qonto", "fr", month=8, count=12)
    header = (
        "Date de l'opération (UTC);Date de valeur (UTC);Nom de la contrepartie;Montant total (TTC);Devise;"
        "Montant total (TTC) (local);Devise (local);Méthode de paiement;Solde;Statut"
    )
    lines = [header.split(";")]
    for place, row in enumerate(book.newest):
        if place == 3:
            stamp = f"{row.day:%d-%m-%Y} {book.clock(row)}"
            lines.append([stamp, "", "OVH CLOUD", "-119,88", "EUR", "-119,88", "EUR", "Carte", "", "Refusé"])
        stamp = f"{row.day:%d-%m-%Y} {book.clock(row)}"
        money = NARROW.signed(row.amount)
        lines.append(
            [
                stamp,
                stamp,
                row.text,
                money,
                "EUR",
                money,
                "EUR",
                "Carte",
                NARROW.signed(row.balance),
                "Exécuté",
            ]
        )
    label = "Qonto, France: narrow no-break spaces, a refused row without balance (trap)"
    text = table(lines, sep=";", end="\n")
    return export("qonto-export-2025-08.csv", text, book.newest, "EUR", label, both=True)


def files() -> list[Made]:
    return [
        bnp_paribas(),
        boursorama(),
        credit_agricole(),
        societe_generale(),
        lcl(),
        banque_postale(),
        fortuneo(),
        qonto(),
    ]
