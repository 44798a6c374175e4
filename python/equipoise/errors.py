"""The errors that wrong input and unsuitable networks raise."""

import builtins


class InputError(ValueError):
    """Wrong input. Its text is one line that says what was expected and what was found."""


class UnsuitableError(InputError):
    """The algorithm cannot run on this network, or not with these options."""


class OverflowError(InputError, builtins.OverflowError):
    """A count left the range of 64 bits."""
