"""Copies of a language model's experts on GPUs: level, and near what is there."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from equipoise import _core, inputs
from equipoise.errors import InputError
from equipoise.networks import plain, shown, whole, without_mask
from equipoise.results import Figures

#: A file, the object that it holds, or an array.
Given = Union[str, "os.PathLike[str]", Mapping[str, Any], Sequence[Any], NDArray[Any]]


class _Placed(Figures):
    """What plans of one set of loads and of the steps of a recording have in common."""

    def __init__(self, handle: _core.Experts | _core.ExpertsSteps) -> None:
        super().__init__(handle.to_json(), handle.text())
        self._handle = handle
        self.reached: bool = self["reached"]
        self.notes: list[str] = self["notes"]

    def __bool__(self) -> bool:
        return self.reached

    @property
    def placement(self) -> NDArray[np.int64]:
        """The expert in each slot in the end: a row for each layer, also for those without
        loads."""
        return self._handle.placement()

    @property
    def layers(self) -> NDArray[np.int64]:
        """The numbers of the layers, which are the rows of `placement`."""
        return self._handle.layers()

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the placement for a server: ``"sglang"``, ``"tensorrt-llm"``, ``"vllm"`` or
        ``"vllm-map"`` (default: the form of the file or plan that was given as placement,
        otherwise sglang)."""
        self._handle.write("placement", plain("path", path), inputs.text("format", format) or "")

    def write_transfers(self, path: str | os.PathLike[str]) -> None:
        """Writes the copies to a CSV file with the columns layer,wave,expert,from,to. In those of
        a plan at each step, the column step comes before them."""
        self._handle.write("transfers", plain("path", path), "")

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the figures of every layer or, of a plan at each step, of every step."""
        self._handle.write("csv", plain("path", path), "")

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes a page: levels and copies, layer by layer and step by step."""
        self._handle.write("page", plain("path", path), "")


class Experts(_Placed):
    """A plan of copies: a mapping with the keys of `equipoise experts --json`. It is true if every
    layer is within the bound of the best possible for certain; `str` is the text that the command
    line prints.

    `placement` is an array of shape (layers, slots) with the expert in each slot, GPU by GPU;
    `layers` the numbers of its rows; `transfers` the copies as tuples (layer, wave, expert, from
    GPU, to GPU), with waves from 0 in each layer.

    >>> import equipoise
    >>> plan = equipoise.experts([[6, 2, 1, 1]], [[0, 1, 2, 3, 1, 2]], gpus=2, slots=3)
    >>> bool(plan), plan["largest"]["before"], plan["largest"]["after"]
    (True, 1.5, 1.0)
    """

    @property
    def transfers(self) -> list[tuple[int, int, int, int, int]]:
        """The copies: layer, wave, expert, GPU that gives, GPU that takes."""
        return [(layer, wave, expert, giver, taker)
                for layer, wave, expert, giver, taker in self._handle.transfers().tolist()]

    def __repr__(self) -> str:
        return (f"<Experts: {len(self['layers'])} layers, {self['transfers']['experts']} experts "
                "copied>")


class ExpertsSteps(_Placed):
    """Plans of copies at each step of a recording: a mapping with the keys of `equipoise experts
    --each-step --json`. It is true if every layer is within the bound at every step for certain.

    `placement` is that of the last step; `transfers` the copies as tuples (step, layer, wave,
    expert, from GPU, to GPU).
    """

    @property
    def transfers(self) -> list[tuple[int, int, int, int, int, int]]:
        """The copies: step, layer, wave, expert, GPU that gives, GPU that takes."""
        return [(step, layer, wave, expert, giver, taker)
                for step, layer, wave, expert, giver, taker in self._handle.transfers().tolist()]

    def __repr__(self) -> str:
        return (f"<ExpertsSteps: {len(self['steps'])} steps, {self['transfers']['experts']} "
                "experts copied>")


def experts(loads: Given, placement: Given | Experts | ExpertsSteps | None = None, *, gpus: int,
            slots: int | None = None, hosts: int = 1, groups: int | None = None,
            bound: float = 1.05, at_most: str | Mapping[str, int] | None = None, at_once: int = 1,
            effort: int | None = None, seed: int = 1, threads: int = 2) -> Experts:
    """Plans how many copies each expert of a language model gets, and on which GPUs, so that the
    largest GPU of each layer is within the bound of the best possible and as few experts are copied
    as the search finds.

    Parameters
    ----------
    loads
        The measured loads of experts: a file of SGLang's recorder or of vLLM, or a CSV file with
        the columns layer,expert,load and perhaps step; the object that a JSON file holds; or an
        array of shape (layers, experts) or (steps, layers, experts). Steps are added up (see
        `experts_each_step`). A layer whose loads are all 0 is not planned.
    placement
        The expert in each slot now: a file of SGLang, TensorRT-LLM or vLLM; the object that a JSON
        file holds; an array of shape (layers, slots), or (slots,) for all layers; a plan, for what
        is there once it is carried out; or ``"trivial"``, slot p holding expert p modulo their
        number. Default: nothing is there yet.
    gpus, slots
        How many GPUs there are, and how many slots each of them has in a layer (default: as many as
        `placement` has). GPU g has the slots g * slots to (g + 1) * slots - 1.
    hosts, groups
        How many hosts the GPUs are on, host by host; how many groups of successive experts there
        are, each of which is whole on one host (default: experts go anywhere).
    bound
        How far above the best possible the largest GPU may be.
    at_most
        ``{"copies": N}`` or ``"copies=N"``: at most N experts are copied in each layer. Where the
        bound needs more, the search makes the layer as level as it can with N.
    at_once
        How many experts a GPU may take, and how many it may give, in a wave.
    effort, seed, threads
        Of the search: steps in each layer (default: some 15 ms for 256 experts), and how many
        threads plan layers. The plan does not depend on threads.

    Notes
    -----
    Raises InputError for wrong input. Ctrl-C ends the planning and raises KeyboardInterrupt.

    Examples
    --------
    >>> loads = [[60, 20, 10, 10], [10, 10, 20, 60]]
    >>> plan = experts(loads, "trivial", gpus=2, slots=3)
    >>> plan.placement.shape, plan["transfers"]["experts"]
    ((2, 6), 2)
    """
    options = _options(gpus, slots, hosts, groups, bound, at_most, at_once, effort, seed, threads)
    return Experts(_core.experts({**options, **_inputs(loads, placement)}))


def experts_each_step(loads: Given, placement: Given | Experts | ExpertsSteps | None = None, *,
                      gpus: int, slots: int | None = None, hosts: int = 1,
                      groups: int | None = None, bound: float = 1.05,
                      at_most: str | Mapping[str, int] | None = None, at_once: int = 1,
                      effort: int | None = None, seed: int = 1, threads: int = 2) -> ExpertsSteps:
    """Plans copies at each step of a recording in turn, from the placement that the step before
    left; layers that are still within the bound copy nothing.

    Parameters
    ----------
    loads
        As for `experts`, with steps: the loads of each step are planned for alone.
    placement
        As for `experts`: what is there before the first step.
    gpus, slots, hosts, groups, bound, at_most, at_once, effort, seed, threads
        As for `experts`, at each step.

    Notes
    -----
    Raises as `experts` does.

    Examples
    --------
    >>> day = [[[60, 20, 10, 10]], [[10, 10, 20, 60]], [[10, 10, 20, 62]]]
    >>> plan = experts_each_step(day, "trivial", gpus=2, slots=3, bound=1.2)
    >>> [step["transfers"]["experts"] for step in plan["steps"]]
    [0, 1, 0]
    """
    options = _options(gpus, slots, hosts, groups, bound, at_most, at_once, effort, seed, threads)
    return ExpertsSteps(_core.experts_each_step({**options, **_inputs(loads, placement)}))


def _options(gpus: int, slots: int | None, hosts: int, groups: int | None, bound: float,
             at_most: str | Mapping[str, int] | None, at_once: int, effort: int | None, seed: int,
             threads: int) -> dict[str, Any]:
    """What is asked for, besides loads and placement."""
    options: dict[str, Any] = {
        "gpus": whole("gpus", gpus, 1),
        "hosts": whole("hosts", hosts, 1),
        "bound": inputs.real("bound", bound),
        "at_once": whole("at_once", at_once, 1),
        "seed": whole("seed", seed, 0),
        "threads": whole("threads", threads, 1, 1024),
    }
    for option, given, least in (("slots", slots, 1), ("groups", groups, 1), ("effort", effort, 0)):
        if given is not None:
            options[option] = whole(option, given, least)
    if isinstance(at_most, Mapping):
        options["at_most"] = ",".join(f"{name}={number}" for name, number in at_most.items())
    elif at_most is not None:
        options["at_most"] = plain("at_most", at_most)
    return options


def _inputs(loads: Given, placement: Given | Experts | ExpertsSteps | None) -> dict[str, Any]:
    """Files and words as they are, objects and arrays as JSON, plans as what they leave."""
    texts: dict[str, str] = {}
    options: dict[str, Any] = {"loads": "loads", "texts": texts}
    if isinstance(loads, (str, os.PathLike)):
        options["loads"] = plain("loads", loads)
    elif isinstance(loads, Mapping):
        texts["loads"] = inputs.json_of("loads", loads)
    else:
        texts["loads"] = _json_of_array("loads", loads, (2, 3),
                                        "(layers, experts) or (steps, layers, experts)")
    if placement is None:
        return options
    options["placement"] = "placement"
    if isinstance(placement, (str, os.PathLike)):
        options["placement"] = plain("placement", placement)
    elif isinstance(placement, _Placed):
        options["present"] = placement._handle.after()
    elif isinstance(placement, Mapping):
        texts["placement"] = inputs.json_of("placement", placement)
    else:
        options["present"] = _core.placement_of_rows(
            _json_of_array("placement", placement, (1, 2), "(layers, slots) or (slots,)"))
    return options


def _json_of_array(option: str, given: Any, dimensions: tuple[int, int], shapes: str) -> str:
    """An array of numbers as JSON."""
    without_mask(option, given)
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.ndim not in dimensions or array.dtype.kind not in "iuf":
        raise InputError(f"{option}: expected a file or an array of numbers of shape {shapes}, "
                         f"found {shown(given)}")
    try:
        return json.dumps(array.tolist(), allow_nan=False)
    except ValueError:
        raise InputError(f"{option}: expected finite numbers, found others") from None
