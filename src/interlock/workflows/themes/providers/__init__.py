"""Who extracts themes: the local extractor, or any OpenAI-compatible endpoint."""
