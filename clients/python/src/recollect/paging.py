"""Lists."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterator, List, Optional, TypeVar

T = TypeVar("T")


class Page(Generic[T]):
    """
    One page of a list. Iterated, it is every item from this page on: further pages are fetched by
    cursor as needed. No item comes twice and none is missed, even if items are added meanwhile.
    """

    def __init__(self, body: Dict[str, Any], fetch_next: Callable[[str], "Page[T]"]) -> None:
        self.data: List[T] = body.get("data", [])
        self.total: Optional[int] = body.get("total")
        """The number of all items; None beside `after`."""
        self.total_amount: Optional[Dict[str, Any]] = body.get("total_amount")
        """What the amounts of all items add up to, in pence; only where `sum` was asked for."""
        self.next_cursor: Optional[str] = body.get("next_cursor")
        """What `after` takes for the next page; None: this is the last."""
        self._fetch_next = fetch_next

    def __iter__(self) -> Iterator[T]:
        page = self
        yield from page.data
        while page.next_cursor is not None:
            page = page._fetch_next(page.next_cursor)
            yield from page.data
