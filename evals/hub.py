"""Gets datasets from the Hugging Face Hub (extra `hub`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from agents.failures import one_line
from agents.registry import unknown_name
from evals.dataset_kind import DatasetError

REPOSITORIES: Mapping[str, tuple[str, str]] = {"povbench": ("owl-owl/POVBench", "POVBench")}
"""By name: the repository on the Hub that its authors publish, and the folder that it goes into."""


def download(name: str, to: Path | None = None, revision: str | None = None) -> Path:
    """Downloads a dataset; what is there already and unchanged is not downloaded again.

    Args:
        name: Its name.
        to: Folder to put it in; None for one of its own name in the current folder.
        revision: Branch, tag or commit; None for the newest.

    Returns:
        The folder.

    Raises:
        agents.registry.UnknownNameError: If no repository is known by that name.
        DatasetError: If the extra is missing, the folder cannot be used, or the Hub does not give the data.
    """
    if name not in REPOSITORIES:
        raise unknown_name("dataset of the Hub", name, REPOSITORIES)
    repository, folder_name = REPOSITORIES[name]
    folder = Path(folder_name) if to is None else to
    if folder.exists() and not folder.is_dir():
        raise DatasetError(f"{folder}: is a file; give --to a folder")
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import (
            GatedRepoError,
            HfHubHTTPError,
            RepositoryNotFoundError,
            RevisionNotFoundError,
        )
    except ImportError:
        raise DatasetError("the Hub needs another package: pip install 'situate[hub]'") from None
    try:
        snapshot_download(repository, repo_type="dataset", revision=revision, local_dir=folder)
    except GatedRepoError:
        raise DatasetError(
            f"{repository}: is gated; accept its terms on huggingface.co and set HF_TOKEN in the environment"
        ) from None
    except RevisionNotFoundError:
        raise DatasetError(f"{repository}: has no revision {revision!r}; leave --revision out for the newest") from None
    except RepositoryNotFoundError:
        raise DatasetError(f"{repository}: the Hub does not know it, or it wants HF_TOKEN in the environment") from None
    except (HfHubHTTPError, OSError, ValueError) as error:
        # httpx's and the Hub's own errors on a broken line are all of these kinds.
        wrong = f"cannot be downloaded ({one_line(str(error))}); the same command goes on where it stopped"
        raise DatasetError(f"{repository}: {wrong}") from None
    return folder
