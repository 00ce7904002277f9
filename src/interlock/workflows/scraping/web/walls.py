"""Tells pages that a firewall shows instead of the site: challenges, captchas, refusals."""

from __future__ import annotations

import re
from collections.abc import Mapping

SHORT_PAGE = 3_000
"""Characters of visible text: a longer page that mentions a captcha is a page."""


def _titled(words: str) -> str:
    return rf"<title[^>]*>[^<]{{0,60}}(?:{words})[^<]{{0,80}}</title>"


_WALLS = (
    (
        "a Cloudflare challenge",
        r"<title>\s*(?:just a moment\.\.\.|attention required! \| cloudflare)|cf-chl-|cf_chl_opt|"
        r"/cdn-cgi/challenge-platform/h/",
    ),
    (
        "a captcha",
        _titled(
            "captcha|are you a robot|robot check|human verification|verify you are human|bot verification|"
            "security check|security verification|checking your browser|ddos-guard|bot protection"
        ),
    ),
    (
        "a captcha",
        r"(?:verify|confirm|prove|checking|check) (?:that |if |whether )?you(?: are|'re|&#39;re|’re)? "
        r"(?:a )?(?:human|not a (?:ro)?bot)|press (?:&amp;|&|and) hold to confirm",
    ),
    (
        "a captcha",
        r"px-captcha|captcha-delivery\.com|geo\.captcha|arkoselabs\.com/fc|/_incapsula_resource\?|"
        r"incapsula incident id|distil_r_captcha|ddos-guard|awswafcookiedomainlist|"
        r"enable javascript and cookies to continue",
    ),
    (
        "a refusal",
        _titled(
            "access denied|request blocked|403 forbidden|forbidden|you have been blocked|access to this page has been denied|"
            "pardon our interruption|not acceptable|site is not available in your region|zugriff verweigert|accès refusé|acceso denegado"
        ),
    ),
    (
        "a refusal",
        r"your (?:ip|request|access)(?: address)? (?:has been|was|is) (?:blocked|banned|denied)|sucuri website firewall|"
        r"the requested url was rejected\. please consult|"
        r"unusual traffic from your|you don't have permission to access .{0,200}reference #",
    ),
)
_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for name, pattern in _WALLS)


def wall_of(source: str, text: str, headers: Mapping[str, str]) -> str:
    """What stands before a page where a firewall answered in its place; empty where none did."""
    if "cf-mitigated" in headers or "x-datadome" in headers:
        return "a challenge"
    if len(text) > SHORT_PAGE:
        return ""
    beginning = source[:200_000]
    return next((name for name, pattern in _PATTERNS if pattern.search(beginning)), "")
