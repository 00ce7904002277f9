"""How the lines of an account read in a country: whom money goes to, and whom it comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Voice:
    """Names of counterparties, none longer than 32 characters."""

    out: tuple[str, ...]
    into: tuple[str, ...]


US = Voice(
    (
        "KROGER #0417 ATLANTA GA",
        "SQ *BLUE BOTTLE COFFEE",
        "CHECKCARD 0117 SHELL SERVICE",
        "VERIZON WIRELESS PAYMENTS",
        "AMZN MKTP US*2K4PL0",
        "GEICO AUTO INSURANCE",
        "VENMO CASHOUT 8812",
        "TRADER JOE'S #552",
        "7-ELEVEN 33104",
        "MTA*NYCT PAYGO",
    ),
    ("PAYROLL ACME HOLDINGS INC", "ZELLE FROM DANA WHITLOCK", "IRS TREAS 310 TAX REF", "MOBILE DEPOSIT 4471"),
)
US_CARD = Voice(
    (
        "UBER EATS HELP.UBER.COM",
        "COSTCO WHSE #1021 SEATTLE WA",
        "DELTA AIR 0062311457820",
        "NETFLIX.COM LOS GATOS CA",
        "TST* THE GREEN TABLE",
        "WALGREENS #9943",
        "PURCHASE FINANCE CHARGE",
        "LYFT *RIDE SUN 8PM",
    ),
    ("AUTOPAY PAYMENT - THANK YOU", "ONLINE PAYMENT, THANK YOU", "RETURN COSTCO WHSE #1021"),
)
UK = Voice(
    (
        "TESCO STORES 3321",
        "TFL TRAVEL CH",
        "DD BRITISH GAS",
        "SAINSBURYS S/MKTS",
        "COUNCIL TAX CAMDEN",
        "PRET A MANGER LONDON",
        "NATIONAL LOTTERY",
    ),
    ("BGC HMRC CHILD BENEFIT", "FPI J HARGREAVES RENT", "SALARY NORTHGATE PLC"),
)
CA = Voice(
    (
        "TIM HORTONS #1904",
        "E-TRANSFER SENT M. ROY",
        "LOBLAWS 1077",
        "HYDRO ONE BILL PMT",
        "PRESTO AUTOLOAD",
        "ROGERS WIRELESS",
        "CANADIAN TIRE #220",
    ),
    ("PAYROLL DEPOSIT NORTEK", "E-TRANSFER RECEIVED", "GST/HST CREDIT CANADA"),
)
CA_CARD = Voice(
    (
        "TIM HORTONS #1904",
        "AIR CANADA 0142177310",
        "LCBO/RAO #0010",
        "PETRO-CANADA 04417",
        "SOBEYS 771 HALIFAX",
    ),
    ("PAYMENT - THANK YOU / PAIEMENT", "INDIGO 301 REFUND"),
)
UK_CARD = Voice(
    ("TESCO STORES 3321", "TFL TRAVEL CH", "OCADO RETAIL LTD", "TRAINLINE LONDON", "COSTA COFFEE 4301"),
    ("PAYMENT, THANK YOU", "REFUND ASOS.COM"),
)
ESCROW = Voice(
    ("COUNTY TAX COLLECTOR", "HAZARD INSURANCE PREMIUM", "FLOOD ZONE FEE"),
    ("ESCROW DEPOSIT", "ESCROW SURPLUS"),
)
HU = Voice(
    (
        "TESCO-GLOBAL ÁRUHÁZ",
        "MVM Next Energia",
        "BKK Jegyautomata",
        "Lakbér Kovács Béla",
        "Magyar Telekom Nyrt.",
    ),
    ("Munkabér Dunagép Kft.", "NAV visszautalás"),
)
FR_CA = Voice(
    ("ÉPICERIE CHEZ JOSÉE", "HYDRO-QUÉBEC", "SAQ 23117 MONTRÉAL", "VIDÉOTRON LTÉE", "DÉPANNEUR DU COIN"),
    ("DÉPÔT PAIE CÉGEP", "VIREMENT INTERAC REÇU"),
)
FR = Voice(
    (
        "CARTE 12/03 MONOPRIX PARIS",
        "PRLV EDF CLIENTS PARTICULIERS",
        "RETRAIT DAB CÔTE D'OR",
        "CHÈQUE 0004417",
        "PRLV FREE HAUTDÉBIT",
        "BOULANGERIE HÉLÈNE & FILS",
        "COTISATION ESPRIT LIBRE",
    ),
    ("VIR SEPA SALAIRE DUPRÉ SARL", "VIR CPAM REMBOURSEMENT", "REMISE CHÈQUES 12"),
)
DE = Voice(
    (
        "REWE Markt GmbH",
        "Stadtwerke München GmbH",
        "Müller Drogerie",
        "Deutsche Bahn Vertrieb",
        "Vermietung Schröder & Söhne",
        "Allianz Versicherungs-AG",
        "Rundfunk ARD, ZDF, DRadio",
        "Telefonica Germany",
        "Bäckerei Grünwald",
    ),
    ("Gehalt Feinwerk Jäger KG", "Finanzamt Köln-Süd", "Familienkasse", "Petra Weiß"),
)
CH = Voice(
    ("Coop-1882 Zürich", "SBB CFF FFS Mobile", "Migros Bern Marktgasse", "Swisscom AG", "Helsana Zusatz AG"),
    ("Lohn Uhrwerk Biel SA", "Kundenzahlung Keller Holzbau", "Twint Gutschrift Meier"),
)
NL = Voice(
    (
        "Albert Heijn 1521 Utrecht",
        "NS Groep iz NS Reizigers",
        "Vattenfall Klantenservice",
        "Bol.com B.V.",
        "Gemeente Amersfoort",
        "Ziggo Services BV",
    ),
    ("Salaris Van Dijk Transport", "Belastingdienst", "J de Boer eo M Smit"),
)
PL = Voice(
    ("ZABKA Z4412 K1 WARSZAWA", "ORLEN STACJA 117", "PGE OBROT SA", "CZYNSZ SM POLUDNIE", "ALLEGRO SP Z OO"),
    ("WYNAGRODZENIE ELBUD SA", "NOWAK JAN ZWROT", "ZUS EMERYTURA"),
)
CZ = Voice(
    (
        "Albert Hypermarket 662",
        "CEZ Prodej, a.s.",
        "T-Mobile Czech Republic",
        "Dopravni podnik Praha",
        "Najem byt 14",
    ),
    ("Mzda Strojirny Kolin", "Uroky z vkladu", "Novak Petr"),
)
NORDIC = Voice(
    (
        "ICA KVANTUM",
        "SL ACCESS",
        "Telia Sverige AB",
        "SYSTEMBOLAGET 0140",
        "Hyra Bostads AB Vasa",
        "Kiosk Stortorget",
    ),
    ("LON Skogsbruk AB", "Swish inbetalning", "Bg 5050-1055 kundfaktura"),
)
BR = Voice(
    (
        "PIX TRANSF JOAO S12/03",
        "RSHOP-PAO DE ACUCAR",
        "INT PAG TIT BANCO 033",
        "DEB AUT ENEL SP",
        "TAR PACOTE ITAU",
        "COMPRA CARTAO - POSTO IPIRANGA",
    ),
    ("REMUNERACAO/SALARIO", "PIX RECEBIDO MARIA L", "TED RECEBIDA 0341"),
)
TRADE = Voice(
    (
        "HARBOUR FREIGHT SERVICES",
        "SUPPLIER 40021 GLOBAL PARTS",
        "PAYROLL RUN 0417",
        "PORT AUTHORITY DUES",
        "OFFICE RENT TOWER TWO",
        "CUSTOMS DUTY 88120",
    ),
    ("CUSTOMER PAYMENT MERIDIAN", "INWARD TT NORTHWIND", "MATURED DEPOSIT 7711", "COLLECTION CHEQUES"),
)
INDIA = Voice(
    (
        "UPI/408812/SWIGGY",
        "POS 4591XX BIG BAZAAR",
        "NACH DR LIC PREMIUM",
        "ATW-HITEC CITY HYD",
        "BIL/ONL/BESCOM",
    ),
    ("NEFT CR INFOSYS SALARY", "INT PD 01-01 TO 31-03", "IMPS P2A RAVI KUMAR"),
)
PACIFIC = Voice(
    (
        "WOOLWORTHS 1122 SYDNEY",
        "BP CONNECT",
        "AGL ENERGY BPAY",
        "BUNNINGS 300771",
        "OPAL TOPUP",
        "COUNTDOWN QUAY ST",
    ),
    ("SALARY HARVEY FARMS", "OSKO J TURNER", "MEDICARE BENEFIT"),
)
AFRICA = Voice(
    (
        "CHECKERS SANDTON",
        "ENGEN GARAGE 4417",
        "VODACOM AIRTIME",
        "MAGTAPE DEBIT DISCOVERY",
        "#MONTHLY ACCOUNT FEE",
    ),
    ("FNB APP PAYMENT FROM T DLAMINI", "MAGTAPE CREDIT SALARIS"),
)
