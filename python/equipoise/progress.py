"""How far long calls are, as tqdm shows it."""

from __future__ import annotations

from typing import Any, Callable

Show = Callable[..., None]


class Bar:
    """A tqdm bar, if it is wanted and installed."""

    def __init__(self, wanted: bool) -> None:
        self._bar: Any = None
        self._wanted = wanted
        self.show: Show | None = None
        self.count: Show | None = None

    def __enter__(self) -> Bar:
        if self._wanted:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return self
            self._bar = tqdm(unit=" steps")
            self.show = self._show
            self.count = self._count
        return self

    def _show(self, name: str, steps: int, most: int | None, initial: int, now: int) -> None:
        self._bar.set_description(name, refresh=False)
        self._bar.set_postfix(discrepancy=now, refresh=False)
        self._bar.total = most
        self._bar.n = steps
        self._bar.refresh()

    def _count(self, rows: int, of: int) -> None:
        self._bar.unit = " runs"
        self._bar.total = of
        self._bar.n = rows
        self._bar.refresh()

    def __exit__(self, *unused: object) -> None:
        if self._bar is not None:
            self._bar.close()
