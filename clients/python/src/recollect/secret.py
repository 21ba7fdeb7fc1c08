"""A secret that tools which report errors, with the variables of each function, do not show."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Secret(Generic[T]):
    """Hides a value. Call `reveal` where it is used; a variable would show it again."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret(…)"

    def reveal(self) -> T:
        """Returns the value."""
        return self._value
