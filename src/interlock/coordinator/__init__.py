"""Report → move → work: coordinators judge reports, ask the authority, dispatch and sweep. Any number may be active."""

from .coordinator import Coordinator

__all__ = ["Coordinator"]
