"""AI2-THOR's assets that our houses use, with their real sizes, and everyday sizes for whatever else turns up.

Ids and sizes are facts of AI2-THOR's asset database (Apache-2.0); with them a house looks alike in both renderers.
"""

from __future__ import annotations

import re

Size = tuple[float, float, float]

ASSETS: dict[str, dict[str, Size]] = {
    "ArmChair": {"Armchair_208_1": (0.857, 0.817, 0.891), "Armchair_208_2": (0.857, 0.817, 0.891)},
    "Bed": {"Bed_1": (1.467, 0.910, 2.075), "Bed_19": (1.661, 0.830, 2.239), "Bed_25": (1.470, 0.917, 2.076)},
    "Chair": {"RoboTHOR_chair_jokkmokk_v": (0.446, 0.906, 0.499), "Chair_002_1": (0.469, 0.966, 0.505)},
    "ClothesDryer": {"Clothes_Dryer_2": (0.689, 0.960, 0.707)},
    "CoffeeMachine": {"coffee_machine_23": (0.295, 0.442, 0.471), "coffee_machine_11": (0.382, 0.425, 0.409)},
    "CoffeeTable": {"Coffee_Table_206_2": (1.130, 0.471, 0.652), "Coffee_Table_202_1": (1.014, 0.443, 0.655)},
    "CounterTop": {
        "Countertop_I_4x2": (1.22, 0.94, 0.61),
        "Countertop_I_6x2": (1.83, 0.94, 0.61),
        "Countertop_I_8x2": (2.44, 0.94, 0.61),
        "Countertop_I_10x2": (3.05, 0.94, 0.61),
    },
    "Desk": {"Desk_318_1": (1.501, 0.675, 0.719), "Desk_229_1": (1.14, 0.75, 0.53)},
    "DeskLamp": {"Desk_Lamp_5": (0.254, 0.416, 0.290), "Desk_Lamp_11": (0.275, 0.503, 0.275)},
    "Desktop": {"Desktop_316_1": (0.88, 0.57, 0.25)},
    "DiningTable": {
        "Dining_Table_203_1": (1.473, 0.750, 0.988),
        "RoboTHOR_dining_table_extendable": (1.742, 0.744, 0.926),
    },
    "Doorway": {
        "Doorway_1": (1.08, 2.13, 0.17),
        "Doorway_5": (1.04, 2.10, 0.16),
        "Doorway_Double_5": (1.94, 2.10, 0.16),
    },
    "Dresser": {
        "Dresser_210_2_1": (0.929, 0.848, 0.459),
        "Dresser_205_1": (1.204, 0.697, 0.380),
        "Dresser_210_1_1": (1.189, 1.091, 0.585),
    },
    "Faucet": {"Kitchen_Faucet_1": (0.182, 0.338, 0.204), "Bathroom_Faucet_5": (0.14, 0.262, 0.215)},
    "FloorLamp": {"Floor_Lamp_19": (0.507, 1.766, 0.507), "Floor_Lamp_17": (0.399, 1.796, 0.399)},
    "Fridge": {"Fridge_10": (0.866, 1.878, 0.716), "Fridge_25": (0.790, 1.791, 0.681)},
    "GarbageCan": {"bin_24": (0.381, 0.543, 0.381), "bin_25": (0.387, 0.526, 0.387)},
    "HandTowelHolder": {"Hand_Towel_Holder1": (0.24, 0.44, 0.08)},
    "HousePlant": {
        "Houseplant_29": (0.427, 1.015, 0.405),
        "Houseplant_17": (0.474, 0.826, 0.402),
        "Houseplant_11": (0.527, 0.895, 0.545),
    },
    "Laptop": {"Laptop_10": (0.353, 0.273, 0.267)},
    "Microwave": {"Microwave_5": (0.606, 0.352, 0.368), "Microwave_10": (0.606, 0.352, 0.366)},
    "Painting": {"Wall_Decor_Painting_6": (0.797, 0.601, 0.033), "Wall_Decor_Painting_3": (0.806, 0.613, 0.019)},
    "Safe": {"Safe_18_1": (0.498, 0.505, 0.563)},
    "ShelvingUnit": {"Shelving_Unit_001_1": (0.939, 1.484, 0.466), "Shelving_Unit_325_1": (0.917, 1.412, 0.345)},
    "SideTable": {"RoboTHOR_side_table_hol": (0.513, 0.502, 0.504), "Side_Table_228_2_1": (0.534, 0.630, 0.495)},
    "Sink": {"Sink_12": (0.633, 0.186, 0.459), "Sink_20": (0.72, 0.98, 0.56)},
    "Sofa": {"Sofa_207_1": (1.962, 0.816, 0.911), "Sofa_207_3": (1.962, 0.816, 0.911)},
    "Stool": {"Stool_3_1": (0.357, 0.585, 0.368), "Stool_4_1": (0.46, 0.51, 0.46)},
    "Television": {"Television_22": (1.146, 0.794, 0.232), "Television_4": (1.102, 0.786, 0.250)},
    "Toaster": {"Toaster_1": (0.193, 0.204, 0.341), "Toaster_8": (0.201, 0.206, 0.347)},
    "Toilet": {"Toilet_2": (0.540, 0.946, 0.862)},
    "TowelHolder": {"Bath_Towel_Holder1": (0.66, 0.45, 0.11)},
    "TVStand": {"TV_Stand_220_1": (1.238, 0.450, 0.370), "TV_Stand_211_1": (1.420, 0.594, 0.632)},
    "WashingMachine": {"Washing_Machine_2": (0.689, 0.960, 0.703)},
    "Window": {"Window_Fixed_60x48": (1.53, 1.22, 0.08), "Window_Fixed_36x48": (0.92, 1.22, 0.08)},
}
"""Category to asset ids and sizes (width, height, depth) in metres. Towel holders are measured with their towels."""

DECOR: dict[str, Size] = {
    "Bathtub": (1.6, 0.55, 0.72),
    "CeilingLamp": (0.5, 0.09, 0.5),
    "Cooker": (0.6, 0.94, 0.61),
    "Curtain": (1.9, 1.6, 0.1),
    "FruitBowl": (0.3, 0.13, 0.3),
    "Mirror": (0.6, 0.8, 0.03),
    "Ottoman": (0.5, 0.4, 0.5),
    "Rug": (2.0, 0.012, 1.4),
    "WallCabinet": (1.22, 0.62, 0.34),
    "DoorLeaf": (0.88, 2.0, 0.06),
}
"""Things that make a house look lived in but that AI2-THOR has no asset for; no pair is made of them."""

PAPER_CATEGORIES = (
    "ArmChair", "Bed", "Chair", "ClothesDryer", "CoffeeMachine", "CoffeeTable", "CounterTop", "Desk", "DeskLamp",
    "Desktop", "DiningTable", "Doorway", "Dresser", "Faucet", "FloorLamp", "Fridge", "GarbageCan", "HandTowelHolder",
    "HousePlant", "Microwave", "Safe", "ShelvingUnit", "SideTable", "Sink", "Sofa", "Stool", "Television", "Toaster",
    "Toilet", "TowelHolder", "WashingMachine",
)  # fmt: skip
"""The 31 observer and anchor categories of POVBench, table 5."""

SMALL_THINGS: dict[str, Size] = {
    "AlarmClock": (0.12, 0.1, 0.07),
    "Apple": (0.08, 0.08, 0.08),
    "BaseballBat": (0.85, 0.07, 0.07),
    "BasketBall": (0.24, 0.24, 0.24),
    "Book": (0.2, 0.04, 0.27),
    "Boots": (0.28, 0.3, 0.28),
    "Bottle": (0.08, 0.27, 0.08),
    "Bowl": (0.18, 0.08, 0.18),
    "Box": (0.4, 0.3, 0.4),
    "Bread": (0.3, 0.13, 0.14),
    "Candle": (0.08, 0.15, 0.08),
    "Cart": (0.6, 0.8, 0.4),
    "CellPhone": (0.08, 0.01, 0.16),
    "CreditCard": (0.09, 0.003, 0.06),
    "Cup": (0.09, 0.11, 0.09),
    "DishSponge": (0.11, 0.04, 0.08),
    "DogBed": (0.75, 0.18, 0.65),
    "Dumbbell": (0.3, 0.12, 0.12),
    "Egg": (0.05, 0.06, 0.05),
    "Footstool": (0.45, 0.4, 0.45),
    "Fork": (0.03, 0.01, 0.19),
    "Kettle": (0.2, 0.22, 0.17),
    "KeyChain": (0.08, 0.01, 0.06),
    "Knife": (0.03, 0.01, 0.24),
    "Ladle": (0.09, 0.03, 0.28),
    "LaundryHamper": (0.42, 0.55, 0.42),
    "Lettuce": (0.17, 0.16, 0.17),
    "Mug": (0.1, 0.1, 0.1),
    "Newspaper": (0.3, 0.02, 0.22),
    "Pan": (0.3, 0.07, 0.3),
    "PaperTowelRoll": (0.12, 0.27, 0.12),
    "Pen": (0.012, 0.012, 0.14),
    "Pencil": (0.01, 0.01, 0.17),
    "PepperShaker": (0.05, 0.12, 0.05),
    "Pillow": (0.45, 0.16, 0.45),
    "Plate": (0.25, 0.025, 0.25),
    "Plunger": (0.14, 0.5, 0.14),
    "Pot": (0.24, 0.16, 0.24),
    "Potato": (0.11, 0.07, 0.07),
    "RemoteControl": (0.06, 0.025, 0.2),
    "SaltShaker": (0.05, 0.12, 0.05),
    "SoapBar": (0.09, 0.03, 0.06),
    "SoapBottle": (0.08, 0.2, 0.08),
    "Spatula": (0.08, 0.03, 0.3),
    "Spoon": (0.04, 0.012, 0.18),
    "SprayBottle": (0.09, 0.26, 0.07),
    "Statue": (0.16, 0.35, 0.16),
    "TeddyBear": (0.3, 0.4, 0.25),
    "TissueBox": (0.23, 0.14, 0.12),
    "ToiletPaper": (0.11, 0.1, 0.11),
    "Tomato": (0.08, 0.07, 0.08),
    "VacuumCleaner": (0.3, 0.6, 0.4),
    "Vase": (0.14, 0.3, 0.14),
    "Watch": (0.05, 0.02, 0.09),
    "WateringCan": (0.32, 0.26, 0.18),
    "WineBottle": (0.08, 0.31, 0.08),
}
"""Everyday sizes of what lies about in houses that come from files; no pair is made of it."""

_SIZES = {asset: size for assets in ASSETS.values() for asset, size in assets.items()}
_CATEGORY = {asset: category for category, assets in ASSETS.items() for asset in assets}


def category_of(object_id: str, asset_id: str) -> str:
    """The object type: what our table says of the asset, else the head of the id (`Sofa|2|1` is a Sofa)."""
    if asset_id in _CATEGORY:
        return _CATEGORY[asset_id]
    head = object_id.split("|", 1)[0]
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", head) if part) or "Object"


def size_of(asset_id: str, category: str) -> Size:
    """The asset's measured size, else an everyday size of its category, metres."""
    if asset_id in _SIZES:
        return _SIZES[asset_id]
    match = re.fullmatch(r"Countertop_\w+_(\d+)x(\d+)", asset_id)
    if match:
        return 0.305 * int(match[1]), 0.94, max(0.61, 0.305 * int(match[2]))
    if category in ASSETS:
        return next(iter(ASSETS[category].values()))
    return DECOR.get(category) or SMALL_THINGS.get(category) or (0.15, 0.15, 0.15)
