"""Commands about records: admit, move, amend, retry, erase, join; what they answer and leave behind."""
