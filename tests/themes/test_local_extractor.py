"""The local extractor names the themes, companies and sentiment of articles, and nothing where there is none."""

from __future__ import annotations

import pytest

from interlock.workflows.themes.extraction.canonical import KEY_PATTERN, canonical_key
from interlock.workflows.themes.extraction.local import LocalExtractor
from interlock.workflows.themes.extraction.sentiment import Sentiment, Tone, measure_tone
from interlock.workflows.themes.extraction.signals import add_figures, measure_position
from interlock.workflows.themes.extraction.taxonomy import bundled_taxonomy
from interlock.workflows.themes.extraction.text import plain_text, split_article, split_words
from interlock.workflows.themes.extraction.tickers import bundled_universe, find_tickers

from .labelled_articles import SEEN, measure, read_articles

EXTRACTOR = LocalExtractor()
HARDER = ("long_articles.toml", "mixed_articles.toml", "regulation_articles.toml")


@pytest.mark.parametrize(
    ("file", "themes", "tickers", "sentiment"),
    [
        *((file, 0.92, 0.92, 0.92) for file in SEEN if file not in HARDER),
        ("long_articles.toml", 0.92, 0.96, 0.84),
        ("mixed_articles.toml", 0.92, 0.97, 0.81),
        ("regulation_articles.toml", 0.91, 0.98, 0.76),
        ("unseen_mixed_articles.toml", 0.84, 0.95, 0.70),
        ("unseen_long_articles.toml", 0.85, 0.94, 0.78),
        ("unseen_articles.toml", 0.94, 0.95, 0.85),
        ("held_out_articles.toml", 0.86, 0.93, 0.85),
        ("unseen_varied_articles.toml", 0.92, 0.98, 0.70),
        ("unseen_modern_articles.toml", 0.88, 0.97, 0.72),
        ("unseen_closing_articles.toml", 0.92, 0.88, 0.71),
    ],
)
def test_precision_and_recall_on_labelled_articles_stay_where_they_are(
    file: str, themes: float, tickers: float, sentiment: float
) -> None:
    assert len(read_articles(file)) >= 30
    scores = measure(EXTRACTOR.extract, file)
    least = {"themes": themes, "tickers": tickers, "sentiment": sentiment}
    reached = {name: min(one.precision, one.recall) >= least[name] for name, one in scores.items()}
    assert reached == dict.fromkeys(scores, True), scores


def tickers_of(text: str) -> list[str]:
    return [one.symbol for one in find_tickers(text, bundled_universe())]


@pytest.mark.parametrize(
    ("text", "tickers"),
    [
        ("Traders piled into $NVDA and $tsla.", ["NVDA", "TSLA"]),
        ("Berkshire (NYSE: BRK.B) sold shares.", ["BRK-B", "BRK-B"]),
        ("Apple's CEO met AI executives about the IPO and the ETF.", ["AAPL"]),
        ("The $AI hype and the $CEO of GDP growth", []),
        ("Fires spread in the Amazon rainforest.", []),
        ("The price target was raised by the bank.", []),
        ("Target reported weak sales, and Gap said the same.", ["TGT", "GAP"]),
        ("Analysts at Goldman Sachs and Morgan Stanley economists expect cuts.", []),
        ("Goldman Sachs cut the salaries of its analysts.", ["GS"]),
        ("Ships carry LNG, drivers need GPS, and an SMR is a reactor.", []),
        ("It costs $50 and $ABCDE is unknown.", []),
        ("Nvidia <NVDA.O> and the rest (AMD.O, INTC.O)", ["NVDA", "NVDA", "NVDA", "AMD", "AMD", "INTC"]),
        ("Two movers: (TSLA, -3.2%) and (F +1%).", ["TSLA", "TSLA"]),
        ("Listed twice, LSE:SHEL and XETRA: SAP.", ["SHEL", "SHEL", "SAP", "SAP", "SAP"]),
        ("Ford [F] beat, Rivian (RIVN US) missed.", ["F", "F", "RIVN", "RIVN", "RIVN"]),
        ("United made its case, and Hess said yes.", ["UAL", "HES"]),
        ("(I think) it is a quarter to six", []),
        ("ALL IN CAPITALS: NVDA IS NOT A COMPANY NAME HERE ARM ALL NOW", []),
        ("The United States and the United Nations", []),
        ("Johnson & Johnson and AT&T agreed with McDonald’s.", ["JNJ", "T", "MCD"]),
        ("He posted it on Reddit and via Instagram.", []),
        ("Reddit fell after Facebook copied it.", ["RDDT", "META"]),
        ("SAN DIEGO, Sept. 9 - The board met.", []),
        ("ASM International rose with the rest.", ["ASMIY"]),
        ("Blue Owl fell 6%; Ares, KKR and Apollo lost 3%.", ["OWL", "ARES", "KKR", "KKR", "APO"]),
        ("Barclays and Leerink cut it to sell, said Dan Schulman, ex of PayPal.", []),
        ("Southwest now assigns seats, and the Reddit crowd sneers at Zim.", ["LUV", "ZIM"]),
        ("The ADP report, and the MPC's vote", []),
        ("The debt was arranged by JPMorgan, on Barclays' numbers.", []),
        ("Hyundai Heavy builds ships and Samsung Heavy too.", []),
        ("Short seller Carson Block disclosed a bet.", []),
        ("On Monday Block said that it would hire.", ["XYZ"]),
        ("It missed what analysts polled by FactSet expected.", []),
        ("i hold ccj, nxe and the physical trust", ["CCJ", "NXE"]),
        ("cameco had a meh quarter and kazatomprom guided down", ["CCJ", "NATKY"]),
        ("bought more shop calls and nvda puts, not long now", ["NVDA"]),
        ("coin -7%, mstr -11%, but eth -9% and only 3m", ["COIN", "MSTR"]),
        ("the top in vrt, anet and gev, or in gold, cash, net", ["VRT", "ANET", "GEV"]),
        ("The gap is closing, said a strategist at ING.", []),
        ("Huntington's drug helped, and Huntington raised its dividend.", ["HBAN"]),
        ("Lattice Semi jumps on upbeat guidance", ["LSCC"]),
        ("i hold cash, it is a net of ten and an oracle for meta analysis", []),
        ("long " + "a" * 20_000, []),
        ("Piper Sandler raised Shopify to $180 from $150.", ["SHOP"]),
    ],
)
def test_only_companies_become_tickers(text: str, tickers: list[str]) -> None:
    assert tickers_of(text) == tickers


@pytest.mark.parametrize(
    ("text", "sentiment"),
    [
        ("Profit rose and demand is strong.", "bullish"),
        ("Profit did not rise and demand is not strong.", "bearish"),
        ("Costs fell sharply.", "bullish"),
        ("Losses widened.", "bearish"),
        ("Losses narrowed.", "bullish"),
        ("Unemployment rose.", "bearish"),
        ("Recession fears faded.", "bullish"),
        ("The company met no headwinds.", "bullish"),
        ("Despite strong sales, the shares plunged.", "bearish"),
        ("Results were weak, but the outlook is bright and orders surged.", "bullish"),
        ("The meeting is on Tuesday.", "neutral"),
        ("Wolfspeed emerges from Chapter 11", "bullish"),
        ("Sensex snaps six-day losing run", "bullish"),
        ("Boeing, union reach deal to end St. Louis strike", "bullish"),
        ("FDA rejects Replimune's melanoma drug", "bearish"),
        ("Moody's strips United States of last triple-A rating", "bearish"),
        ("Gold slips from record as dollar firms", "bearish"),
        ("UK GDP contracts for second month running", "bearish"),
        ("Bookings are in line; stock off 12%", "bearish"),
        ("The maker receives $35 million in purchase orders", "bullish"),
        ("Growth slowed.", "bearish"),
        ("Freight rates fell.", "bearish"),
        ("Mortgage rates fell.", "bullish"),
        ("The freight slump is over.", "bullish"),
        ("The rally ended on Friday.", "bearish"),
        ("The insurer slid into the red.", "bearish"),
        ("Ferrari shares suffer record drop on lukewarm targets", "bearish"),
        ("Swiss watch exports plunge on US levy", "bearish"),
        ("Shares leapt 20%, though the outlook is weak and costs rose.", "bullish"),
        ("The stock, up 284% over twelve months, dropped 3.6%.", "bearish"),
        ("The order gives the planemaker a lift after years of crises and strikes.", "bullish"),
        ("Unemployment hits 4.3%", "bearish"),
        ("Traders expect the Fed to cut in June.", "bullish"),
        ("Copper rose after a flood shut two mines.", "bullish"),
        ("Tanker rates jump on fears of a blockade", "bullish"),
        ("Bond funds sold off because growth was strong.", "bearish"),
        ("Shares of the builder sank on record sales", "bearish"),
        ("The index has lost a third of its value this year; on Monday it rose 1%.", "bullish"),
        ("The cost of moving a container across the Pacific keeps rising.", "bearish"),
        ("To the moon 🚀🚀", "bullish"),
        ("Down bad today 📉", "bearish"),
        ("Tilray closed 61% higher.", "bullish"),
        ("The stock fell 11% nonetheless, and sales rose.", "bearish"),
        ("Brussels dropped its antitrust probe of the chipmaker.", "bullish"),
        ("The export ban was lifted.", "bullish"),
        ("Washington slapped a fine on the lender.", "bearish"),
        ("The supplier landed a five-year contract.", "bullish"),
        ("Two plants were idled.", "bearish"),
        ("Mortgage rates are near a one-year low.", "bullish"),
        ("Office distress climbed to 11.7%, a record.", "bearish"),
        ("There are fewer defaults.", "bullish"),
        ("The token traded sideways.", "neutral"),
        ("Glencore was off more than 3% on weak ore.", "bearish"),
        ("London's blue chips were 0.6% down by noon.", "bearish"),
        ("Miners drag the index lower.", "bearish"),
        ("Oil majors push the index higher.", "bullish"),
        ("Bank of England cuts to 3.75%", "bullish"),
        ("Markets see a hike in March.", "bearish"),
        ("The central bank dropped its easing bias.", "bearish"),
        ("Price pressures have faded.", "bullish"),
        ("Inflation has come down faster than the bank thought.", "bullish"),
        ("Bond yields touched 1% in Tokyo.", "bearish"),
    ],
)
def test_sentiment_minds_negation_and_what_rises_or_falls(text: str, sentiment: Sentiment) -> None:
    assert measure_tone(text, split_words(text)).sentiment == sentiment


@pytest.mark.parametrize(
    ("text", "balance"),
    [
        ("I'd buy the two.", 3),
        ("We upgrade to buy.", 3),
        ("Position: 900 shares at 11.40, some Jan 15c.", 3),
        ("Both are buys here.", 3),
        ("We would not chase the juniors.", -3),
        ("Downgrading Cliffs to sell.", -3),
        ("I'm out of all three.", -3),
        ("I own none.", 0),
        ("Do I own any?", 0),
        ('"We bought a plant in Ohio," she said.', 0),
        ("In March I told you to stay away from it.", 0),
        ("Spending is not bearish on its own.", 0),
    ],
)
def test_a_writer_who_buys_or_sells_takes_a_position_and_one_who_is_quoted_takes_none(
    text: str, balance: float
) -> None:
    tone = measure_position(text)
    assert tone.good - tone.bad == balance


@pytest.mark.parametrize(
    ("text", "sentiment"),
    [
        ("It earned $4 a share, below the $5.30 that analysts expected.", "bearish"),
        ("It sees $12.5 billion, above the $11.9 billion that the Street had pencilled in.", "bullish"),
        ("Net sales of $3.12 billion, +8%.", "bullish"),
        ("Home Depot: −4% pre.", "bearish"),
        ("It pays $210 a share, a premium of 46%.", "bullish"),
        ("It takes 10-15% of them.", "neutral"),
        ("Inflation was below the 4% that economists expected.", "neutral"),
        ("Losses were smaller than feared.", "bullish"),
        ("It had a net loss of $3.1 million against a loss of $14.8 million.", "bullish"),
        ("Its loss was $1.2 billion, compared with $900 million a year ago.", "bearish"),
        ("The damage is larger than feared.", "bearish"),
        ("Tariffs hurt less than we thought.", "bullish"),
    ],
)
def test_a_figure_is_good_or_bad_news_beside_what_was_expected_or_by_its_sign(
    text: str, sentiment: Sentiment
) -> None:
    assert add_figures(Tone(), text).sentiment == sentiment


def test_a_sentence_that_lists_companies_of_one_business_is_about_it() -> None:
    content = (
        "$NVDA $AVGO $MRVL hold the line. $RKLB $ASTS $LUNR are hot. $OKLO $SMR $NNE look extended. Cash 40%."
    )
    mentions = EXTRACTOR.extract("Watchlist", content)
    assert {one.key: set(one.tickers) for one in mentions} == {
        "semiconductor": {"NVDA", "AVGO", "MRVL"},
        "space_economy": {"RKLB", "ASTS", "LUNR"},
        "nuclear_energy": {"OKLO", "SMR", "NNE"},
    }


def test_a_title_that_lists_companies_is_about_the_business_that_most_of_them_share() -> None:
    mentions = EXTRACTOR.extract("Elastic, Okta, Zscaler: three in a week", "Okta's shares fell 2%.")
    assert [(one.key, set(one.tickers)) for one in mentions] == [("cybersecurity", {"ESTC", "OKTA", "ZS"})]


@pytest.mark.parametrize(
    ("title", "content", "moods"),
    [
        (
            "Cruise lines rise while oil tumbles",
            "Carnival gained 4% in New York, and crude oil dropped 5%.",
            {"travel_and_leisure": "bullish", "oil_price": "bearish"},
        ),
        (
            "Airlines climb as crude slides",
            "Delta gained 4% on Monday after crude oil dropped 6%.",
            {"airline": "bullish", "oil_price": "bearish"},
        ),
        (
            "Gold hits record, lithium slides",
            "Gold rose to a new high, but lithium prices fell again.",
            {"gold": "bullish", "lithium": "bearish"},
        ),
        (
            "Abbott gets US clearance for its glucose sensor",
            "The medical device maker won the nod a year early. Dexcom, whose shares fell 9%, is its rival.",
            {"medical_device": "bullish"},
        ),
        (
            "Nordea announces share buyback",
            "The bank will repurchase shares until June.",
            {"share_buyback": "bullish"},
        ),
        (
            "Kellogg recalls cereal",
            "The product recall covers boxes that were sold in May.",
            {"product_recall": "bearish"},
        ),
    ],
)
def test_each_theme_has_the_mood_of_its_own_clause_and_its_own_company(
    title: str, content: str, moods: dict[str, str]
) -> None:
    mentions = {one.key: one.sentiment for one in EXTRACTOR.extract(title, content)}
    assert {key: mentions.get(key) for key in moods} == moods


def test_every_theme_of_the_taxonomy_has_a_key_and_every_sector_a_theme() -> None:
    themes = bundled_taxonomy().themes
    assert all(KEY_PATTERN.fullmatch(one.key) and canonical_key(one.label) == one.key for one in themes)
    assert len({one.key for one in themes}) == len(themes)
    universe = bundled_universe()
    assert set(universe.sectors.values()) <= {one.key for one in themes}
    assert set(universe.sectors) <= universe.symbols
    assert {*universe.names.values(), *universe.common.values()} <= universe.symbols


@pytest.mark.parametrize(
    ("title", "theme"),
    [
        ("Synopsys to buy Ansys for $35 billion in cash and stock", "merger_and_acquisition"),
        ("UPDATE 2-Abu Dhabi fund to take Santos private", "merger_and_acquisition"),
        ("Intel to shed 15% of its employees", "layoff"),
        ("Target names insider as CEO", "executive_change"),
        ("Asian shares slide", "stock_market_volatility"),
        ("Wall Street closes higher", "stock_market_rally"),
    ],
)
def test_a_headline_tells_its_theme_though_its_words_are_apart(title: str, theme: str) -> None:
    assert theme in [one.key for one in EXTRACTOR.extract(title, "Shares moved on Monday.")]


def test_what_rules_supervisors_bans_and_fines_are_about_is_regulation_and_what_only_sounds_like_it_is_not() -> (
    None
):
    for article in read_articles("regulation_articles.toml"):
        keys = {one.key for one in EXTRACTOR.extract(article["title"], article["content"])}
        assert ("regulation" in keys) == ("regulation" in article["themes"]), article["title"]


def test_an_article_without_words_of_a_theme_is_about_the_business_that_its_companies_share() -> None:
    mentions = EXTRACTOR.extract(
        "My three favourites", "I hold $TXN and $MCHP since March, and $ADI for a week. None is for sale."
    )
    assert [(one.key, one.tickers) for one in mentions] == [("semiconductor", ("TXN", "MCHP", "ADI"))]


def test_the_reaction_of_a_share_counts_for_a_theme_that_is_named_elsewhere() -> None:
    (mention, *_) = EXTRACTOR.extract(
        "Warner weighs merger offers",
        "The board rejected three takeover bids from rivals. It met on Monday in New York. The stock soared 11%.",
    )
    assert (mention.key, mention.sentiment) == ("merger_and_acquisition", "bullish")


def test_one_company_that_moves_is_no_move_of_the_market() -> None:
    keys = {one.key for one in EXTRACTOR.extract("Rivian shares slide", "The stock fell 5% on Monday.")}
    assert "stock_market_volatility" not in keys


def test_an_article_in_html_is_read_as_text_and_cut() -> None:
    text = plain_text("<p>Oil &amp; gas</p><script>var x = 'uranium';</script><p>Tesla<br>rose</p>")
    assert text == "Oil & gas\nTesla\nrose"
    late = "x" * 10_000 + " uranium miners. Uranium."
    assert EXTRACTOR.extract("", late) == []
    assert [one.text for one in split_article("T", "Mr. Smith of U.S. Steel Inc. spoke. He left.")] == [
        "T",
        "Mr. Smith of U.S. Steel Inc. spoke.",
        "He left.",
    ]


def test_a_theme_that_the_taxonomy_does_not_know_is_named_by_the_phrase_that_the_article_repeats() -> None:
    mentions = EXTRACTOR.extract(
        "Carbon fibre bicycles sell out",
        "Makers of carbon fibre bicycles cannot keep up. Carbon fibre bicycles now cost $9,000.",
    )
    assert [one.key for one in mentions][:1] == ["carbon_fibre_bicycle"]


@pytest.mark.parametrize(
    ("title", "content"),
    [
        ("Choir gives free concert", "The choir sang in the cinema, and the audience stood up to applaud."),
        (
            "Apple wins at the village fair",
            "A red apple took the prize for the best fruit. Children cheered.",
        ),
        (
            "Five novels about gold",
            "These novels are set by a river. The gold in them is a metaphor for love.",
        ),
    ],
)
def test_an_article_without_a_word_of_business_has_no_theme(title: str, content: str) -> None:
    assert EXTRACTOR.extract(title, content) == []


def test_miners_beside_bitcoin_are_no_mining_companies() -> None:
    keys = [
        one.key for one in EXTRACTOR.extract("Bitcoin slides", "Miners sold bitcoin as the price fell 5%.")
    ]
    assert "bitcoin" in keys
    assert "mining" not in keys
    ore = EXTRACTOR.extract("Miners slide", "Miners fell as the price of iron ore dropped 5%.")
    assert [one.key for one in ore][:1] == ["mining"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "\x00\x00",
        "🚀" * 5_000,
        "(" * 10_000,
        "<" * 10_000,
        "<p" * 100_000,
        "<script" * 30_000,
        "A. " * 3_000,
    ],
)
def test_text_that_is_no_article_has_no_theme(text: str) -> None:
    assert EXTRACTOR.extract(text[:200], text) == []


def test_the_name_of_a_company_has_no_tone() -> None:
    mentions = EXTRACTOR.extract("", "Rocket Companies reported. Mortgage volume was $4 billion.")
    assert {one.key: (one.tickers, one.sentiment) for one in mentions}["housing_market"] == (
        ("RKT",),
        "neutral",
    )


def test_a_note_without_a_theme_has_that_of_its_company() -> None:
    [note] = EXTRACTOR.extract("", "$PLTR +6%, $PLTR never sleeps")
    assert (note.key, note.tickers, note.sentiment) == ("artificial_intelligence", ("PLTR",), "bullish")


@pytest.mark.parametrize(
    ("title", "content"),
    [
        (
            "Arsenal win late",
            "Two goals in four minutes. The visitors conceded in stoppage time and their stock fell.",
        ),
        (
            "Stew",
            "Roast the garlic in the oven, simmer for an hour, and gain a rich sauce with a drop of oil.",
        ),
        ("Apple pie day", "Children pressed juice at the harvest festival."),
    ],
)
def test_sports_and_kitchens_have_no_market_theme(title: str, content: str) -> None:
    assert EXTRACTOR.extract(title, content) == []


def themes_of(title: str, content: str = "") -> set[str]:
    return {one.key for one in EXTRACTOR.extract(title, content)}


@pytest.mark.parametrize(
    ("title", "without"),
    [
        ("Old Navy sales rise 5%", "defense_spending"),
        ("Agricultural Bank of China profit rises 2%", "agriculture"),
        ("Royal Bank of Canada profit rises 2%", "interest_rate"),
        ("Asics profit jumps 20%", "semiconductor"),
        ("Powell Industries orders jump 20%", "interest_rate"),
        ("AMD stock surges 24%", "stock_market_rally"),
        ("Gold ETFs draw record $26 billion in third quarter", "earning"),
        ("Caterpillar turbine orders climb 20%", "wind_energy"),
    ],
)
def test_a_word_within_a_name_or_of_another_trade_makes_no_theme(title: str, without: str) -> None:
    assert without not in themes_of(title)


def test_a_strike_on_a_date_is_one_of_workers_and_a_strike_on_a_place_is_none() -> None:
    assert "labor_strike" in themes_of("Starbucks baristas began a strike on Thursday")
    assert "labor_strike" not in themes_of("Oil jumps 3% after strike on Kharg")


def test_a_bank_that_only_speaks_in_a_title_is_no_company_of_the_article() -> None:
    body = "Strategists at Morgan Stanley told clients to sell momentum stocks, which lost 8% in two weeks."
    quoted = EXTRACTOR.extract("Morgan Stanley says sell momentum stocks", body)
    acting = EXTRACTOR.extract("Morgan Stanley says profit rose", "Morgan Stanley cut 2,000 jobs.")
    assert not any("MS" in one.tickers for one in quoted)
    assert any("MS" in one.tickers for one in acting)


@pytest.mark.parametrize(
    ("title", "content", "tickers"),
    [
        ("Jefferies downgrades Chipotle", "We cut our target on traffic.", {"CMG"}),
        ("Evercore on managed care: the worst may be over", "We upgrade Humana to outperform.", {"HUM"}),
        ("Piper lifts Shopify", "Online sales look strong, the broker wrote.", {"SHOP"}),
    ],
)
def test_a_bank_that_rates_a_company_in_a_title_is_no_company_of_the_article(
    title: str, content: str, tickers: set[str]
) -> None:
    mentions = EXTRACTOR.extract(title, content)
    assert {symbol for one in mentions for symbol in one.tickers} == tickers


@pytest.mark.parametrize(
    ("title", "ticker", "sentiment"),
    [
        ("*NIKE SEES FY REV DOWN LOW SINGLE DIGITS", "NKE", "bearish"),
        ("*CISCO RAISES FY REV VIEW TO $60.2B-$61.0B", "CSCO", "bullish"),
        ("TARGET CUTS FY EPS VIEW TO $7, SAW $8", "TGT", "bearish"),
    ],
)
def test_a_flash_in_capitals_names_its_company_and_its_news(title: str, ticker: str, sentiment: str) -> None:
    [first, *_] = EXTRACTOR.extract(title, "")
    assert (first.key, first.tickers, first.sentiment) == ("earning", (ticker,), sentiment)


def test_what_all_press_releases_end_with_is_not_read() -> None:
    news = (
        "Amprius (NYSE: AMPX) received repeat orders for its battery cells, which it will deliver in the first half of next year. "
        * 2
    )
    legal = "Forward-Looking Statements: risks, losses, litigation, recession and adverse outcomes."
    assert EXTRACTOR.extract("Amprius wins orders", f"{news}\n{legal}") == EXTRACTOR.extract(
        "Amprius wins orders", news
    )


def test_each_item_of_a_short_list_is_news_of_its_own() -> None:
    items = "<ul><li>Results from Palantir</li><li>Bank of England rate decision</li><li>Hearing on tariffs</li></ul>"
    assert {"interest_rate", "tariff_and_trade"} <= themes_of("What to watch this week", items)
