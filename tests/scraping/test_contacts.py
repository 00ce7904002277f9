"""Contacts on pages: what is found, in every disguise, and what is left out."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest

from interlock.workflows.scraping.contacts.extracting import extract_contacts
from interlock.workflows.scraping.contacts.social import read_profile
from interlock.workflows.scraping.web.page import MOST_TAGS, Page
from interlock.workflows.scraping.web.walls import detect_wall


def page(body: str, url: str = "https://www.firma.de/kontakt", lang: str = "de", head: str = "") -> Page:
    return Page(
        url,
        f'<!DOCTYPE html><html lang="{lang}"><head><title>x</title>{head}</head><body>{body}</body></html>',
    )


def protected(email: str, key: int = 0x42) -> str:
    return bytes([key, *(byte ^ key for byte in email.encode())]).hex()


@pytest.mark.parametrize(
    ("body", "emails"),
    [
        ("<a href='mailto:Ann@Firma.de'>write</a>", ["ann@firma.de"]),
        (
            "<a href='MAILTO:ann%40firma.de?subject=Hi&cc=bob@firma.de'>write</a>",
            ["ann@firma.de", "bob@firma.de"],
        ),
        (
            "<a href='mailto:a@firma.de,b@firma.de;c@firma.de'>all</a>",
            ["a@firma.de", "b@firma.de", "c@firma.de"],
        ),
        ("<p>Mail: ann@firma.de.</p>", ["ann@firma.de"]),
        (
            "<p>&lt;ann@firma.de&gt;, (bob.builder+x@mail.firma.co.uk)</p>",
            ["ann@firma.de", "bob.builder+x@mail.firma.co.uk"],
        ),
        ("<p>ann&#64;firma&#46;de</p>", ["ann@firma.de"]),
        ("<p>ann<span>@</span>firma.<b>de</b></p>", ["ann@firma.de"]),
        ("<p>ann [at] firma [dot] de</p>", ["ann@firma.de"]),
        ("<p>ann(at)firma.de</p>", ["ann@firma.de"]),
        ("<p>ann {at} firma {punkt} de</p>", ["ann@firma.de"]),
        ("<p>ann at firma dot de</p>", ["ann@firma.de"]),
        ("<p>ann (at) mail (dot) firma (dot) co (dot) uk</p>", ["ann@mail.firma.co.uk"]),
        ("<p>ann @ firma.de</p>", ["ann@firma.de"]),
        ("<p>ann_at_firma.de</p>", ["ann@firma.de"]),
        (
            f"<a class='__cf_email__' data-cfemail='{protected('ann@firma.de')}'>[email&#160;protected]</a>",
            ["ann@firma.de"],
        ),
        (
            f"<a href='/cdn-cgi/l/email-protection#{protected('ann@firma.de?subject=x', 7)}'>mail</a>",
            ["ann@firma.de"],
        ),
        ("<p>an<span style='display: none'>SPAM</span>n@firma.de</p>", ["ann@firma.de"]),
        ("<p style='unicode-bidi:bidi-override; direction: rtl'>ed.amrif@nna</p>", ["ann@firma.de"]),
        ("<a href=\"javascript:linkTo_UnCryptMailto('nbjmup+uzqpAgjsnb/ef');\">typo</a>", ["typo@firma.de"]),
        ("<script>document.write('ann' + '@' + 'firma.de')</script>", ["ann@firma.de"]),
        ("<span data-user='ann' data-domain='firma.de'></span>", ["ann@firma.de"]),
        ("<span itemprop='email'>ann@firma.de</span>", ["ann@firma.de"]),
        ("<p>Ann@Firma.de and ann@firma.de</p>", ["ann@firma.de"]),
        (
            "<p>ann@firma[.]de, bob@firma(dot)de, cat@firma dot de, see dan@firma.de point one</p>",
            ["dan@firma.de", "ann@firma.de", "bob@firma.de", "cat@firma.de"],
        ),
        (
            "<p>ann[æt]firma[dot]de, bob(at-sign)firma.de, cat#at#firma.de, dan'at'firma.de, eve\\@firma.de</p>",
            ["eve@firma.de", "ann@firma.de", "bob@firma.de", "cat@firma.de", "dan@firma.de"],
        ),
        ("<p>Mail: ann @firma.de</p><p>Follow us @firma.de</p>", ["ann@firma.de"]),
        ("<p>Email us: ann at firma.de</p>", ["ann@firma.de"]),
        (
            "<i data-part1='ann' data-part2='firma' data-part3='de'></i><i data-first='bob' data-last='firma.de'></i>",
            ["ann@firma.de", "bob@firma.de"],
        ),
        (
            "<style>.m::after{content:'\\0040 firma.de'} #d:before{content:attr(data-m)}</style>"
            "<p><i class=m>ann</i></p><p><i id=d data-m='bob@firma.de'></i></p>",
            ["bob@firma.de", "ann@firma.de"],
        ),
        ("<script>document.write('\\x61nn\\x40firma.de')</script>", ["ann@firma.de"]),
        (
            "<script>const m={who:'ann',at:'firma.de'};a.href=m.who+'@'+m.at; b.href=`bob@${m.at}`</script>",
            ["ann@firma.de", "bob@firma.de"],
        ),
        ("<p>ann<script>document.write('@')</script>firma.de</p>", ["ann@firma.de"]),
        (
            "<a href=\"javascript:decrypt('naa@svezn.qr')\">x</a><a data-email='obo@svezn.qr'>y</a>",
            ["bob@firma.de", "ann@firma.de"],
        ),
        ("<a href='mail:ann@firma.de'>x</a><a href='bob@firma.de'>y</a>", ["ann@firma.de", "bob@firma.de"]),
        (
            "<a href='https://mail.google.com/mail/?view=cm&amp;to=ann%40firma.de&amp;su=x'>x</a>",
            ["ann@firma.de"],
        ),
        ("<input readonly value='ann@firma.de'><input value='bob@firma.de'>", ["ann@firma.de"]),
        ("<p>ann<img src='/i/at.gif'>firma.de</p>", ["ann@firma.de"]),
        (
            '<script type="application/json">{"t": "\\u003ca href=\\"mailto:ann@x.de\\"\\u003e or bob@firma.de or cat@x.de"}</script>',
            ["ann@x.de", "bob@firma.de"],
        ),
        ("<p>4915112345678@c.us 123@g.us</p>", []),
        ("<p>info@münchen.de</p>", ["info@xn--mnchen-3ya.de"]),
        (
            "<p>a@firma.de/b@firma.de and c@firma.de.Wir sind da, d@firma.com.Br</p>",
            ["a@firma.de", "b@firma.de", "c@firma.de", "d@firma.com.br"],
        ),
        ("<p>Mail to ann AT firma.de or MEET US AT FIRMA.DE</p>", ["ann@firma.de"]),
        (
            "<p>ann<img alt='at'>firma.de, bob<i class='fa fa-at'></i>firma.de</p>",
            ["bob@firma.de", "ann@firma.de"],
        ),
        ("<pre>ann (at)\nfirma.de\nbob (at) firma.de</pre>", ["bob@firma.de"]),
        (
            "<a data-rot13='naa@svezn.qr' data-copy='bob@firma.de' data-x='Y0BmaXJtYS5kZQ=='>x</a>",
            ["ann@firma.de", "bob@firma.de", "c@firma.de"],
        ),
        (
            "<script>document.write(String.fromCharCode(97,110,110,64,102,105,114,109,97,46,100,101))</script>",
            ["ann@firma.de"],
        ),
        (
            "<a onclick=\"sendMail('ann', 'firma.de')\">x</a><a onclick=\"nospam('bob','firma','de')\">y</a>",
            ["ann@firma.de", "bob@firma.de"],
        ),
        ("<script>var site = {help: 'ann@firma.de', other: 'x@lib.io'}</script>", ["ann@firma.de"]),
        ('<x-card :props=\'{"mail": "ann@firma.de"}\'></x-card>', ["ann@firma.de"]),
        (
            "<a href='data:text/vcard,BEGIN:VCARD%0AEMAIL;TYPE=work:ann@firma.de%0AEND:VCARD'>x</a>",
            ["ann@firma.de"],
        ),
        ("<p>{ann, bob}@firma.de and {cy} at firma.de</p>", ["ann@firma.de", "bob@firma.de", "cy@firma.de"]),
        ("<p>Gast: ann CHEZ firma POINT de</p><p>bob_arobase_firma.de</p>", ["ann@firma.de", "bob@firma.de"]),
        (
            "<script>var p = ['an', 'n', '@', 'firma', '.de']; el.innerHTML = p.join('')</script>",
            ["ann@firma.de"],
        ),
        (
            "<a href='data:text/calendar,BEGIN:VEVENT%0AORGANIZER;CN=A:mailto:ann@firma.de%0AEND:VEVENT'>x</a>",
            ["ann@firma.de"],
        ),
        # what is nobody's
        ("<p>Gesch\u00e4ftsstelle (at) firma.de</p>", []),
        ("<a onclick=\"ga('ann', 'firma.de'); track('bob', 'firma.de')\">x</a>", []),
        ("<img src='logo@2x.png' srcset='a@3x.webp 3x'><p>icon@2x.png</p>", []),
        ("<p>noreply@firma.de no-reply@firma.de do-not-reply@firma.de</p>", []),
        (
            "<p>user@example.com you@yourdomain.com name@company.com test@test.com john.doe@firma.com john@doe.com</p>",
            [],
        ),
        (
            "<script>const u = 'ann'; const d = 'firma.de'; x = `mailto:${u}@${ d }`;</script>",
            ["ann@firma.de"],
        ),
        ("<script>var d = 'firma.de'; var v = 'ann'.concat('@', d);</script>", ["ann@firma.de"]),
        ("<p>ann «at» firma «point» de, bob “at” firma.de</p>", ["ann@firma.de", "bob@firma.de"]),
        ("<p>담당 ann골뱅이firma.de</p>", ["ann@firma.de"]),
        ("<p>ann\ufe6bfirma\ufe52de</p>", ["ann@firma.de"]),
        ("<a href='mailto:ann[at]firma.de'>Ann</a>", ["ann@firma.de"]),
        ("<p>mymail@mailservice.com my-email@firma.com</p>", []),
        ("<script>var v = 'ann#firma,de'.replace('#', '@').replace(/,/g, '.');</script>", ["ann@firma.de"]),
        ("<p>https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/2</p>", []),
        ("<p>Follow @firma and meet us at berlin.de in May, or at the office dot</p>", []),
        ("<p>npm install react@16.8.0 left-pad@1.3.0</p>", []),
        ("<!-- hidden@firma.de --><style>a@media.de{}</style><script>var x = 'code@firma.de'</script>", []),
        (
            "<a href='#ann#mc#firma.de#' class='spip_mail'>ann<span> chez </span>firma.de</a>",
            ["ann@firma.de"],
        ),
        ("<i data-user='nna' data-domain='ed.amrif'></i>", ["ann@firma.de"]),
        ("<i data-user='ann' data-domain='ed.agency'></i>", ["ann@ed.agency"]),
        ("<p>ann@firma ann@.de @firma.de ann@@firma.de</p>", []),
        ("<p hidden>trap@firma.de</p>", []),
    ],
)
def test_addresses_are_found_in_every_disguise_and_those_of_nobody_are_not(
    body: str, emails: list[str]
) -> None:
    assert list(extract_contacts(page(body)).emails) == emails


@pytest.mark.parametrize(
    ("body", "url", "lang", "phones"),
    [
        ("<a href='tel:+49-89-12345678'>call</a>", "https://firma.de/", "de", ["+498912345678"]),
        ("<a href='tel:089%2012345678'>call</a>", "https://firma.de/", "de", ["+498912345678"]),
        ("<p>Tel.: 030 / 123 45 67</p>", "https://firma.de/", "de", ["+49301234567"]),
        (
            "<p>Telefon +49 (0)30 1234567, Telefax +49 (0)30 1234568</p>",
            "https://firma.de/",
            "de",
            ["+49301234567"],
        ),
        ("<p>T: 020 7946 0018 | F: 020 7946 0019</p>", "https://firm.co.uk/", "en-GB", ["+442079460018"]),
        ("<p>Call us: (212) 736-5000</p>", "https://firm.com/", "en", ["+12127365000"]),
        ("<p>T. 223 390 417 (rede fixa)</p>", "https://clinica.pt/", "pt", ["+351223390417"]),
        ("<p>Gratisnummer 0800 673 912</p>", "https://bahn.ch/", "de", ["+41800673912"]),
        (
            "<p>ＴＥＬ：０３－３２８４－７１９３　ＦＡＸ：０３－３２８４－７１９４</p>",
            "https://f.jp/",
            "ja",
            ["+81332847193"],
        ),
        (
            "<table><tr><th>電話番号</th><th>FAX番号</th></tr><tr><td>03-3284-7193</td><td>03-3284-7194</td></tr></table>",
            "https://f.jp/",
            "ja",
            ["+81332847193"],
        ),
        ("<p>P: 504-581-7032</p><p>Fx: 504-581-7033</p>", "https://f.com/", "en-US", ["+15045817032"]),
        (
            "<p>Numéro vert 0 800 47 18 47 - direct 02 99 47 18 24</p>",
            "https://f.fr/",
            "fr",
            ["+33800471847", "+33299471824"],
        ),
        ("<p>0184719365</p><p>Commande 0184719366</p>", "https://f.fr/", "fr", ["+33184719365"]),
        ("<p>TM. 918 284 719</p>", "https://f.pt/", "pt", ["+351918284719"]),
        ("<p>Vakttelefon (24t): 928 47 193</p>", "https://f.no/", "nb", ["+4792847193"]),
        (
            "<p>Tel. (oficina) 979 28 47 19 (ext. 28) – 979 28 47 20</p>",
            "https://f.es/",
            "es",
            ["+34979284719", "+34979284720"],
        ),
        ("<p>Prayer line: 1.800.284.PRAY (7729)</p>", "https://f.org/", "en-US", ["+18002847729"]),
        (
            "<p>Fones: 55 11 3284.7193 / 3284.7194</p><p>(11) 99731-9428 / 99731-9429</p>",
            "https://f.com.br/",
            "pt-BR",
            ["+551132847193", "+551132847194", "+5511997319428", "+5511997319429"],
        ),
        (
            "<p>Tel. (030) 28471936, -37 und -38</p>",
            "https://f.de/",
            "de",
            ["+493028471936", "+493028471937", "+493028471938"],
        ),
        ("<p>Tel/Fax: 030-28471936/37</p>", "https://f.de/", "de", ["+493028471936"]),
        ("<p>Fone/Fax: (19) 3731-9428</p>", "https://f.com.br/", "pt-BR", ["+551937319428"]),
        (
            "<a href='tel:+493028471937'>Fax</a><a href='tel:+4930(0)28471936'>y</a>",
            "https://f.de/",
            "de",
            ["+493028471936"],
        ),
        (
            "<p><img src='i/phone.svg'> 01904 782416</p><p><img src='i/fax-icon@2x.png'> 01904 782417</p>",
            "https://f.co.uk/",
            "en-GB",
            ["+441904782416"],
        ),
        (
            "<p>Our number is 01904 782416, company number 01904 782417</p>",
            "https://f.co.uk/",
            "en-GB",
            ["+441904782416"],
        ),
        ("<td>Polizia locale</td><td>335 7319428</td>", "https://f.it/", "it", ["+393357319428"]),
        ("<p>K: 607 319 428</p>", "https://f.pl/", "pl", ["+48607319428"]),
        ("<p>Principal (M) : 94473 19428</p>", "https://f.in/", "en-IN", ["+919447319428"]),
        ("<p>Farm stand 607-432-1187</p>", "https://farm.com/", "en-US", ["+16074321187"]),
        ("<p>+91-261-2347 815 / 816</p>", "https://t.in/", "en", ["+912612347815", "+912612347816"]),
        ("<p>Agente: Marta, 611 47 20 95</p>", "https://piso.es/", "es", ["+34611472095"]),
        ("<a href='tel:7226142;phone-context=+1-843'>x</a>", "https://a.com/", "en", ["+18437226142"]),
        (
            '<x-card :person=\'{"tlf": "55 31 74 28", "telefax": "55 31 74 29"}\'></x-card>',
            "https://b.no/",
            "nb",
            ["+4755317428"],
        ),
        (
            '<script>self.__next_f.push([1,"{\\"href\\":\\"tel:+34954271836\\"}"])</script>',
            "https://o.es/",
            "es",
            ["+34954271836"],
        ),
        (
            "<h3>Marbella, Spain</h3><p>Tel. 952 81 34 70</p><h3>London, UK</h3><p>Tel. 020 7584 6129</p>",
            "https://homes.com/",
            "en",
            ["+34952813470", "+442075846129"],
        ),
        ("<p>212-736-5000</p>", "https://firm.com/", "en-US", ["+12127365000"]),
        ("<p>Tél. 01 42 68 53 00</p>", "https://firme.fr/", "fr", ["+33142685300"]),
        ("<p>0043 1 5134 567</p>", "https://firma.at/", "de", ["+4315134567"]),
        (
            '<script type=\'application/ld+json\'>{"telephone": "+1-212-736-5000"}</script>',
            "https://firm.com/",
            "en",
            ["+12127365000"],
        ),
        ("<span itemprop='telephone'>030 1234567</span>", "https://firma.de/", "de", ["+49301234567"]),
        ("<p>Orders 030 1234567</p>", "https://firma.de/", "de", ["+49301234567"]),
        (
            "<p>Taxi 030 1234567</p><p>Steueramt 030 1234568</p>",
            "https://firma.de/",
            "de",
            ["+49301234567", "+49301234568"],
        ),
        ("<pre>office  030 1234567\nopen    0930-1700</pre>", "https://firma.de/", "de", ["+49301234567"]),
        ("<p>Kari Olsen</p><p>977 43 218</p>", "https://firma.no/", "no", ["+4797743218"]),
        ("<p>Out of hours 1850 200 417</p>", "https://firm.ie/", "en-IE", ["+3531850200417"]),
        ("<p>Ff\u00f4n: 029 2034 1177</p>", "https://firm.wales/", "cy", ["+442920341177"]),
        ("<p>Office 01392 274016, Exeter EX1 2AB</p>", "https://firm.com/", "en", ["+441392274016"]),
        (
            "<a href='https://wa.me/5493415882214'>341 588-2214</a>",
            "https://firma.com.ar/",
            "es",
            ["+5493415882214"],
        ),
        (
            "<a href='data:text/vcard,TEL;TYPE=FAX:+49301234568%0ATEL:+49301234567'>x</a>",
            "https://firma.de/",
            "de",
            ["+49301234567"],
        ),
        ("<p>Call 1-800-GO-DRAIN</p>", "https://firm.com/", "en-US", ["+18004637246"]),
        (
            "<p>Call 1300 FRAMES or (02) 4961 8273</p>",
            "https://firm.com.au/",
            "en",
            ["+611300372637", "+61249618273"],
        ),
        ("<p>Ring 0800 4 KAYAKS</p>", "https://firm.co.nz/", "en", ["+64800452925"]),
        ("<a href='tel:+12125550186'>1-212-FLOWERS</a>", "https://firm.com/", "en-US", ["+12125550186"]),
        ("<p>Phone: 022 2284 6173 / 74</p>", "https://firm.in/", "en", ["+912222846173", "+912222846174"]),
        ("<p>Tel 040 3847192 / 24 h</p>", "https://firma.de/", "de", ["+49403847192"]),
        ("<p>Fon 089.54 88 21-0 · Fax -29</p>", "https://firma.de/", "de", ["+49895488210"]),
        ("<p>Office: 6284 7193</p>", "https://firm.sg/", "en", ["+6562847193"]),
        ("<p>상담 1588-3847</p>", "https://firm.co.kr/", "ko", ["+8215883847"]),
        (
            "<table><tr><th>Teléfono</th></tr><tr><td>092 - 609 384 719</td></tr></table>",
            "https://firma.es/",
            "es",
            ["+34609384719"],
        ),
        ("<p>Booking: 07400 384719 (UK)</p>", "https://firm.com/", "en", ["+447400384719"]),
        ("<p>Tél. 022 384 71 92, CH-1205 Genève</p>", "https://firme.org/", "fr", ["+41223847192"]),
        (
            "<p>55 (11) 3384-7192 / 55 (11) 99938-4719</p>",
            "https://firma.com.br/",
            "pt",
            ["+551133847192", "+5511999384719"],
        ),
        ("<p>李女士 13918384719</p>", "https://firm.cn/", "zh", ["+8613918384719"]),
        ("<p>Claims: 0345 038 4719</p>", "https://firm.co.uk/", "en", ["+443450384719"]),
        ("<p>Lada 01 800 384 7192</p>", "https://firma.mx/", "es", ["+528003847192"]),
        ("<p>(0-22) 825 38 47</p>", "https://firma.pl/", "pl", ["+48228253847"]),
        # what is no number to call
        ("<dt>ファクシミリ</dt><dd>052-384-7193</dd>", "https://firm.co.jp/", "ja", []),
        ("<td>BTW/TVA</td><td>BE 0478.392.615</td>", "https://firme.be/", "nl", []),
        ("<td>RPR</td><td>Brussel 0478.392.615</td>", "https://firme.be/", "nl", []),
        ("<p>Laskutus: verkkolaskuosoite 003723847196</p>", "https://firma.fi/", "fi", []),
        ("<p>Suite 800 CHICAGO, since 1800 LONDON</p>", "https://firm.com/", "en-US", []),
        ("<p>Facsimile: 404.555.0162</p>", "https://firm.com/", "en-US", []),
        ("<p>BCE 0468.221.190</p>", "https://firme.be/", "fr", []),
        ("<p>Besucher heute: nein</p><p>12 500 000</p>", "https://firma.no/", "no", []),
        (
            "<p>USt-IdNr.: DE123456789, IBAN DE89 3704 0044 0532 0130 00, HRB 123456</p>",
            "https://firma.de/",
            "de",
            [],
        ),
        (
            "<p>Seit 01.02.2024, 12.30 - 18.00 Uhr, Artikel 4711-0815-1234567</p>",
            "https://firma.de/",
            "de",
            [],
        ),
        ("<p>Astreinte (24h/24) 06 81 44 20 93</p>", "https://a.fr/", "fr", ["+33681442093"]),
        ("<p>Dépannage 7j/7 06 81 44 20 93</p>", "https://a.fr/", "fr", ["+33681442093"]),
        ("<p>Infolinia pn.-pt. 8–16: 61 852 14 70</p>", "https://a.pl/", "pl", ["+48618521470"]),
        ("<p>Godziny 8–16: 61 852 14 70</p><p>Faktura 8-16: 618521470</p>", "https://a.pl/", "pl", []),
        ("<p>24x7 Ambulance: 9443128808</p>", "https://a.in/", "en", ["+919443128808"]),
        ("<p>Central de agendamento 4003-1187</p>", "https://a.com.br/", "pt", ["+5540031187"]),
        ("<p>Rek. BCA 037-4512847</p><p>Rekening 0374512847</p>", "https://a.co.id/", "id", []),
        (
            "<dl><dt>ＴＥＬ</dt><dd>０２６７－２２－１８３４</dd><dt>ＦＡＸ</dt><dd>０２６７－２２－１８３５</dd></dl>",
            "https://a.jp/",
            "ja",
            ["+81267221834"],
        ),
        ("<p>1.234.567,89 € und 100000 km</p>", "https://firma.de/", "de", []),
        ("<p>ISBN 978-3-16-148410-0</p>", "https://firma.de/", "de", []),
        ("<p>Fax: +49 30 1234568</p>", "https://firma.de/", "de", []),
        ("<a href='tel:'>x</a><a href='tel:123'>y</a>", "https://firma.de/", "de", []),
    ],
)
def test_numbers_are_found_in_the_form_that_every_phone_dials(
    body: str, url: str, lang: str, phones: list[str]
) -> None:
    assert list(extract_contacts(page(body, url, lang)).phones) == phones


@pytest.mark.parametrize(
    ("url", "profile"),
    [
        ("https://www.facebook.com/firma/", "https://www.facebook.com/firma"),
        ("https://www.facebook.com/firma/live/", "https://www.facebook.com/firma"),
        ("https://de-de.facebook.com/firma?ref=x", "https://www.facebook.com/firma"),
        ("https://www.facebook.com/profile.php?id=100", "https://www.facebook.com/profile.php?id=100"),
        ("https://twitter.com/firma", "https://x.com/firma"),
        ("https://x.com/firma?lang=de", "https://x.com/firma"),
        ("https://twitter.com/@firma", "https://x.com/firma"),
        ("https://t.me/s/firma", "https://t.me/firma"),
        ("https://de.linkedin.com/in/ann-bee/", "https://www.linkedin.com/in/ann-bee"),
        ("https://www.linkedin.com/company/firma/about", "https://www.linkedin.com/company/firma"),
        ("https://instagram.com/firma", "https://www.instagram.com/firma"),
        ("https://youtube.com/@firma/videos", "https://www.youtube.com/@firma"),
        ("https://www.youtube.com/channel/UCabc", "https://www.youtube.com/channel/UCabc"),
        ("https://www.tiktok.com/@firma", "https://www.tiktok.com/@firma"),
        ("https://github.com/firma", "https://github.com/firma"),
        ("https://api.whatsapp.com/send?phone=491701234567", "https://wa.me/491701234567"),
        ("https://wa.me/+491701234567", "https://wa.me/491701234567"),
        ("https://twitter.com/intent/follow?screen_name=firma", "https://x.com/firma"),
        ("https://www.instagram.com/_u/firma/", "https://www.instagram.com/firma"),
        ("https://www.facebook.com/sharer.php?u=x", ""),
        ("https://www.facebook.com/sharer/sharer.php?u=x", ""),
        ("https://www.facebook.com/dialog/share?x", ""),
        ("https://www.facebook.com/tr?id=1", ""),
        ("https://twitter.com/intent/tweet?text=x", ""),
        ("https://twitter.com/share", ""),
        ("https://x.com/firma/status/123", ""),
        ("https://www.linkedin.com/shareArticle?url=x", ""),
        ("https://www.linkedin.com/sharing/share-offsite/?url=x", ""),
        ("https://www.youtube.com/watch?v=1", ""),
        ("https://www.youtube.com/embed/1", ""),
        ("https://www.instagram.com/p/abc/", ""),
        ("https://pinterest.com/pin/create/button/?url=x", ""),
        ("https://t.me/share/url?url=x", ""),
        ("https://github.com/firma/project", ""),
        ("https://github.com/features", ""),
        ("https://facebook.com/", ""),
        ("https://notfacebook.com/firma", ""),
        ("https://firma.de/facebook.com/firma", ""),
    ],
)
def test_profiles_are_told_from_buttons_and_posts(url: str, profile: str) -> None:
    assert read_profile(url) == profile


@pytest.mark.parametrize(
    "link",
    [
        "<a href='https://social.firma.de/@ann'>Mastodon</a>",
        "<a href='https://social.firma.de/@ann'><i class='fa-brands fa-mastodon'></i></a>",
        "<li class='link-mastodon'><a href='https://social.firma.de/@ann'></a></li>",
    ],
)
def test_a_profile_on_any_server_counts_where_the_page_says_what_it_is(link: str) -> None:
    assert extract_contacts(page(link)).social == ("https://social.firma.de/@ann",)
    assert extract_contacts(page("<a href='https://social.firma.de/@ann'>Ann</a>")).social == ()


def test_links_to_profiles_are_read_however_they_are_written() -> None:
    links = "<a href='instagram.com/firma'>i</a><a href='https://twitter.com/#!/firma'>x</a>"
    assert extract_contacts(page(links)).social == ("https://www.instagram.com/firma", "https://x.com/firma")


def test_profiles_in_frames_of_networks_and_behind_scripts_are_read() -> None:
    body = (
        "<iframe src='https://www.facebook.com/plugins/page.php?tabs=x&amp;href=https%3A%2F%2Fwww.facebook.com%2Fann'></iframe>"
        "<div class='fb-page' data-href='https://www.facebook.com/bob'></div>"
        "<a onclick=\"window.open('https://www.instagram.com/cat')\">i</a>"
        "<a onclick=\"open('https://www.facebook.com/sharer.php?u=https://www.facebook.com/dan')\">share</a>"
    )
    networks = (
        "https://www.facebook.com/ann",
        "https://www.facebook.com/bob",
        "https://www.instagram.com/cat",
    )
    assert extract_contacts(page(body)).social == networks


def test_settings_of_a_site_builder_name_its_profiles() -> None:
    script = '<script>Static.CONTEXT = {"socialAccounts":[{"profileUrl":"https://www.instagram.com/firma"}]};</script>'
    assert extract_contacts(page(script)).social == ("https://www.instagram.com/firma",)


def test_data_names_profiles_by_their_network() -> None:
    script = '<script>var x = {"telegram": "https://t.me/firma", "vk": "https://vk.com/firma", "vimeo": "https://vimeo.com/76"};</script>'
    assert extract_contacts(page(script)).social == ("https://t.me/firma", "https://vk.com/firma")


def test_broken_json_gives_all_of_its_profiles() -> None:
    stated = (
        '{"sameAs": ["https://x.com/firma", "https://github.com/firma",], // two\n "email": "a@firma.de" }'
    )
    found = extract_contacts(page(f'<script type="application/ld+json">{stated}</script>'))
    assert found.social == ("https://x.com/firma", "https://github.com/firma")
    assert found.emails == ("a@firma.de",)


def test_what_a_page_states_for_machines_is_read() -> None:
    stated = (
        '<script type="application/ld+json">{"@graph": [{"@type": "Organization", "email": "mailto:ld@firma.de", '
        '"telephone": "030 1234567", '
        '"address": {"addressCountry": "DE"}, "sameAs": ["https://www.linkedin.com/company/firma", "https://firma.de"], '
        '"contactPoint": [{"email": "sales@firma.de"}]}]}</script>'
    )
    found = extract_contacts(page(stated, "https://firma.com/", "en"))
    assert found.emails == ("ld@firma.de", "sales@firma.de")
    assert found.phones == ("+49301234567",)
    assert found.social == ("https://www.linkedin.com/company/firma",)


@pytest.mark.parametrize(
    "body",
    [
        "\x00\ud800<a href='mailto:ann@firma.de'>x</a>",
        "<div>" * 5_000 + "ann@firma.de",
        "<a href='https://x.de/'>x</a>" * 50_000 + "<a href='mailto:ann@firma.de'>x</a>",
        "<script type='application/ld+json'>" + "[" * 5_000 + "</script><p>ann@firma.de</p>",
        "<p>" + "a" * 200_000 + "@" * 50_000 + "</p><p>ann@firma.de</p>",
        "<p>" + "a.a" * 100_000 + "</p>",
        "<p>" + " at a dot" * 20_000 + "</p>",
        "<title>" + "t" * 10_000_000 + "</title>",
        f"<a href='mailto:&amp;#{'9' * 9_000}'>x</a><p>ann@firma.de</p>",
        "<script>'@" + "a" * 290 + "'" + f".replace('a', '{'a' * 290}')" * 4 + "</script>",
        f"<script>a = '@&#{'9' * 3_000}' + '{'9' * 3_000}'; String.fromCharCode({'9' * 7_000})</script>",
        "<script>" + "a+'" * 150_000 + "</script><p>ann@firma.de</p>",
        "<script>" + "a = a + 'x@y' + " * 30_000 + "</script>",
        "<script>" + "x" * 400_000 + " 'y".replace("y", " " * 90_000) + "</script>",
        "<script>" + "atob('" * 80_000 + "</script>",
        "<p>" + "<i>1</i><b>a</b>" * 30_000 + "</p><p>ann@firma.de</p>",
        "<p>" + "0043 1 " * 20_000 + "</p>",
        "<script>" + "mail" * 100_000 + "</script>",
        "<script>" + "mail('a'," * 50_000 + "</script>",
        "<a " + " ".join(f"x{number}='[:\"mail'" for number in range(2_000)) + ">x</a>",
        "<a href='data:text/vcard," + "EMAIL;" * 100_000 + "'>x</a>",
        "<pre>" + "\n" * 500_000 + "</pre>",
        "<p>" + "ann@firma.de/" * 20_000 + "</p>",
        "<p>" + "+1 2 3 4 5 6 7 8 " * 10_000 + "</p>",
    ],
    ids=[
        "surrogates",
        "deep",
        "many links",
        "deep JSON",
        "many marks",
        "long word",
        "many ats",
        "long title",
        "long reference",
        "replacements that grow",
        "long reference in parts",
        "many quotes",
        "many sums",
        "long word and blanks in a script",
        "many calls",
        "many elements",
        "many numbers",
        "long name of a function",
        "many calls of functions",
        "many attributes of data",
        "long card",
        "many lines",
        "many addresses with slashes",
        "many numbers with a plus",
    ],
)
def test_a_hostile_page_costs_little_and_breaks_nothing(body: str) -> None:
    found = extract_contacts(Page("https://firma.de/", f"<html><body>{body}</body></html>"))
    assert set(found.emails) <= {"ann@firma.de"}
    assert len(Page("https://firma.de/", f"<html><head>{body}</head></html>").title) <= 300


@pytest.mark.parametrize(
    ("source", "is_wall"),
    [
        ("<title>Just a moment...</title><body>Checking</body>", True),
        ("<title>Access Denied</title><body>You don't have permission</body>", True),
        ("<title>Robot Check</title>", True),
        ("<p>Please verify you are a human</p>", True),
        ("<title>Contact</title><p>Protected by a captcha from Firma</p>", False),
        ("<title>Security at Firma</title><p>How we handle access</p>", False),
    ],
)
def test_a_wall_is_told_from_a_page(source: str, is_wall: bool) -> None:
    assert bool(detect_wall(source, source, {})) is is_wall
    assert not detect_wall(source, "x" * 5_000, {})


LABELLED = tomllib.loads(Path(__file__).with_name("walls.toml").read_text(encoding="utf-8"))
WALLS, NO_WALLS = LABELLED["walls"], LABELLED["pages"]


@pytest.mark.parametrize("name", WALLS)
def test_a_wall_is_known_whoever_built_it(name: str) -> None:
    assert detect_wall(WALLS[name], Page("https://firma.de/", WALLS[name]).text, {})


@pytest.mark.parametrize("name", NO_WALLS)
def test_a_page_that_speaks_of_walls_or_has_one_in_its_form_is_a_page(name: str) -> None:
    assert not detect_wall(NO_WALLS[name], Page("https://firma.de/", NO_WALLS[name]).text, {})


def test_what_is_behind_too_many_tags_is_not_parsed() -> None:
    first = "<p>ann@firma.de</p>"
    many = page(first + "<i></i>" * MOST_TAGS)
    assert sum(1 for _ in many.tree.iter()) <= MOST_TAGS
    assert extract_contacts(many).emails == ("ann@firma.de",)


@pytest.mark.parametrize(
    "body",
    [
        "<style>display:none" + "/* a" * 50_000 + "</style>",
        "<style>.a{display:none}" + "@media{" * 30_000 + "</style>",
        "<script>" + '"email" : \'' * 50_000 + "</script>",
        "<script>" + "a-" * 400_000 + ":</script>",
        "<p>" + "0049 30 1234567 " * 1_200 + "</p>",
        "<p>" + "a -at- " * 2_800 + "</p>",
        "".join(f"<i aria-label='Tel 030 12345{number}'></i>" for number in range(20_000)),
        "<p>" + "1800 " * 3_900 + "</p>",
        "<p>" + "800-AAAAAAA" * 1_800 + "</p>",
        "<script>" + "a.replace('#','@')" * 25_000 + "</script>",
        "<style>"
        + "".join(f".a{n}::after{{content:'@x'}}" for n in range(8_000))
        + "</style>"
        + "<i class='a1 a2'>x</i>" * 50_000,
        "<script type='application/json'>{" + "a@b.c" * 80_000 + "}</script>",
        "<p>" + "a#at#" * 3_900 + "</p>",
        "<script>a='" + "@" * 4_000 + "';" + "`${a}${a}${a}`" * 20_000 + "</script>",
    ],
    ids=[
        "open remarks",
        "open blocks",
        "names",
        "no names",
        "prefixes",
        "words for @",
        "labels",
        "codes",
        "words",
        "replacements",
        "added texts",
        "signs in data",
        "framed words for @",
        "templates",
    ],
)
def test_text_that_is_made_to_be_slow_is_read_in_seconds(body: str) -> None:
    began = time.process_time()
    extract_contacts(page(body))
    assert time.process_time() - began < 5
