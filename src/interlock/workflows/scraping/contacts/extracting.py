"""The contacts of one page: its addresses, numbers and profiles, from everything that the page shows and states."""

from __future__ import annotations

from dataclasses import dataclass

from ..web.page import Page
from .emails import emails_of, is_somebodys, plain_email
from .phones import phones_of, plain_phone, region_of
from .social import social_of
from .structured import stated_on

MOST_EMAILS = 200


@dataclass(frozen=True)
class Contacts:
    """What a page gives to reach somebody by."""

    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    social: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.emails or self.phones or self.social)


def contacts_of(page: Page) -> Contacts:
    """Everything on the page by which somebody can be reached, each once, the most prominent first."""
    stated = stated_on(page)
    region = region_of(page, stated.country)
    named = [one for text in stated.emails if (one := plain_email(text)) and is_somebodys(one, page.url)]
    numbers = [one for text in stated.phones if (one := plain_phone(text, region))]
    faxes = {one for text in stated.faxes if (one := plain_phone(text, region))} - set(numbers)
    phones = dict.fromkeys((*numbers, *phones_of(page, stated.country)))
    return Contacts(
        tuple(dict.fromkeys((*emails_of(page), *named)))[:MOST_EMAILS],
        tuple(one for one in phones if one not in faxes),
        tuple(social_of(page, stated.profiles)),
    )
