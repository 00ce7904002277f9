"""The contacts of one page: its addresses, numbers and profiles, from everything that the page shows and states."""

from __future__ import annotations

from dataclasses import dataclass

from ..web.page import Page
from .emails import extract_emails, plain_email
from .nobody import is_somebodys
from .phones import extract_phones, guess_region, plain_phone
from .social import extract_profiles
from .structured import read_structured_data

MOST_EMAILS = 200


@dataclass(frozen=True)
class Contacts:
    """What a page gives to reach somebody by."""

    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    social: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.emails or self.phones or self.social)


def extract_contacts(page: Page) -> Contacts:
    """Everything on the page by which somebody can be reached, each once, the most prominent first."""
    stated = read_structured_data(page)
    region = guess_region(page, stated.country)
    named = [one for text in stated.emails if (one := plain_email(text)) and is_somebodys(one, page.url)]
    numbers = [one for text in stated.phones if (one := plain_phone(text, region))]
    faxes = {one for text in stated.faxes if (one := plain_phone(text, region))} - set(numbers)
    phones = dict.fromkeys((*numbers, *extract_phones(page, stated.country)))
    return Contacts(
        tuple(dict.fromkeys((*extract_emails(page), *named)))[:MOST_EMAILS],
        tuple(one for one in phones if one not in faxes),
        tuple(extract_profiles(page, stated.profiles)),
    )
