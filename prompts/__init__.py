"""In which words: text templates, and the loader that fills them."""

from prompts.errors import PromptError
from prompts.loader import Prompts

__all__ = ["PromptError", "Prompts"]
