"""Articles go through independent pipelines that extract market themes; made of public names only."""
