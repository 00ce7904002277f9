"""What every route has in common: access, limits, bodies, problems, pages, the OpenAPI document."""
