import pytest

from agents.conventions import ConventionError, convention_for, family_of
from tools.coordinates import from_native

# Expected scales and orders are those of the vendors' pages, gathered in the specification's table.
NATIVE = [
    ("http://127.0.0.1:8000/v1#Qwen/Qwen3-VL-8B-Instruct", 1000.0, "xy"),
    ("hosted_vllm/Qwen/Qwen2-VL-7B-Instruct", 1000.0, "xy"),
    ("gemini/gemini-2.5-flash", 1000.0, "yx"),
    ("gemini/gemini-robotics-er-1.6-preview", 1000.0, "yx"),
    ("http://127.0.0.1:8000/v1#allenai/Molmo-7B-D", 100.0, "xy"),
    ("http://127.0.0.1:8000/v1#allenai/Molmo2-8B", 1000.0, "xy"),
    ("http://127.0.0.1:8000/v1#OpenGVLab/InternVL3-38B", 1000.0, "xy"),
    ("anthropic/claude-sonnet-4-5", None, "xy"),
    ("openai/gpt-5.4", None, "xy"),
    ("http://127.0.0.1:8000/v1#wentao-yuan/robopoint-v1-vicuna-v1.5-13b", 1.0, "xy"),
    ("http://127.0.0.1:8000/v1#google/paligemma2-3b", 1024.0, "yx"),
]


@pytest.mark.parametrize(("model", "scale", "order"), NATIVE)
def test_native_coordinates_are_those_of_the_family(model: str, scale: float | None, order: str) -> None:
    convention = convention_for(model, "native")

    assert (convention.scale, convention.order) == (scale, order)
    assert from_native(scale or 512, 512, convention) == 1.0


@pytest.mark.parametrize("model", [model for model, _, _ in NATIVE])
def test_the_paper_asks_every_model_for_pixels(model: str) -> None:
    assert convention_for(model, "paper").scale is None


@pytest.mark.parametrize(
    "model", ["x#Qwen/Qwen2.5-VL-7B", "x#allenai/MolmoPoint-8B", "x#google/gemma-3-27b", "x#unheard-of"]
)
def test_what_is_not_known_is_not_guessed(model: str) -> None:
    with pytest.raises(ConventionError, match="--coordinates paper"):
        convention_for(model, "native")


def test_a_name_within_a_name_does_not_mislead() -> None:
    assert [getattr(family_of(name), "name", None) for name in ("paligemma-3b", "gemma-3", "molmopoint-8b")] == [
        "PaliGemma",
        "Gemma",
        "MolmoPoint",
    ]
