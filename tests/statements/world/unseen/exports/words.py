"""What is bought, received and paid, in the words of each place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    spent: tuple[str, ...]
    came: tuple[str, ...]
    paid: tuple[str, ...]
    """What comes in on a card."""


def of(spent: str, came: str, paid: str = "PAYMENT RECEIVED - THANK YOU|REFUND ONLINE ORDER") -> Words:
    return Words(tuple(spent.split("|")), tuple(came.split("|")), tuple(paid.split("|")))


TONGUES = {
    "us": of(
        "TRADER JOE'S #552 SAN DIEGO CA|AMZN Mktp US*2K4T81QX3|SHELL OIL 57444212309|"
        "SQ *BLUE DOOR COFFEE|CVS/PHARMACY #04412|NETFLIX.COM|UBER   TRIP HELP.UBER.COM|"
        "THE HOME DEPOT #0677|SDGE UTILITY PMT|TST* RAMEN HOUSE, LLC|COSTCO WHSE #0488|"
        "24 HOUR FITNESS USA|Spotify USA",
        "ACME CORP PAYROLL PPD ID: 9111111103|Zelle payment from JORDAN LEE|MOBILE DEPOSIT|INTEREST PAYMENT",
        "AUTOMATIC PAYMENT - THANK YOU|AMZN Mktp US REFUND|ONLINE PAYMENT, THANK YOU",
    ),
    "ca": of(
        "TIM HORTONS #2231|LOBLAWS 1029 TORONTO ON|PRESTO APPL/YR8KQ2|HYDRO ONE NETWORKS|"
        "CANADIAN TIRE #144|LCBO/RAO #0511|ROGERS WIRELESS|PETRO-CANADA 04412|"
        "SHOPPERS DRUG MART #0991|METRO 0215|CINEPLEX #7110",
        "PAYROLL DEPOSIT MAPLE SYSTEMS|INTERAC E-TRANSFER FROM P SINGH|CANADA PRO DEPOSIT",
        "PAYMENT - THANK YOU / PAIEMENT - MERCI|CANADIAN TIRE RETURN",
    ),
    "uk": of(
        "TESCO STORES 3318|TFL TRAVEL CH|PRET A MANGER|SAINSBURYS S/MKTS|OCTOPUS ENERGY|"
        "BOOTS/1221|DELIVEROO|COUNCIL TAX, LB CAMDEN|VODAFONE LTD|WATERSTONES|GREGGS PLC|"
        "THAMES WATER",
        "HARBOUR DESIGN LTD SALARY|J OKAFOR RENT SHARE|HMRC REFUND|INTEREST PAID",
        "PAYMENT RECEIVED - THANK YOU|ARGOS REFUND",
    ),
    "ie": of(
        "VDP-LIDL DUBLIN 8|VDC-SUPERVALU|D/D ELECTRIC IRELAND|VDP-LEAP CARD TOP UP|"
        "VDA-APPLE.COM/BILL|*MOBI RENT FEB|VDP-BUTLERS CAFE|D/D VIRGIN MEDIA|VDC-CENTRA 0182|"
        "ATM  GRAFTON ST",
        "SALARY FINBAR SOFT LTD|MOBI FROM AOIFE|REVENUE REFUND",
    ),
    "de": of(
        "REWE SAGT DANKE 41233|Stadtwerke München GmbH|DB Vertrieb GmbH|EDEKA Center Müller|"
        "dm-drogerie markt|Telekom Deutschland GmbH|Miete Januar, Hausverwaltung Groß|ALDI SÜD|"
        "Rundfunk ARD, ZDF, DRadio|PayPal Europe S.a.r.l.|Bäckerei Höfle|ARAL AG",
        "Gehalt Lindner Maschinenbau GmbH|Finanzamt München Erstattung|Übertrag von Jana Köhler",
        "Lastschrifteinzug Kreditkarte|Gutschrift Zalando SE",
    ),
    "at": of(
        "BILLA DANKT 0412 WIEN|SPAR DANKT 1190|WIENER LINIEN|Wien Energie Vertrieb|"
        "A1 Telekom Austria|HOFER DANKT|ÖBB Personenverkehr|BIPA 0331|Cafe Sperl|OMV Tankstelle",
        "Gehalt Donau Technik GmbH|Gutschrift M. Huber|Finanzamt Österreich",
    ),
    "ch": of(
        "Coop-1891 Zürich|Migros M Wiedikon|SBB CFF FFS Mobile|Swisscom (Schweiz) AG|"
        "Krankenkasse Helsana|Denner Satellit|EWZ Zürich|Digitec Galaxus AG|Sprüngli Paradeplatz|"
        "Migrolino Enge|TWINT Belastung Café Henrici",
        "Lohnzahlung Alpen Data AG|TWINT Gutschrift L. Meier|Vergütung Steueramt",
        "Einzahlung, besten Dank|Gutschrift Galaxus",
    ),
    "fr": of(
        "CARTE 04/01 MONOPRIX PARIS 11|PRLV SEPA EDF CLIENTS PARTICULIERS|"
        "CARTE BOULANGERIE DU MARCHÉ|PRLV SEPA FREE TELECOM|CARTE SNCF INTERNET|"
        "CARTE PICARD 0412|RETRAIT DAB PARIS BASTILLE|CARTE FNAC DARTY|PRLV NAVIGO ANNUEL|"
        "CARTE CARREFOUR CITY|CARTE PHARMACIE DE L'ÉGLISE",
        "VIR SEPA SALAIRE ATELIER MARTIN|VIR INST DE MME DURAND|VIR CPAM REMBOURSEMENT",
    ),
    "nl": of(
        "ALBERT HEIJN 1403|NS Groep IZ NS Reizigers|Jumbo Utrecht|Vattenfall Klantenservice|"
        "HEMA EV021|Bol.com via Mollie|Zilveren Kruis Zorgverzekeringen|Thuisbezorgd.nl|"
        "Kruidvat 7712|Ziggo Services BV|Café De Zwaan",
        "Salaris Polder Software B.V.|Hr J Jansen|Belastingdienst",
    ),
    "es": of(
        "COMPRA MERCADONA VALENCIA|RECIBO IBERDROLA CLIENTES|BIZUM A MARTA LÓPEZ|"
        "PAGO EN EL CORTE INGLÉS|RECARGA EMT MADRID|RECIBO MOVISTAR|CARREFOUR EXPRESS|"
        "RESTAURANTE LA PEÑA|FARMACIA GARCÍA|REPSOL E.S. 2231|CAJERO 0182 GRAN VIA",
        "NÓMINA TALLERES RUIZ SL|BIZUM DE PABLO GIL|DEVOLUCIÓN AEAT",
    ),
    "pt": of(
        "COMPRA PINGO DOCE LISBOA|PAG SERV EDP COMERCIAL|LEV ATM BAIXA CHIADO|COMPRA CONTINENTE|"
        "DD NOS COMUNICAÇÕES|TRF MBWAY JOÃO SANTOS|COMPRA GALP 0022|COMPRA FARMÁCIA SÃO JOSÉ|"
        "COMPRA CP COMBOIOS|COMPRA LIDL PORTO",
        "ORDENADO OFICINA NORTE LDA|TRF DE ANA MARQUES|REEMBOLSO IRS",
    ),
    "it": of(
        "Esselunga Milano|Enel Energia SDD|Trenitalia|Bar Centrale|Farmacia Comunale 3|"
        "Prelievo Bancomat|Conad City|TIM S.p.A. addebito|Ikea Italia Retail|"
        "Autostrade per l'Italia",
        "Stipendio Officine Rossi Srl|Bonifico da Giulia Bianchi|Rimborso 730",
    ),
    "pl": of(
        "BIEDRONKA 4412 WARSZAWA|ŻABKA Z7712|ORLEN STACJA 221|PKP INTERCITY|ALLEGRO.PL POZNAŃ|"
        "Rachunek za prąd PGE|ROSSMANN 112|JAKDOJADE BILET|Czynsz styczeń|LIDL ŁÓDŹ|"
        "BLIK apteka Gemini",
        "WYNAGRODZENIE SOFT-POL SP. Z O.O.|PRZELEW OD ANNA KOWALSKA|ZWROT PODATKU US",
    ),
    "cz": of(
        "Albert 0413 Praha|Nákup: ALZA.CZ|PRE a.s. záloha elektřina|Dopravní podnik Praha|"
        "Rohlik.cz|T-Mobile Czech Republic|Benzina ORLEN|Nájem leden|dm drogerie markt|"
        "Hospoda U Zlatého lva",
        "Mzda Strojírny Brno|Příchozí úhrada Jan Novák|Vratka FÚ",
    ),
    "hu": of(
        "SPAR MAGYARORSZÁG|MVM NEXT ENERGIA|BKK JEGY|LIDL BUDAPEST|TELEKOM SZÁMLA|SZÉP CUKRÁSZDA|"
        "MOL TÖLTŐÁLLOMÁS|ROSSMANN MO.|LAKBÉR|WOLT HUNGARY",
        "MUNKABÉR KERÉK KFT|ÁTUTALÁS KISS ÉVA|NAV VISSZATÉRÍTÉS",
    ),
    "ro": of(
        "MEGA IMAGE 0412 BUCURESTI|ENEL ENERGIE FACTURA|KAUFLAND CLUJ|OMV PETROM 221|"
        "DIGI ROMANIA|EMAG ONLINE|CAFENEA VERDE|STB BILET|FARMACIA TEI|LIDL DISCOUNT",
        "Salariu ATELIER DIGITAL SRL|Incasare POPESCU ION|Rambursare ANAF",
    ),
    "sv": of(
        "ICA NARA SODER|SL ACCESS|Systembolaget 0112|Ellevio AB|Coop Konsum|Apotek Hjärtat|"
        "Telia Sverige|Hyra januari|Espresso House|Swish Åsa Lindgren|H&M 0331",
        "Lön Norrsken Teknik AB|Swish från Erik Öberg|Skatteverket",
        "Inbetalning, tack|Återköp Ellos",
    ),
    "no": of(
        "REMA 1000 GRØNLAND|Ruter AS|KIWI 412 OSLO|Vinmonopolet|Hafslund Strøm|Telenor Norge|"
        "Vipps*Bakeriet|Apotek 1|Husleie januar|Narvesen 221",
        "Lønn Fjord Data AS|Vipps fra Ola Nordmann|Skatteetaten",
    ),
    "da": of(
        "Netto Østerbro|Rejsekort A/S|MobilePay Bageren|Føtex Food 0412|Ørsted Salg|YouSee|"
        "Matas 0221|7-Eleven Nørreport|Husleje januar|Irma Søborg",
        "Lønoverførsel Havn Tek ApS|MobilePay Søren Holm|SKAT",
    ),
    "fi": of(
        "K-MARKET KAMPPI|HSL HELSINKI|ALKO PASILA|HELEN OY|S-MARKET KALLIO|ELISA OYJ|"
        "R-KIOSKI 0412|VUOKRA TAMMIKUU|PRISMA ITÄKESKUS|APTEEKKI HÄMEENTIE",
        "PALKKA SUOMEN KONE OY|MOBILEPAY MÄKINEN|VEROHALLINTO",
    ),
    "et": of(
        "RIMI ÜLEMISTE|SELVER TALLINN|Eesti Energia AS|BOLT.EU|Telia Eesti AS|APTEEK KESKLINN|"
        "KOHVIK NARVA MNT|CIRCLE K 0221|ÜÜR JAANUAR",
        "Palk Põhjala OÜ|Kask Mari|Maksu- ja Tolliamet",
    ),
    "lt": of(
        "MAXIMA X-412 VILNIUS|IKI ŽVĖRYNAS|Ignitis UAB|Bolt.eu|Telia Lietuva AB|Eurovaistinė|"
        "Caffeine kavinė|Circle K Lietuva|Buto nuoma",
        "Darbo užmokestis UAB Gija|Petraitis Jonas|VMI grąžinimas",
    ),
    "gr": of(
        "ΣΚΛΑΒΕΝΙΤΗΣ ΑΘΗΝΑ|ΔΕΗ ΛΟΓΑΡΙΑΣΜΟΣ|ΑΒ ΒΑΣΙΛΟΠΟΥΛΟΣ|ΟΑΣΑ ΕΙΣΙΤΗΡΙΟ|COSMOTE ΠΛΗΡΩΜΗ|"
        "ΦΑΡΜΑΚΕΙΟ ΠΑΠΠΑ|ΚΑΦΕ ΠΛΑΚΑ|SHELL ΚΗΦΙΣΙΑ|ΕΝΟΙΚΙΟ",
        "ΜΙΣΘΟΔΟΣΙΑ ΑΕ ΤΕΧΝΙΚΗ|ΜΕΤΑΦΟΡΑ ΑΠΟ ΝΙΚΟΥ Μ|ΕΠΙΣΤΡΟΦΗ ΑΑΔΕ",
    ),
    "tr": of(
        "MİGROS TİCARET A.Ş. KADIKÖY|İGDAŞ FATURA|BİM A.Ş. 4412|İSTANBULKART DOLUM|"
        "TURKCELL FATURA ÖDEMESİ|ŞOK MARKET|ECZANE GÜNEŞ|KAHVE DÜNYASI|OPET PETROL|HEPSİBURADA",
        "MAAŞ ÖDEMESİ YILDIZ LTD|FAST: AYŞE ÇELİK|EFT GELEN",
    ),
    "ru": of(
        "Пятёрочка|Яндекс Такси|Метро Москва|ВкусВилл|МТС|Аптека Столички|Ozon|Лукойл|Кофемания",
        "Зарплата ООО Вектор|Перевод от Анны К.|Кэшбэк за обычные покупки",
    ),
    "ua": of(
        "Сільпо|Нова пошта|АТБ|Bolt|Київстар|Rozetka|ОККО|Аптека 9-1-1|Львівські круасани",
        "Від: Олена К.|Зарплата ТОВ Вежа|Скасування. Rozetka",
    ),
    "he": of(
        "שופרסל דיל רמת גן|סופר פארם|רב-קו הטענה|פז חברת נפט|בזק חשבון|ארומה תל אביב|חברת החשמל|רמי לוי|וולט",
        'משכורת אורן תוכנה בע"מ|ביט מיעל כהן|החזר מס הכנסה',
        "זיכוי קניה|זיכוי החזר עסקה",
    ),
    "gulf": of(
        "CARREFOUR MALL OF THE EMIRATES|DEWA BILL PAYMENT|ENOC 1071 DUBAI|RTA SALIK RECHARGE|"
        "NOON.COM|ETISALAT BILL|LULU HYPERMARKET|TALABAT|CAREEM RIDE",
        "SALARY TRANSFER WPS|INWARD REMITTANCE R KHAN|CASH DEPOSIT CDM",
    ),
    "za": of(
        "CHECKERS SANDTON|POS PURCHASE WOOLWORTHS|ESKOM PREPAID 0412|VODACOM AIRTIME|"
        "ENGEN ROSEBANK|DISCHEM PHARMACY|UBER EATS JHB|GAUTRAIN|TAKEALOT ONLINE|SERVICE FEE",
        "SALARY KAROO MEDIA|FNB APP PAYMENT FROM N DLAMINI|INTEREST EARNED",
    ),
    "ke": of(
        "Pay Bill to 888880 - KPLC PREPAID Acc. 14240|"
        "Merchant Payment to 112233 - NAIVAS WESTLANDS|"
        "Customer Transfer to 0712***345 - MARY WANJIKU|Pay Bill Charge|"
        "Customer Transfer of Funds Charge|Airtime Purchase|Buy Bundles|"
        "Merchant Payment to 445566 - JAVA HOUSE",
        "Funds received from 0722***890 - PETER OTIENO|"
        "Business Payment from 300600 - Equity Bulk Account|Salary Payment",
    ),
    "ng": of(
        "POS/WEB PURCHASE SHOPRITE IKEJA|NIP TRANSFER TO ADEBAYO T|MTN AIRTIME VTU|"
        "EKEDC PREPAID METER|SMS ALERT CHARGES|BOLT RIDES LAGOS|CHICKEN REPUBLIC VI|"
        "DSTV SUBSCRIPTION|ELECTRONIC MONEY TRANSFER LEVY",
        "SALARY JAN ZENITH WORKS LTD|NIP FROM CHIDI OKONKWO|REVERSAL POS",
    ),
    "in": of(
        "UPI-SWIGGY-SWIGGY@ICICI-412233445566-PAYMENT|POS 416021XXXXXX1234 BIG BAZAAR|"
        "ACH D- BSES RAJDHANI-0412|UPI-IRCTC-IRCTC@SBI-TICKET|NWD-ATM CASH-BANDRA|"
        "UPI-AMAZON PAY-AMZN@APL|BILLPAY DR AIRTEL PREPAID|IMPS-RENT-SHARMA PROPERTIES|"
        "UPI-ZEPTO-ZEPTO@YBL|DMART ANDHERI",
        "NEFT CR-INFY0001-SALARY JAN|UPI-PRIYA NAIR-PRIYA@OKHDFC|INTEREST PAID TILL 31-JAN",
        "NETBANKING TRANSFER PAYMENT|REFUND MYNTRA DESIGNS",
    ),
    "sg": of(
        "NTUC FAIRPRICE CLEMENTI|BUS/MRT 4412331|GRAB *A-5XK2M SINGAPORE|SP SERVICES LTD|"
        "SINGTEL BILL|KOPITIAM INVESTMENT|SHOPEE SINGAPORE|PAYNOW TO TAN WEI LING|"
        "COLD STORAGE HOLLAND V",
        "SALARY MERLION TECH PTE LTD|PAYNOW FROM LIM K H|INTEREST EARNED",
    ),
    "hk": of(
        "PARKNSHOP CENTRAL HK|MTR CORPORATION|WELLCOME 0412 HONG KONG|CLP POWER AUTOPAY|HKTVMALL|"
        "OCTOPUS RELOAD|CAFE DE CORAL|MANNINGS 221|FOODPANDA HONG KONG",
        "SALARY HARBOUR LTD|FPS FROM CHAN TAI MAN|CREDIT INTEREST",
        "PAYMENT - THANK YOU|REFUND HKTVMALL",
    ),
    "zh": of(
        "盒马鲜生|美团外卖|滴滴出行|中国移动话费充值|瑞幸咖啡|京东商城|国家电网|全家便利店|高德打车|叮咚买菜",
        "工资|转账-王芳|退款-京东商城",
    ),
    "tw": of(
        "全聯福利中心|台灣電力|悠遊卡加值|中華電信|統一超商|路易莎咖啡|台灣高鐵|momo購物|房租",
        "薪資轉帳|轉帳 陳先生|利息",
    ),
    "ja": of(
        "セブンイレブン|東京電力エナジー|ＪＲ東日本|イオンリテール|ＮＴＴドコモ|スターバックス|"
        "家賃|アマゾンジャパン|東京ガス|マツモトキヨシ",
        "給与 カ)ミドリ|振込 サトウ ハナコ|利息",
    ),
    "ko": of(
        "스타벅스 강남점|GS25 역삼|한국전력공사|쿠팡|카카오T 택시|SK텔레콤|이마트 성수|"
        "배달의민족|올리브영|관리비",
        "급여 (주)한빛|김민수|예금이자",
    ),
    "au": of(
        "WOOLWORTHS 1294 NEWTOWN NSW|OPAL TRANSPORT TOPUP|COLES 0412 FITZROY|AGL ENERGY BPAY|"
        "TELSTRA DIRECT DEBIT|BUNNINGS 331000|SQ *LITTLE BROTHER COFFEE|CHEMIST WAREHOUSE|"
        "DAN MURPHY'S 0221|MYKI PAYMENTS|UBER *EATS SYDNEY",
        "SALARY SOUTHERN CROSS LABS|OSKO PAYMENT FROM L NGUYEN|MEDICARE BENEFIT",
        "PAYMENT THANKYOU 0412|MYER REFUND",
    ),
    "nz": of(
        "COUNTDOWN PONSONBY|AT HOP TOPUP|NEW WORLD METRO|MERIDIAN ENERGY|SPARK NZ|Z ENERGY 0412|"
        "MITRE 10 MEGA|BURGERFUEL|UNICHEM PHARMACY",
        "WAGES KAURI SYSTEMS|AP FROM T WILSON|IRD REFUND",
        "ONLINE PAYMENT - THANK YOU|KMART REFUND",
    ),
    "br": of(
        "PIX ENVIADO PADARIA SÃO BENTO|PAG BOLETO ENEL SP|COMPRA CARTAO PAO DE ACUCAR|"
        "UBER DO BRASIL|DEB AUT VIVO MOVEL|IFOOD OSASCO|DROGASIL 0412|POSTO IPIRANGA|"
        "PIX ENVIADO MARIA SOUZA|MERCADO LIVRE",
        "SALARIO OFICINA SUL LTDA|PIX RECEBIDO JOAO LIMA|RENDIMENTO POUPANCA",
        "Pagamento recebido|Estorno de Amazon",
    ),
    "la": of(
        "OXXO SUC 4412|PAGO DE SERVICIO LUZ|COMPRA SUPERMERCADO LA UNION|UBER VIAJE|"
        "FARMACIA DEL AHORRO|PAGO TELEFONIA MOVIL|RETIRO CAJERO AUTOMATICO|RESTAURANTE EL RINCON|"
        "TRANSFERENCIA A J PEREZ|GASOLINERA 0221",
        "NOMINA SERVICIOS DEL SUR|TRANSFERENCIA DE L GOMEZ|ABONO INTERESES",
    ),
    "id": of(
        "TRSF E-BANKING DB TOKOPEDIA|DB OTOMATIS PLN|KARTU DEBIT INDOMARET|TARIKAN ATM|"
        "GOPAY TOPUP|BIAYA ADM|KARTU DEBIT HYPERMART|PULSA TELKOMSEL",
        "TRSF E-BANKING CR GAJI PT MAJU|KR OTOMATIS|BUNGA",
    ),
}
