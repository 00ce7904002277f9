"""The console: pages in the browser, rendered from what the client answers. It reads; acts go through the HTTP API as anybody's do."""
