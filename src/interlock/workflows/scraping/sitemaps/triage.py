"""Says what a page probably is from its address: contact, legal, careers; and how sure that is."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from ..web.addresses import path_depth

CONFIDENT, DEEPEST = 0.6, 2
"""A page of a wanted type is selected by policy from this confidence on, down to this depth."""
WANTED = frozenset({"contact", "careers-contact", "legal"})


class Triage(NamedTuple):
    """What a page probably is."""

    page_type: str
    confidence: float
    depth: int

    @property
    def is_wanted(self) -> bool:
        return self.page_type in WANTED and self.confidence >= CONFIDENT and self.depth <= DEEPEST

    @property
    def reason(self) -> str:
        return f"{self.page_type} page, confidence {self.confidence:.2f}, depth {self.depth}"


_CONTACT = (
    "contact|contacts|contact-us|contactus|contact-form|get-in-touch|getintouch|reach-us|kontakt|kontakte|kontaktieren|kontaktformular|"
    "contacto|contactos|contactanos|contactenos|contactar|contato|contatos|fale-conosco|faleconosco|contatti|contattaci|contatto|"
    "nous-contacter|contactez-nous|contactez|contacteer|contacteer-ons|contacten|kontakta|kontakta-oss|kontakt-oss|yhteystiedot|"
    "ota-yhteytta|kapcsolat|kontakty|kontaktai|kontakti|iletisim|bize-ulasin|epikoinonia|skontaktuj-sie|lien-he|hubungi-kami|kontakt-os|"
    "kontakt-aufnehmen|neem-contact-op|napisz-do-nas|come-contattarci|dove-siamo-contatti|kontakt-impressum|"
    "toiawase|inquiry|enquiry|enquiries|お問い合わせ|問い合わせ|联系我们|聯絡我們|контакты|контакти|контакт|contatta|contact-info|contact-information"
)
_LEGAL = (
    "impressum|imprint|legal-notice|legalnotice|legal|legals|mentions-legales|mentionslegales|aviso-legal|avisolegal|note-legali|"
    "notelegali|site-notice|anbieterkennzeichnung|colofon|nota-legal|informations-legales|juridisk|oikeudelliset|legal-information|"
    "privacy|privacy-policy|datenschutz|datenschutzerklaerung|politica-de-privacidad|politique-de-confidentialite|terms|terms-of-service|"
    "agb|disclaimer|impresszum|tiraz|terms-and-conditions|terms-of-use|cookie-policy|cgv|cgu|conditions-generales|regulamin|"
    "polityka-prywatnosci|algemene-voorwaarden|voorwaarden|privacyverklaring|privacybeleid|privacy-statement|termini-e-condizioni|"
    "condizioni-generali|informativa-privacy|condiciones-generales|terminos-y-condiciones|politica-de-privacidade|"
    "termos-de-uso|termos-e-condicoes|integritetspolicy|personvern|privatlivspolitik|tietosuoja|nutzungsbedingungen|widerruf|"
    "widerrufsbelehrung|widerrufsrecht|obchodni-podminky|gizlilik-politikasi"
)
_CAREERS = (
    "careers|career|jobs|job|karriere|stellenangebote|stellen|empleo|trabaja-con-nosotros|emplois|recrutement|carriere|carrieres|"
    "lavora-con-noi|vagas|trabalhe-conosco|werken-bij|vacatures|vacancies|work-with-us|join-us|jobb|praca|rekrytointi"
)
_ABOUT = (
    "about|about-us|aboutus|ueber-uns|uber-uns|wir-ueber-uns|a-propos|qui-sommes-nous|sobre|sobre-nosotros|chi-siamo|over-ons|om-oss|"
    "om-os|o-nas|hakkimizda|who-we-are|company|unternehmen|firma"
)
_TEAM = "team|our-team|people|staff|leadership|management|mitarbeiter|ansprechpartner|equipe|equipo|squadra|medarbetare|directory|board"
_POST = (
    "blog|news|article|articles|posts|post|aktuelles|actualites|noticias|presse|press|tag|category|author|"
    "product|products|shop|produkte|p|item"
)
_PAGE_PARAMETERS = frozenset({"page", "p", "pagename", "seite", "site", "view", "id", "action", "content"})
_FILES = re.compile(r"\.(?:html?|php\d?|aspx?|jsp|cgi|do|xhtml|shtml)$")
_FILLING = frozenset(
    [
        "us",
        "our",
        "page",
        "form",
        "formular",
        "uns",
        "oss",
        "info",
        "information",
        "me",
        "support",
        "sales",
        "center",
        "centre",
        "details",
        "and",
        "und",
        "et",
        "y",
        "de",
        "en",
        "nos",
        "notre",
        "ihr",
        "the",
        "to",
        "with",
        "for",
        "local",
        "office",
        "offices",
        "team",
        "general",
        "data",
        "daten",
        "impressum",
        "imprint",
        "legal",
        "notice",
        "privacy",
        "policy",
        "kontakt",
        "contact",
    ]
)
"""Words beside the one that counts which do not make it another page: contact-us-now, but not contact-lenses."""
_WORDS = {
    "contact": frozenset(_CONTACT.split("|")),
    "legal": frozenset(_LEGAL.split("|")),
    "careers": frozenset(_CAREERS.split("|")),
    "about": frozenset(_ABOUT.split("|")),
    "team": frozenset(_TEAM.split("|")),
    "post": frozenset(_POST.split("|")),
}


def judge_page(url: str) -> Triage:
    """What the page at this address probably is."""
    depth = path_depth(url)
    parts = [_plain(part) for part in unquote(urlsplit(url).path).split("/") if part]
    parts = [part for part in parts if part not in ("", "index", "home", "default")] + _asked(url) or parts
    if not parts:
        return Triage("home", 0.9, depth)
    last, before = parts[-1], parts[:-1]
    is_post = any(part in _WORDS["post"] for part in before)
    words = _types(last)
    if "contact" in words:
        if any("careers" in _types(part) for part in before) or "careers" in words:
            return Triage("careers-contact", _sure(last, "contact", is_post), depth)
        return Triage("contact", _sure(last, "contact", is_post), depth)
    if "legal" in words:
        return Triage("legal", _sure(last, "legal", is_post), depth)
    for kind in ("careers", "team", "about", "post"):
        if kind in words:
            return Triage(kind, _sure(last, kind, is_post), depth)
    if any("contact" in _types(part) for part in before):
        return Triage("contact", 0.5, depth)
    return Triage("post" if is_post else "other", 0.3, depth)


def _asked(url: str) -> list[str]:
    """The page that a URL names by a parameter, as small systems do: `/index.php?page=contact`."""
    asked = parse_qsl(urlsplit(url).query)
    return [_plain(value) for name, value in asked if name in _PAGE_PARAMETERS and _types(_plain(value))][:1]


def _plain(part: str) -> str:
    """A segment of a path for comparison."""
    text = _FILES.sub("", part.strip().casefold())
    for letter, plain in (
        ("ä", "ae"),
        ("ö", "oe"),
        ("ü", "ue"),
        ("ß", "ss"),
        ("é", "e"),
        ("è", "e"),
        ("í", "i"),
        ("ó", "o"),
        ("á", "a"),
        ("à", "a"),
        ("ç", "c"),
        ("ş", "s"),
        ("ı", "i"),
        ("ğ", "g"),
    ):
        text = text.replace(letter, plain)
    return re.sub(r"[\s_+.]+", "-", text).strip("-")


def _types(part: str) -> set[str]:
    """The types that a segment, or a word of it, names."""
    exact = {kind for kind, words in _WORDS.items() if part in words}
    if exact:
        return exact
    pieces = part.split("-")
    if len(pieces) > 4:
        return set()  # a headline
    return {
        kind for kind, words in _WORDS.items() if kind != "post" and any(piece in words for piece in pieces)
    }


def _sure(part: str, kind: str, is_post: bool) -> float:
    others = [piece for piece in part.split("-") if piece not in _WORDS[kind]]
    sure = 0.95 if part in _WORDS[kind] else 0.7 if all(piece in _FILLING for piece in others) else 0.5
    return sure - 0.4 if is_post else sure
