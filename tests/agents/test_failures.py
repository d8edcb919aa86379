import pytest

from agents.failures import one_line, refused, wait_hint, without_keys

LEAKS = [
    "Incorrect API key provided: sk-proj-abcdef123456.",
    "https://host/v1?key=AIzaSyA1234567890abcdefghijklmnopqrstu&alt=json",
    "{'Authorization': 'Bearer eyJhbGciOi.abc.def'}",
    "x-api-key: abcdefgh12345678",
    "api_key='abcdefgh12345678'",
    "https://user:abcdefgh12345678@host/v1",
]


@pytest.mark.parametrize("text", LEAKS)
def test_nothing_that_looks_like_a_key_is_said(text: str) -> None:
    kept = without_keys(text)

    assert "[key]" in kept
    assert not any(secret in kept for secret in ("abcdef", "eyJ", "AIza"))


def test_the_value_of_a_key_variable_is_never_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "plain words as key")

    assert without_keys("you sent plain words as key!") == "you sent [key]!"


PLAIN = ["The model `gpt-5.4` does not exist", "at most 4096 tokens: 5000 given", "token limit = 10", "the key frame"]


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert without_keys(text) == text


def test_a_servers_words_are_one_short_line() -> None:
    line = one_line("\x1b[31mred\nand\tso on " + "x" * 1000)

    assert len(line) == 300
    assert line.isprintable()


def test_a_date_is_a_hint_how_long_to_wait() -> None:
    assert wait_hint({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}) == 0.0
    later = wait_hint({"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT"})
    assert later is not None
    assert later > 1e9
    assert wait_hint({}) is None


def test_an_invalid_key_under_a_400_is_a_matter_of_keys() -> None:
    failure = refused("gemini/x", 400, "API key not valid. Please pass a valid API key.")

    assert (failure.kind, failure.permanent) == ("authentication", True)
