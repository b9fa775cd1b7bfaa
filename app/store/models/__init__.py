"""All tables, so that the metadata is whole whoever imports it."""

from app.store.models.base import Base
from app.store.models.ledger import AccountRow, EntryRow, PostingRow
from app.store.models.marks import DaySaltRow, MarkRow
from app.store.models.operators import ChangeRow
from app.store.models.people import SignInRow, UserRow
from app.store.models.rooms import ActionRow, AnswerRow, EventRow, ResultRow, RoomRow, RoundRow
from app.store.models.standings import StandingRow, TallyRow
from app.store.models.tiers import TierRow

__all__ = [
    "AccountRow",
    "ActionRow",
    "AnswerRow",
    "Base",
    "ChangeRow",
    "DaySaltRow",
    "EntryRow",
    "EventRow",
    "MarkRow",
    "PostingRow",
    "ResultRow",
    "RoomRow",
    "RoundRow",
    "SignInRow",
    "StandingRow",
    "TallyRow",
    "TierRow",
    "UserRow",
]
