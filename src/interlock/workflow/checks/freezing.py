"""What makes a declaration final once an App uses it: containers and attributes that refuse every later change."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, NoReturn

from ...errors import BadDeclaration

HINT = "Declare it before App(...): an app compiles what its workflows declare once, when it is made."


def refuse_change(owner: str, what: str) -> NoReturn:
    """Raise the refusal of a declaration that comes after an App was made from its workflow."""
    raise BadDeclaration(
        f"{owner} is frozen: an App was made from it, so {what} can no longer be declared or changed",
        hint=HINT,
    )


class Freezable:
    """Attributes can be set until `freeze_attributes`; later only those that are named in `set_later`."""

    set_later: ClassVar[Collection[str]] = ()
    """Attributes that the engine itself fills in after freezing, such as a table that is read from the database."""
    is_frozen = False

    def freeze_attributes(self) -> None:
        """Refuse every later change of an attribute, and of a list, dictionary or set that one holds."""
        for name, value in list(vars(self).items()):
            object.__setattr__(self, name, frozen(value, repr(self), name))
        object.__setattr__(self, "is_frozen", True)

    def __setattr__(self, name: str, value: Any) -> None:
        if self.is_frozen and name not in self.set_later:
            refuse_change(repr(self), name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if self.is_frozen and name not in self.set_later:
            refuse_change(repr(self), name)
        object.__delattr__(self, name)


def _refusing(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    refuse_change(self.owner, self.what)


class FrozenList(list[Any]):
    """A list that refuses to change, and names what it belongs to."""

    def __init__(self, values: Collection[Any], owner: str, what: str) -> None:
        super().__init__(values)
        self.owner, self.what = owner, what

    append = extend = insert = remove = pop = clear = sort = reverse = _refusing
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refusing


class FrozenDict(dict[Any, Any]):
    """A dictionary that refuses to change, and names what it belongs to."""

    def __init__(self, values: dict[Any, Any], owner: str, what: str) -> None:
        super().__init__(values)
        self.owner, self.what = owner, what

    update = setdefault = pop = popitem = clear = _refusing
    __setitem__ = __delitem__ = __ior__ = _refusing


class FrozenSet(set[Any]):
    """A set that refuses to change, and names what it belongs to."""

    def __init__(self, values: Collection[Any], owner: str, what: str) -> None:
        super().__init__(values)
        self.owner, self.what = owner, what

    add = update = remove = discard = pop = clear = _refusing
    difference_update = intersection_update = symmetric_difference_update = _refusing
    __ior__ = __iand__ = __isub__ = __ixor__ = _refusing


def frozen(value: Any, owner: str, what: str) -> Any:
    """The same container, final; any other value as it is."""
    finals: dict[type, Any] = {list: FrozenList, dict: FrozenDict, set: FrozenSet}
    final = finals.get(type(value))
    return value if final is None else final(value, owner, what)
