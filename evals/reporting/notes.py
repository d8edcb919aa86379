"""What must be said beneath a comparison: method, counts, what was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evals.reporting.published import sources
from evals.reporting.statistics import FEW_CLUSTERS, RESAMPLES
from evals.reporting.summary import ALL
from evals.reporting.table import DASH, number
from evals.reporting.text import coordinates_note, counted
from evals.reporting.units import LoadedRun
from evals.scorers import Metric

Rows = Sequence[Mapping[str, Any]]

_EXACT_UP_TO = RESAMPLES.bit_length() - 1

_NOTHING = 1e-9
"""Differences up to this are rounding errors."""

_NAMED = 6
"""Rows that a note names before it only counts them."""


def notes_of(
    rows: Rows,
    runs: Sequence[LoadedRun],
    metric: Metric,
    baseline: str | None,
    by: Sequence[str],
    explore: bool,
    published: bool,
) -> list[str]:
    """The lines beneath a comparison's table; see `evals.reporting.comparison.compare` for the arguments."""
    ours = [row for row in rows if row["source"] == "run" and row["applicable"]]
    notes = list(_what_is_shown(ours, metric))
    if baseline is None:
        if len({(row["run"], row["graph"]) for row in ours}) > 1:
            notes.append("No baseline: nothing is tested; --baseline GRAPH holds the others against it.")
    else:
        notes += _contrasts(ours, runs[0].scorer.worst, baseline, explore)
    notes += _warnings(ours)
    notes += _not_ended(ours, runs)
    notes += _left_out(ours)
    notes += _usage(ours)
    notes += _runs(runs, by)
    if any(not row["applicable"] for row in rows):
        notes.append(f"{DASH}: not known, or the graph does not apply to the condition.")
    if published:
        notes += _published(rows, runs)
    return notes


def _what_is_shown(rows: Rows, metric: Metric) -> Iterator[str]:
    if len({row["model"] for row in rows}) == 1:
        yield f"model: {rows[0]['model']}{' (no VLM)' if rows[0]['no_vlm'] else ''}"
    if any(row["no_vlm"] for row in rows):
        yield "(no VLM): reads hints or guesses; it is no measurement of any vision-language model."
    whole = [row for row in rows if row["group"] == ALL]
    yield (
        f"{metric.label} ({metric.unit}, {metric.better} is better): mean over answered instances, repeats averaged "
        f"first; [ ] 95 % t interval, robust to clustering by scene ({_several(whole, 'scenes', 'scene')}; "
        f"design effect {_range(whole, 'design_effect', '.2f')})."
    )
    yield "instances: those answered, which the mean is over, of those run; in JSON n counts items and repeats."
    if any(row["variance_between_repeats"] is not None for row in whole):
        yield "sd items, sd repeats: standard deviation between instances and between repeats of one, apart."
    if any(row["beyond_paper"] for row in rows):
        yield "*: our extension, the paper did not measure this graph in this condition."


def _contrasts(rows: Rows, worst: float, baseline: str, explore: bool) -> Iterator[str]:
    against = [row for row in rows if row["compared_with"] is not None]
    whole = [row for row in against if row["group"] == ALL]
    models = {(row["run"], row["model"]) for row in rows} - {
        (row["run"], row["model"]) for row in rows if row["compared_with"] is not None or row["is_baseline"]
    }
    for run, model in sorted(models):
        yield f"No {baseline} with {model} to hold {run} against."
    if not whole:
        yield f"Nothing is held against {baseline}: no other graph has its model and condition."
        return
    yield from _unpaired(whole, len({row["run"] for row in rows}))
    paired = [row for row in whole if row["pairs"]]
    if not paired:
        return
    left_out = max(row["unpaired"] for row in paired)
    most = f", up to {counted(left_out, 'instance')} a row left out" if left_out else ""
    yield (
        f"Δ: graph minus {baseline}, paired on the instances that both answered "
        f"({_several(paired, 'pairs', 'pair')} in {_several(paired, 'pair_scenes', 'scene')}; "
        f"design effect {_range(paired, 'difference_design_effect', '.2f')}{most})."
    )
    yield from _tests(paired, against, explore)
    yield (
        f"Δ answered: difference of both means over their own answered instances (as published); "
        f"Δ worst: no answer counts as {number(worst, '.4g')}; Δ resp.: difference of response rates in percentage "
        "points."
    )


def _unpaired(whole: Rows, runs: int) -> Iterator[str]:
    """What cannot be held against the baseline, though it was asked for."""
    name = _namer(whole, runs)
    for run, base in dict.fromkeys((row["run"], row["compared_with"]) for row in whole):
        own = [row for row in whole if (row["run"], row["compared_with"]) == (run, base) and row["n"]]
        apart = [row for row in own if not row["shared"]]
        if apart:
            who = run if runs > 1 and len(apart) == len(own) else _listed([name(row) for row in apart])
            yield f"No instance is shared by {who} and {base}: nothing is compared."
        if never := [name(row) for row in own if row["shared"] and not row["pairs"]]:
            yield f"No instance was answered by both {_listed(never)} and {base}: there is no Δ."


def _tests(paired: Rows, against: Rows, explore: bool) -> Iterator[str]:
    tested = [row for row in paired if row["p"] is not None]
    if not tested:
        yield "p: none; all pairs lie in one scene, and a test needs two."
        return
    named = " and ".join(_TESTS[test] for test in sorted({row["test"] for row in tested}))
    if explore:
        count = max(row["family"] or 0 for row in against)
        yield f"p: {named}; exploratory, false discovery rate (Benjamini-Hochberg) over all {count} contrasts."
        return
    count = _range(tested, "family")
    contrasts = "the one contrast" if count == "1" else f"the {count} contrasts"
    yield f"p: {named}; adjusted by Holm over {contrasts} of each model and condition."
    if any(row["group"] != ALL for row in against):
        yield "Groups are not in the declared family: they have differences and intervals; --explore tests them."


_TESTS = {
    "sign_flip": (
        f"two-sided sign-flip test on the scenes' sums (all sign patterns up to {_EXACT_UP_TO} scenes, "
        f"else {RESAMPLES:,} seeded draws)"
    ),
    "mcnemar": "exact McNemar test (every instance is a scene of its own)",
}


def _warnings(rows: Rows) -> Iterator[str]:
    whole = [row for row in rows if row["group"] == ALL and row["scenes"]]
    name = _namer(whole, len({row["run"] for row in whole}))
    few = [row for row in whole if _fewest_scenes(row) < FEW_CLUSTERS]
    if few:
        where = "" if len(few) == len(whole) else f" in {_listed([name(row) for row in few])}"
        yield (
            f"WARNING: only {counted(min(map(_fewest_scenes, few)), 'scene')}{where}; with fewer than {FEW_CLUSTERS} "
            "clusters neither the intervals nor the tests can be trusted (docs/statistics.md)."
        )
    if turned := [name(row) for row in whole if _turns(row)]:
        yield (
            f"WARNING: Δ and Δ worst have opposite signs in {_listed(turned)}: the graphs differ in what they "
            "answer, and either figure alone misleads."
        )
    tested = [row for row in whole if row["test"] == "sign_flip" and row["p"] is not None]
    hopeless = [row for row in tested if _smallest_p(row["pair_scenes"]) > 0.05]
    if hopeless:
        fewest = min(row["pair_scenes"] for row in hopeless)
        where = "" if len(hopeless) == len(tested) else f" ({_listed([name(row) for row in hopeless])})"
        yield f"With {counted(fewest, 'scene')}{where} no p-value can be smaller than {_smallest_p(fewest):.3g}."


def _turns(row: Mapping[str, Any]) -> bool:
    """Whether a graph is better where both answered, and worse where no answer counts as the worst; or vice versa."""
    ends = (row["difference"] or 0.0, row["difference_worst_case"] or 0.0)
    return min(ends) < -_NOTHING and max(ends) > _NOTHING


def _fewest_scenes(row: Mapping[str, Any]) -> int:
    """Scenes of a row's mean, or of its pairs where these lie in fewer; 0 without an answer."""
    return int(min(row["scenes"], row["pair_scenes"] or row["scenes"]))


def _smallest_p(scenes: int) -> float:
    """What the sign-flip test of so many scenes gives where all have the same sign."""
    return 2.0 ** (1 - scenes)


def _listed(names: Sequence[str]) -> str:
    """The first of some names and how many more there are."""
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{rest}"


def _namer(rows: Rows, runs: int) -> Callable[[Mapping[str, Any]], str]:
    """Names rows by their graph and by whatever else tells them apart; by the run where there are several."""
    keys = [key for key in ("model", "condition") if len({row[key] for row in rows}) > 1]
    return lambda row: " ".join(
        [f"{row['run']}:{row['graph']}" if runs > 1 else row["graph"], *(row[key] for key in keys)]
    )


def _not_ended(rows: Rows, runs: Sequence[LoadedRun]) -> Iterator[str]:
    """Graphs of which less ended than of others with the same model in the same condition."""
    whole = [row for row in rows if row["group"] == ALL]
    for run in runs:
        own = [row for row in whole if row["run"] == run.name]
        most = {
            (row["model"], row["condition"], key): max(
                one[key] for one in own if (one["model"], one["condition"]) == (row["model"], row["condition"])
            )
            for row in own
            for key in _ENDED
        }
        cure = "the log lacks them" if run.description.get("imported") else "evals run with the same --out goes on"
        for graph in dict.fromkeys(row["graph"] for row in own):
            told = _lacking([row for row in own if row["graph"] == graph], most)
            if told:
                yield f"Not ended: {told} of {f'{run.name}:' if len(runs) > 1 else ''}{graph} ({cure})."


def _lacking(rows: Rows, most: Mapping[tuple[str, str, str], int]) -> str:
    """How much of a graph is not there, in words; nothing where all is."""
    for key, what in _ENDED.items():
        lacking = [(most[row["model"], row["condition"], key] - row[key], row) for row in rows]
        if worst := max(count for count, _ in lacking):
            row = next(row for count, row in lacking if count == worst)
            up_to, a_row = ("up to ", " a row") if len(rows) > 1 else ("", "")
            return f"{up_to}{worst} of {most[row['model'], row['condition'], key]} {what}{a_row}"
    return ""


_ENDED = {"instances": "instances", "n": "items and repeats"}
"""What of a row can be fewer than in others of its model and condition."""


def _left_out(rows: Rows) -> Iterator[str]:
    whole = [row for row in rows if row["group"] == ALL]
    total = sum(row["n"] for row in whole)
    if unanswered := sum(row["unanswered"] for row in whole):
        yield f"Left out of means: {unanswered} of {total} items and repeats that the model did not answer."
    if unknown := sum(row["unknown"] for row in whole):
        yield f"Left out of means: {unknown} of {total} items and repeats that were answered, their score not known."
    if failed := sum(row["failed"] for row in whole):
        yield (
            f"Incomplete: {failed} of {total} items and repeats failed for outside reasons; they are no answers of the "
            "model and stand in no column (evals run again, with --out, tries them again)."
        )
    if unscored := sum(row["unscored"] for row in whole):
        yield (
            f"No score recorded: {unscored} of {total} items and repeats; whether the model answered them is not "
            "known, and they stand in no column."
        )
    if differs := max((row["different_content"] or 0 for row in whole), default=0):
        yield f"Left out of pairs: up to {differs} instances a row that have the same id and other content in the runs."


def _usage(rows: Rows) -> Iterator[str]:
    whole = [row for row in rows if row["group"] == ALL]
    if any(row["calls"] for row in whole):
        yield (
            "Tokens and seconds: means an item and repeat; cost: sum in US dollars; a call that graphs share is "
            "counted for each of them."
        )
    missing = [
        f"{count} calls without {what}"
        for key, what in (("calls_without_usage", "token counts"), ("calls_without_cost", "a known price"))
        if (count := sum(row[key] for row in whole))
    ]
    if unrecorded := sum(row["items_without_calls"] for row in whole):
        missing.append(f"{unrecorded} items and repeats without a recorded call")
    if missing:
        yield f"Unknown, and not counted as 0: {', '.join(missing)}."


def _runs(runs: Sequence[LoadedRun], by: Sequence[str]) -> Iterator[str]:
    first = runs[0]
    for run in runs:
        if lacking := [key for key in by if key not in run.keys]:
            yield f"{run.name} has no {' and no '.join(lacking)} to split by, and no rows of it."
    for run in runs[1:]:
        one, other = first.description.get("settings") or {}, run.description.get("settings") or {}
        differs = [name for name in {**one, **other} if one.get(name) != other.get(name)]
        if differs:
            told = "; ".join(f"{name} {one.get(name)} and {other.get(name)}" for name in differs)
            yield f"Settings differ between {first.name} and {run.name}: {told}."
    for run in runs:
        if beyond := _beyond_the_worst(run):
            yield (
                f"WARNING: {beyond} of {run.name} worse than {number(run.scorer.worst, '.4g')}, which Δ worst takes "
                "for the worst, and which is too kind to no answer."
            )
        yield from (f"{run.name}: {line}" for line in coordinates_note(run.description))
        if faults := run.description.get("faults"):
            yield f"Faults in the data of {run.name}: {faults}; what they concern is left out (evals data check)."
        if remark := run.description.get("remarks"):
            yield from (f"{run.name}: {line}" for line in remark)


def _beyond_the_worst(run: LoadedRun) -> str:
    """The scores that are worse than what counts as the worst, counted."""
    sign = 1.0 if run.scorer.lower_is_better else -1.0
    beyond = int((sign * run.rows["value"] > sign * run.scorer.worst + _NOTHING).sum())
    return counted(beyond, "score") if beyond else ""


def _published(rows: Rows, runs: Sequence[LoadedRun]) -> Iterator[str]:
    dataset = runs[0].description["dataset"]
    if any(row["source"] == "published" for row in rows):
        yield (
            f"published: NOT RUN HERE, other data, models and settings; never paired or tested. {sources()[dataset]}"
        )
    else:
        yield f"No published figures for data of the kind {dataset} in these conditions."


def _several(rows: Rows, key: str, what: str) -> str:
    """The values of a key with their noun, whose plural ends in s."""
    told = _range(rows, key)
    return f"{told} {what}{'' if told == '1' else 's'}"


def _range(rows: Rows, key: str, form: str = "d") -> str:
    """The values of a key as one number, or as the smallest and the largest."""
    values = sorted({row[key] for row in rows if row[key] is not None})
    if not values:
        return "unknown"
    low, high = format(values[0], form), format(values[-1], form)
    return low if low == high else f"{low} to {high}"
