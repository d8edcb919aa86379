import pytest

from agents.picture_tokens import picture_tokens

# Worked examples of the providers' own pages; Qwen3-VL's 256 for 512 x 512 was measured.
EXAMPLES = [
    ("http://h/v1#Qwen/Qwen3-VL-8B-Instruct", 512, 512, 256),
    ("http://h/v1#Qwen/Qwen2.5-VL-7B-Instruct", 504, 504, 324),
    ("gemini/gemini-2.5-flash", 384, 384, 258),
    ("gemini/gemini-2.5-flash", 960, 540, 6 * 258),
    ("anthropic/claude-sonnet-4-5", 1000, 1000, 1334),
    ("openai/gpt-4o", 1024, 1024, 765),
    ("openai/gpt-4o", 2048, 4096, 1105),
    ("openai/gpt-5", 512, 512, 210),
    ("http://h/v1#unheard-of", 512, 512, 256),
]


@pytest.mark.parametrize(("model", "width", "height", "tokens"), EXAMPLES)
def test_pictures_are_counted_by_the_familys_formula(model: str, width: int, height: int, tokens: int) -> None:
    assert picture_tokens(model).count(width, height) == tokens


def test_a_formula_that_is_a_guess_says_so() -> None:
    assert picture_tokens("unheard-of").family.startswith("generic")
