"""How hints travel: that there is work, or a report. A hint may be lost, repeated or late; polling is the truth."""

from .contract import Listener, Topic, Transport
from .database import DatabaseTransport

__all__ = ["DatabaseTransport", "Listener", "Topic", "Transport"]
