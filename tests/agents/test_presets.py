import pytest

from agents.model_adapter import ModelNameError
from agents.presets import PRESETS, how_to_open, preset_spec

# Table 8 of the POVBench paper: identifier, and conditions (A, B, C there).
TABLE_8 = [
    ("allenai/MolmoPoint-8B", 3),
    ("gpt-5.4", 3),
    ("Qwen/Qwen3-VL-8B-Instruct", 3),
    ("Qwen/Qwen3-VL-32B-Instruct", 3),
    ("OpenGVLab/InternVL3-38B", 3),
    ("gemma-4-26b-a4b-it", 3),
    ("gemini-2.5-flash", 3),
    ("gemini-robotics-er-1.6-preview", 3),
    ("wentao-yuan/robopoint-v1-vicuna-v1.5-13b", 1),
    ("meta-llama/Llama-3.2-11B-Vision-Instruct", 1),
]


def test_the_presets_are_the_papers_models() -> None:
    assert [(preset.model, len(preset.conditions)) for preset in PRESETS.values()] == TABLE_8


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_opens_or_says_how(name: str) -> None:
    preset = PRESETS[name]

    if preset.spec is not None:
        assert preset_spec(name).endswith(preset.model)
    else:
        with pytest.raises(ModelNameError) as caught:
            preset_spec(name)
        assert how_to_open(preset) in str(caught.value)
        assert "{" not in str(caught.value).replace('{"image":32}', "")
