"""From an article to market themes, tickers and sentiment; pure functions without a database or a network."""
