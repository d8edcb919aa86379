"""Templates are files; a user's folder replaces any of them, and mistakes in it are told in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from prompts.errors import PromptError
from prompts.loader import TEMPLATES, Prompts

STEP = "steps/frame_selection.j2"
BUILT_IN = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2"))

Override = Callable[..., Prompts]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "words"


@pytest.fixture
def override(folder: Path) -> Override:
    """Opens the templates with a folder of the given files, each by its name without `.j2`."""

    def opened(**files: str) -> Prompts:
        for name, text in files.items():
            path = folder / f"{name.replace('__', '/')}.j2"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Prompts(folder)

    return opened


def test_a_file_of_the_users_replaces_the_template_of_its_name(override: Override) -> None:
    prompts = override(steps__frame_selection="Pick one of {{ frames|length }}.\n\n")
    assert prompts.render(STEP, {"frames": [1, 2, 3]}) == "Pick one of 3."


def test_the_other_templates_stay_as_they_are(override: Override) -> None:
    other = "steps/side_identification.j2"
    assert override(steps__frame_selection="x").render(other, {}) == Prompts().render(other, {})


def test_a_file_that_changes_during_a_run_does_not_change_the_run(override: Override, folder: Path) -> None:
    prompts = override(steps__frame_selection="before")
    assert prompts.render(STEP, {}) == "before"
    (folder / STEP).write_text("after, and longer")
    assert prompts.render(STEP, {}) == "before"
    assert Prompts(folder).render(STEP, {}) == "after, and longer"


def test_a_question_is_shown_as_it_is_written(override: Override) -> None:
    question = 'left of <the> "bed" & {{ 7 * 7 }} {% raw %}'
    assert override(steps__frame_selection="{{ question }}").render(STEP, {"question": question}) == question


def test_any_file_under_graphs_is_the_whole_prompt_of_a_graph(override: Override) -> None:
    prompts = override(graphs__my_own="{{ task }} and nothing else")
    assert prompts.has("graphs/my_own.j2")
    assert not prompts.has("graphs/another.j2")
    assert prompts.render("graphs/my_own.j2", {"task": "Find it"}) == "Find it and nothing else"


def test_without_a_folder_of_the_users_no_graph_has_a_whole_prompt() -> None:
    assert not [name for name in BUILT_IN if name.startswith("graphs/")]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("steps/frame_selecton.j2", "steps/frame_selection.j2"),
        ("frame_selection.j2", "steps/frame_selection.j2"),
        ("step/anchor_localization.j2", "steps/anchor_localization.j2"),
        ("fused.j2", "calls/fused.j2"),
        ("zzz.j2", "built-in ones: calls/fused.j2"),
    ],
)
def test_a_file_that_replaces_nothing_is_an_error_with_the_nearest_name(folder: Path, name: str, nearest: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text("x")
    with pytest.raises(PromptError) as caught:
        Prompts(folder)
    assert str(path) in str(caught.value)
    assert nearest in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_folder_is_an_error_that_names_it(folder: Path) -> None:
    with pytest.raises(PromptError, match=f"{folder}: no such folder"):
        Prompts(folder)


def test_a_folder_without_templates_is_an_error_that_lists_what_can_be_replaced(folder: Path) -> None:
    folder.mkdir()
    (folder / "frame_selection.txt").write_text("x")
    with pytest.raises(PromptError, match=r"no \.j2 file.*steps/frame_selection\.j2"):
        Prompts(folder)


def test_a_missing_variable_is_an_error_that_names_file_variable_and_those_that_exist(
    override: Override, folder: Path
) -> None:
    prompts = override(steps__frame_selection="{{ frames|length }} images, {{ observer }}")
    with pytest.raises(PromptError) as caught:
        prompts.render(STEP, {"question": "?", "frames": [1]})
    assert str(folder / STEP) in str(caught.value)
    assert "'observer' is undefined" in str(caught.value)
    assert str(caught.value).endswith("frames, question")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("one\ntwo {{ question", "line 2"),
        ("{% if question %}", "endif"),
        ("{{ question|no_such_filter }}", "no_such_filter"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ question + 1 }}", "str"),
        ("{{ question.colour }}", "colour"),
        ("{{ range(10000000)|list }}", "Range too big"),
        ("{{ [1, 2].index(3) }}", "not in list"),
        ("{{ {}.popitem() }}", "empty"),
    ],
)
def test_a_template_that_cannot_be_filled_is_told_in_one_line_with_its_file(
    override: Override, folder: Path, text: str, wrong: str
) -> None:
    prompts = override(steps__frame_selection=text)
    with pytest.raises(PromptError) as caught:
        prompts.render(STEP, {"question": "?"})
    assert str(folder / STEP) in str(caught.value)
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_template_in_another_encoding_is_told_with_its_file(override: Override, folder: Path) -> None:
    prompts = override(steps__frame_selection="x")
    (folder / STEP).write_bytes("schön".encode("latin-1"))
    with pytest.raises(PromptError, match=f"{folder / STEP}.*utf-8"):
        prompts.render(STEP, {})


def test_a_template_that_does_not_exist_is_named() -> None:
    with pytest.raises(PromptError, match=r"steps/count_chairs\.j2"):
        Prompts().render("steps/count_chairs.j2", {})


@pytest.mark.parametrize(
    "text",
    [
        "{{ question.__class__.__mro__ }}",
        "{{ question.format.__globals__ }}",
        "{{ ''.__class__.__base__.__subclasses__() }}",
        "{{ cycler.__init__.__globals__.os.listdir('/') }}",
        "{% include '../loader.py' %}",
        "{% include '/etc/hostname' %}",
    ],
)
def test_a_template_reaches_nothing_but_its_variables(override: Override, text: str) -> None:
    with pytest.raises(PromptError):
        override(steps__frame_selection=text).render(STEP, {"question": "?"})


def test_equal_text_has_an_equal_digest_wherever_it_stands(override: Override) -> None:
    same = override(steps__frame_selection=(TEMPLATES / STEP).read_text(encoding="utf-8"))
    assert same.digest(BUILT_IN) == Prompts().digest(BUILT_IN)


def test_the_digest_changes_with_one_letter_of_one_template(override: Override) -> None:
    other = override(steps__frame_selection=(TEMPLATES / STEP).read_text(encoding="utf-8") + " ")
    assert other.digest([STEP]) != Prompts().digest([STEP])
    assert other.digest(["calls/fused.j2"]) == Prompts().digest(["calls/fused.j2"])


def test_the_digest_knows_which_template_holds_which_text(override: Override) -> None:
    swapped = override(steps__frame_selection="a", steps__side_identification="b")
    names = [STEP, "steps/side_identification.j2"]
    before = swapped.digest(names)
    override(steps__frame_selection="b", steps__side_identification="a")
    assert swapped.digest(names) != before


def test_the_digest_does_not_hang_on_the_order_or_number_of_names() -> None:
    names = ["calls/fused.j2", STEP]
    assert Prompts().digest(names) == Prompts().digest([*reversed(names), STEP])


def test_a_template_that_does_not_exist_leaves_the_digest_as_it_is(override: Override) -> None:
    assert Prompts().digest([STEP, "graphs/s_cot.j2"]) == Prompts().digest([STEP, "graphs/my_own.j2"])
    assert override(graphs__s_cot="").digest([STEP, "graphs/s_cot.j2"]) != Prompts().digest([STEP])


@pytest.mark.parametrize(
    "text", ["{% include 'graphs/aside.j2' %}", "{% include which %}"], ids=["by name", "by a variable"]
)
def test_what_a_template_includes_counts_in_its_digest(override: Override, text: str) -> None:
    before = override(steps__frame_selection=text, graphs__aside="left").digest([STEP])
    assert override(graphs__aside="right").digest([STEP]) != before


def test_templates_that_include_each_other_come_to_an_end(override: Override) -> None:
    text = "{% include 'steps/side_identification.j2' %}"
    back = override(steps__frame_selection=text, steps__side_identification="{% include 'steps/frame_selection.j2' %}")
    assert back.digest([STEP]) != Prompts().digest([STEP])
