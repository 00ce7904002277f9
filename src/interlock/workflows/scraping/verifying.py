"""Checks a contact: is its address written right, does its host take mail, is it a role's or a throw-away one, is its number a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import phonenumbers
from email_validator import EmailNotValidError, validate_email
from phonenumbers import PhoneNumberType

from .contacts.mail_domains import UNKNOWN, MailDomain

ROLES = frozenset(
    [
        "info",
        "contact",
        "kontakt",
        "hello",
        "hallo",
        "hi",
        "office",
        "buero",
        "mail",
        "post",
        "team",
        "admin",
        "administrator",
        "webmaster",
        "hostmaster",
        "sales",
        "vertrieb",
        "verkauf",
        "support",
        "service",
        "help",
        "hilfe",
        "helpdesk",
        "marketing",
        "presse",
        "press",
        "media",
        "jobs",
        "job",
        "karriere",
        "career",
        "careers",
        "bewerbung",
        "hr",
        "recruiting",
        "billing",
        "rechnung",
        "buchhaltung",
        "accounting",
        "invoice",
        "finance",
        "legal",
        "datenschutz",
        "privacy",
        "dpo",
        "security",
        "abuse",
        "noc",
        "feedback",
        "enquiries",
        "inquiries",
        "reservations",
        "booking",
        "bookings",
        "orders",
        "order",
        "bestellung",
        "shop",
        "newsletter",
        "zentrale",
        "sekretariat",
        "empfang",
        "reception",
        "anfrage",
        "contacto",
        "contatto",
        "contato",
        "ventas",
        "commercial",
        "direction",
        "secretariat",
        "redaktion",
        "editor",
        "partner",
        "partners",
        "customerservice",
        "kundenservice",
    ]
)
DISPOSABLE = frozenset(
    [
        "mailinator.com",
        "guerrillamail.com",
        "guerrillamail.info",
        "10minutemail.com",
        "10minutemail.net",
        "tempmail.com",
        "temp-mail.org",
        "throwawaymail.com",
        "yopmail.com",
        "yopmail.fr",
        "trashmail.com",
        "trashmail.de",
        "trash-mail.com",
        "getnada.com",
        "sharklasers.com",
        "dispostable.com",
        "maildrop.cc",
        "mintemail.com",
        "fakeinbox.com",
        "mohmal.com",
        "spamgourmet.com",
        "mytemp.email",
        "emailondeck.com",
        "moakt.com",
        "tempmailo.com",
        "tempr.email",
        "burnermail.io",
        "mailnesia.com",
        "mailcatch.com",
        "spam4.me",
        "grr.la",
        "wegwerfmail.de",
        "wegwerfemail.de",
        "einrot.com",
        "byom.de",
        "discard.email",
        "inboxkitten.com",
        "33mail.com",
        "anonbox.net",
        "jetable.org",
        "temp-mail.io",
        "minuteinbox.com",
        "1secmail.com",
        "emailfake.com",
        "luxusmail.org",
        "dropmail.me",
    ]
)
FREE = frozenset(
    [
        "gmail.com",
        "googlemail.com",
        "yahoo.com",
        "yahoo.de",
        "yahoo.co.uk",
        "yahoo.fr",
        "hotmail.com",
        "hotmail.de",
        "outlook.com",
        "outlook.de",
        "live.com",
        "msn.com",
        "icloud.com",
        "me.com",
        "mac.com",
        "aol.com",
        "gmx.de",
        "gmx.net",
        "gmx.at",
        "gmx.ch",
        "web.de",
        "t-online.de",
        "freenet.de",
        "proton.me",
        "protonmail.com",
        "mail.ru",
        "yandex.ru",
        "qq.com",
        "163.com",
        "orange.fr",
        "wanadoo.fr",
        "free.fr",
        "laposte.net",
        "libero.it",
        "wp.pl",
        "o2.pl",
        "seznam.cz",
        "bluewin.ch",
    ]
)


PHONE_TYPES = {
    getattr(PhoneNumberType, name): name.lower()
    for name in (
        "FIXED_LINE",
        "MOBILE",
        "FIXED_LINE_OR_MOBILE",
        "TOLL_FREE",
        "PREMIUM_RATE",
        "SHARED_COST",
        "VOIP",
        "PERSONAL_NUMBER",
        "PAGER",
        "UAN",
        "VOICEMAIL",
    )
}


def verify_contact(contact: Mapping[str, Any], others: int, domain: MailDomain = UNKNOWN) -> dict[str, Any]:
    """The result of checking a contact. `others` is at how many other domains its address was seen; `domain` is what the DNS says of the
    host of its address. A host about which nobody answered does not make an address invalid."""
    email, phone = contact.get("email"), contact.get("phone")
    result: dict[str, Any] = {}
    if email:
        result["email"] = _email(str(email), others, domain)
    if phone:
        result["phone"] = _phone(str(phone))
    parts = [part["valid"] for part in result.values()]
    result["valid"] = any(part is True for part in parts) if parts else bool(contact.get("social"))
    return result


def _email(email: str, others: int, domain: MailDomain) -> dict[str, Any]:
    user, _, host = email.rpartition("@")
    try:
        validate_email(email, check_deliverability=False, test_environment=False)
        is_well_formed, problem = True, ""
    except EmailNotValidError as error:
        is_well_formed, problem = False, str(error)
    is_disposable = any(one in DISPOSABLE for one in _parents(host))
    checked: dict[str, Any] = {
        "syntax": is_well_formed,
        "domain": domain.as_dict(),
        "role": user.partition("+")[0].replace(".", "").replace("-", "").replace("_", "") in ROLES,
        "disposable": is_disposable,
        "free": host in FREE,
        "other_domains": others,
        "duplicate": others > 0,
        "valid": is_well_formed and domain.status in ("accepts", "unknown") and not is_disposable,
    }
    problem = problem or domain.problem if domain.status != "unknown" else problem
    if problem:
        checked["problem"] = problem[:300]
    return checked


def _parents(host: str) -> list[str]:
    """A host and the domains above it: throw-away services give out subdomains too."""
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(max(1, len(labels) - 1))]


def _phone(phone: str) -> dict[str, Any]:
    try:
        number = phonenumbers.parse(phone)
    except phonenumbers.NumberParseException as error:
        return {"valid": False, "problem": str(error)[:300]}
    return {
        "valid": phonenumbers.is_valid_number(number),
        "possible": phonenumbers.is_possible_number(number),
        "country": phonenumbers.region_code_for_number(number),
        "type": PHONE_TYPES.get(phonenumbers.number_type(number), "unknown"),
    }
