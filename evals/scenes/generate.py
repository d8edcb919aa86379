"""One seeded house: a plan, its furniture, and where one comes in."""

from __future__ import annotations

import numpy as np

from evals.scenes.furnish import furnish
from evals.scenes.house import House
from evals.scenes.plan import plan_of
from evals.scenes.procthor import house_from
from evals.scenes.procthor_writing import house_json

ROOM_COUNTS = {1: 0.06, 2: 0.09, 3: 0.12, 4: 0.16, 5: 0.17, 6: 0.14, 7: 0.11, 8: 0.08, 9: 0.04, 10: 0.03}
"""How often a house has how many rooms; a bell around five, as in the paper's figure 6."""


def generate_house(seed: int, index: int, rooms: int | None = None) -> House:
    """Generates a house.

    Args:
        seed: The dataset's seed.
        index: Number of the house in it; every house has its own stream of choices.
        rooms: Number of rooms, 1 to 10; drawn from `ROOM_COUNTS` when None.

    Returns:
        The house as it reads back from its own ProcTHOR file, so that both ways are one.

    Raises:
        SceneError: If `rooms` is out of range.
    """
    rng = np.random.default_rng([seed, index])
    count = rooms if rooms is not None else int(rng.choice(list(ROOM_COUNTS), p=list(ROOM_COUNTS.values())))
    plan = plan_of(count, rng)
    bare = House(plan.rooms, plan.walls, plan.doors, plan.windows, tuple(furnish(plan, rng)), (0.0, 0.0))
    return house_from(house_json(bare), f"house {index}")
