"""Secrets of every shape are taken out of what is kept, and ordinary text stays as it is."""

from __future__ import annotations

import time

import pytest

from interlock.runner.call.redaction import HIDDEN, is_secret, redacted

S = "s3cr3t-Value9"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
KEY = "PRIVATE " + "KEY"
"""In two parts, as what services issue: whoever looks for real ones in this file finds none."""
PEM = f"-----BEGIN RSA {KEY}-----\nMIIEpAIBAAKCAQEA\nq83vEjQ=\n-----END RSA {KEY}-----"
ISSUED = {
    name: first + second
    for name, first, second in (
        ("github", "ghp_", "abcdefghijklmnopqrstuvwxyz0123456789"),
        ("gitlab", "glpat-", "abcDEF123456_7890-xyz"),
        ("slack", "xoxb-", "123456789012-abcdefABCDEF"),
        ("hook", "https://hooks.slack.com/", "services/T0001/B0002/XXXXyyyy"),
        ("stripe", "sk_" + "live_", "4eC39HqLyjWDarjtT1zdp7dc"),
        ("google", "AIza", "SyA-1234567890abcdefghijklmnopqrstu"),
        ("openai", "sk-" + "proj-", "abcdefghijklmnopqrstuvwx"),
        ("sendgrid", "SG.", "abcdefghijklmnop.qrstuvwxyz0123456789"),
        ("pypi", "pypi-", "AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDA"),
        ("pat", "github_" + "pat_", "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz"),
    )
}

SECRETS: dict[str, tuple[str, str]] = {
    "a database's URL": (f"cannot connect to postgresql://me:{S}@db:5432/shop", S),
    "a URL without a user": (f"redis://:{S}@cache:6379/0", S),
    "a URL with a scheme of two parts": (f"mongodb+srv://app:{S}@cluster0.example.net/db", S),
    "a URL whose password holds @ and /": ("postgres://me:p@ss/w0rd@db/x", "w0rd"),
    "a URL with an escaped password": ("https://me:p%40ss@host/path", "p%40ss"),
    "a numeric password in a URL": ("amqp://guest:12345@broker//", "12345"),
    "a URL in JSON": (f'{{"url": "mysql://admin:{S}@db/x", "retries": 3}}', S),
    "a key as the user of a URL": (
        "https://0123456789abcdef0123456789abcdef@errors.example.com/7",
        "0123456789abcdef",
    ),
    "JDBC with parameters": (f"jdbc:postgresql://db/shop?user=me&password={S}&ssl=true", S),
    "JDBC of Oracle": (f"jdbc:oracle:thin:scott/{S}@db:1521:orcl", S),
    "a bearer": ("Authorization: Bearer abcDEF123.456", "abcDEF123"),
    "a bearer in prose": ("got 401 with Bearer abcDEF123456", "abcDEF123456"),
    "basic": ("authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNz"),
    "basic of a proxy": ("Proxy-Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
    "another scheme": (f"Authorization: ApiKey {S}", S),
    "a digest": (f'Authorization: Digest username="me", response="{S}"', "me"),
    "headers as Python prints them": (f"{{'Authorization': 'token {S}', 'Accept': '*/*'}}", S),
    "cookies": (f"Cookie: theme=dark; sid={S}", S),
    "a cookie that is set": (f"Set-Cookie: sid={S}; Path=/; HttpOnly", S),
    "an AWS key": ("InvalidAccessKeyId: AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    "an AWS secret": ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "wJalr"),
    "a signed URL": (f"https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature={S}", S),
    "a shared access signature": (f"https://a.blob.core.windows.net/c/f?sv=2024&sig={S}%3D", S),
    "GitHub": (f"clone with {ISSUED['github']} failed", "ghp_abc"),
    "GitHub, the newer kind": (ISSUED["pat"], "11ABCDEFG0"),
    "GitLab": (ISSUED["gitlab"], "abcDEF"),
    "Slack": (ISSUED["slack"], "abcdefABCDEF"),
    "a webhook": (f"POST {ISSUED['hook']} failed", "XXXXyyyy"),
    "Stripe": (f"No such customer ({ISSUED['stripe']})", "4eC39"),
    "Google": (f"key {ISSUED['google']} is invalid", "AIzaSyA"),
    "OpenAI": (f"Incorrect API key provided: {ISSUED['openai']}", "abcdefghij"),
    "SendGrid": (ISSUED["sendgrid"], "qrstuv"),
    "PyPI": (ISSUED["pypi"], "AgEIcHl"),
    "our own": ("ilk_abcdefgh12345678 is revoked", "abcdefgh1234"),
    "a JWT": (f"token rejected: {JWT}", "eyJzdWIi"),
    "a JWT alone": (f"payload {JWT} expired", "dozjgNry"),
    "a private key": (f"cannot load {PEM} here", "MIIEpA"),
    "a private key that was cut off": (f"-----BEGIN OPENSSH {KEY}-----\nb3BlbnNzaC1rZXk", "b3Blbn"),
    "a PGP key": (
        f"-----BEGIN PGP {KEY} BLOCK-----\nlQHYBF\n-----END PGP {KEY} BLOCK-----",
        "lQHYBF",
    ),
    "a setting": (f"password={S}", S),
    "a setting in quotes": ('PASSWORD="with a space 9"', "space 9"),
    "a variable": (f"PGPASSWORD={S} psql", S),
    "an assignment in Python": (f"connect(user='me', password='{S}')", S),
    "bytes in Python": (f"{{'api_key': b'{S}'}}", S),
    "JSON": (f'{{"user": "me", "client_secret": "{S}"}}', S),
    "JSON with an escaped quote": ('{"password": "a\\"b9tail"}', "b9tail"),
    "JSON within a string": (f'body was "{{\\"access_token\\": \\"{S}\\"}}"', S),
    "YAML": (f"db:\n  password: {S}\n  host: db", S),
    "YAML in quotes": (f"api-key: '{S}'", S),
    "a passphrase": (f"passphrase: {S}", S),
    "a query string": (f"GET /x?token={S}&page=2", S),
    "a query string with another name": (f"/cb?code=1&refresh_token={S}", S),
    "an ODBC string": (f"Driver=x;Server=db;UID=sa;PWD={S};Encrypt=yes", S),
    "an ADO string": (f"Server=db;User Id=sa;Password={S};", S),
    "an Azure string": (f"AccountName=a;AccountKey={S}==;EndpointSuffix=x", S),
    "a libpq string": ("host=db user=me password='two words9'", "words9"),
    "a header of an API": (f"X-Api-Key: {S}", S),
    "a flag": (f"tool --password {S} --verbose", S),
    "a flag with =": (f"tool --api-key={S}", S),
    "curl": (f"curl -u me:{S} https://host", S),
    "sshpass": (f"sshpass -p {S} ssh host", S),
    "netrc": (f"machine host login me password {S}", S),
    "XML": (f"<user>me</user><password>{S}</password>", S),
    "an attribute": (f'<db password="{S}" host="h"/>', S),
    "a card": ("charge of 4111 1111 1111 1111 declined", "1111 1111"),
    "a card without spaces": ("card 5555555555554444 declined", "55555555"),
    "a card of fifteen digits": ("3782 822463 10005", "822463"),
    "an IBAN": ("transfer to DE89 3704 0044 0532 0130 00 failed", "0044"),
    "an IBAN without spaces": ("GB29NWBK60161331926819", "60161331"),
}

ORDINARY = [
    "row 12: the amount 1,234.56 is no number",
    "GET https://host:8443/a/b?mail=me@example.com answered 404",
    "connect to http://db:5432 refused",
    "see http://localhost:80/x and write to ops@example.com",
    "the password must have at least 12 characters",
    "wrong password for user me",
    "unexpected token '<' at line 3, column 7",
    "the request used total_tokens: 1234 of max_tokens=4096",
    "a basic understanding of bearer bonds",
    "the basic authentication scheme is not supported",
    "KeyError: 'amount'",
    "primary key (id)=(7) already exists",
    'duplicate key value violates unique constraint "uploads_pkey"',
    "secretary: Jane Roe",
    "passed: 12, failed: 3",
    "cookies are disabled",
    "ssh://git@example.com/team/repo.git",
    "order 1700000000000000 was shipped",
    "invoice 4111 1111 1111 1112 is not a card",
    "reference DE00 3704 0044 0532 0130 00 is no account",
    "UL_01J9ZQ4K8T7V5N3M2B1C0D9E8F moved to parsed",
    "2026-01-31T10:11:12.123456Z took 1234 5678 ms",
    "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "column token_count=5 key=value",
    "task-force and risk-free, keyboard: qwerty",
    "authorization failed",
    "token: null, password: None",
    "the file is not well-formed XML: unclosed token: line 1, column 80",
    "unexpected token: position 7",
]


@pytest.mark.parametrize("shape", SECRETS)
def test_a_secret_is_taken_out(shape: str) -> None:
    text, secret = SECRETS[shape]
    assert secret in text
    assert secret not in redacted(text)
    assert HIDDEN in redacted(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redacted(text) == text


def test_what_stands_around_a_secret_stays() -> None:
    assert redacted(f"postgresql://me:{S}@db/shop: timeout") == "postgresql://***@db/shop: timeout"
    assert redacted(f"GET /x?token={S}&page=2 answered 500") == "GET /x?token=***&page=2 answered 500"
    assert redacted(f'{{"password": "{S}", "user": "me"}}') == '{"password": ***, "user": "me"}'
    assert redacted(f"tool --password {S} --verbose") == "tool --password *** --verbose"
    assert redacted(f"Server=db;Password={S};Encrypt=yes") == "Server=db;Password=***;Encrypt=yes"


def test_what_was_taken_out_stays_out() -> None:
    for text, _ in SECRETS.values():
        assert redacted(redacted(text)) == redacted(text)


LONG = [
    "a://",
    "password",
    "x:",
    '"',
    "1234 ",
    "A1",
    "eyJ.",
    "token=",
    "<password ",
    "curl ",
    "--a-",
    "a.b-",
    "://a:b",
    "x@",
]


@pytest.mark.parametrize(
    "part", [*LONG, f"-----BEGIN {KEY}-----", "login a password ", "bearer ", 'password="\\']
)
def test_no_text_takes_long(part: str) -> None:
    text = part * (80_000 // len(part))
    began = time.process_time()
    redacted(text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "name", ["password", "DB_PASSWORD", "apiKey", "access-token", "Authorization", "cookie", "client_secret"]
)
def test_a_field_of_such_a_name_is_never_kept(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize("name", ["amount", "user", "keyboard", "total_tokens", "monkey"])
def test_other_fields_are_kept(name: str) -> None:
    assert not is_secret(name)
