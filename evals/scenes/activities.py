"""Which activity tells where somebody was without naming it; all of it in our own words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Activity:
    """Something that one does with a thing.

    Attributes:
        doing: What follows "while"; never names the thing.
        link: How the stated form goes on; `{thing}` stands for "the sofa".
        fits: Other categories with which one does the same; the activity is used only where the house has none.
    """

    doing: str
    link: str
    fits: tuple[str, ...] = ()


def _each(*pairs: tuple[str, str], fits: tuple[str, ...] = ()) -> tuple[Activity, ...]:
    return tuple(Activity(doing, link, fits) for doing, link in pairs)


ACTIVITIES: dict[str, tuple[Activity, ...]] = {
    "ArmChair": _each(
        ("curling up alone with a novel", "in {thing}"),
        ("dozing off over my crossword", "in {thing}"),
        ("knitting with my feet tucked under me", "in {thing}"),
        fits=("Sofa",),
    )
    + _each(
        ("sinking into the soft seat that fits just one", "of {thing}"),
        ("resting both elbows on the padded sides of a seat for one", "in {thing}"),
    ),
    "Bed": _each(
        ("waking up this morning", "in {thing}"),
        ("pulling the blanket over me to sleep", "in {thing}"),
        ("plumping the pillows before turning in", "on {thing}"),
    ),
    "Chair": (
        Activity("sitting down to lace my boots", "on {thing}", ("Stool", "ArmChair", "Sofa", "Bed")),
        Activity("taking a seat to eat lunch", "on {thing}", ("Stool", "DiningTable", "Sofa", "ArmChair")),
        Activity("sitting upright to practise my posture", "on {thing}", ("Stool", "ArmChair")),
    ),
    "ClothesDryer": _each(
        ("taking out the warm, fluffy laundry", "of {thing}"),
        ("cleaning the lint filter", "of {thing}"),
        ("waiting for the tumbling clothes to get dry", "at {thing}"),
    ),
    "CoffeeMachine": _each(
        ("brewing my morning espresso", "with {thing}"),
        ("filling in ground coffee and a new paper filter", "at {thing}"),
        ("pouring myself a fresh cup of coffee", "at {thing}"),
    ),
    "CoffeeTable": _each(
        ("tidying the magazines in front of the seats", "on {thing}"),
        ("setting out snacks for movie night", "on {thing}"),
        ("building a jigsaw puzzle in the lounge", "on {thing}"),
        fits=("DiningTable",),
    ),
    "CounterTop": _each(
        ("chopping onions for the soup", "at {thing}"),
        ("rolling out pastry for a pie", "on {thing}"),
        ("slicing bread for sandwiches", "on {thing}"),
    ),
    "Desk": (
        Activity("filling in my tax forms", "at {thing}", ("Desktop", "DiningTable")),
        Activity("writing a long letter by hand", "at {thing}", ("DiningTable", "CoffeeTable")),
        Activity("doing my homework", "at {thing}", ("Desktop", "DiningTable")),
    ),
    "DeskLamp": (
        Activity("switching on a small light to read by", "with {thing}", ("FloorLamp",)),
        Activity("bending the little light closer to my page", "with {thing}"),
        Activity("replacing the small bulb", "in {thing}", ("FloorLamp",)),
    ),
    "Desktop": _each(
        ("answering my e-mails", "at {thing}"),
        ("playing an online game", "on {thing}"),
        ("typing up a report on the keyboard", "of {thing}"),
    ),
    "DiningTable": _each(
        ("having dinner with the family", "at {thing}"),
        ("laying out plates for our guests", "on {thing}"),
        ("serving the roast to everyone", "at {thing}"),
    ),
    "Doorway": _each(
        ("stepping through from one room to the next", "at {thing}"),
        ("leaning on the frame to chat before going in", "of {thing}"),
        ("walking in with my arms full", "through {thing}"),
    ),
    "Dresser": _each(
        ("putting away folded socks and shirts", "in {thing}"),
        ("looking for a clean sweater to wear", "in {thing}"),
        ("sorting my T-shirts by colour", "in {thing}"),
    ),
    "Faucet": _each(
        ("running the water until it got cold", "at {thing}"),
        ("filling a jug with cold water", "at {thing}"),
        ("fixing a steady drip", "at {thing}"),
    ),
    "FloorLamp": _each(
        ("switching on the tall light in the corner", "with the switch of {thing}"),
        ("changing the bulb at head height", "in {thing}"),
        ("dusting the big fabric shade", "of {thing}"),
    ),
    "Fridge": _each(
        ("getting out the cold milk", "of {thing}"),
        ("putting the groceries somewhere chilled", "in {thing}"),
        ("looking for leftovers to heat up", "in {thing}"),
    ),
    "GarbageCan": _each(
        ("throwing away the wrappers", "in {thing}"),
        ("tying up the full rubbish bag", "from {thing}"),
        ("getting rid of the peelings", "in {thing}"),
    ),
    "HandTowelHolder": (
        Activity("drying my wet hands", "at {thing}", ("TowelHolder",)),
        Activity("hanging up a fresh small cloth for guests' hands", "on {thing}"),
        Activity("patting my face dry after a quick wash", "at {thing}", ("TowelHolder",)),
    ),
    "HousePlant": _each(
        ("watering the greenery", "by {thing}"),
        ("snipping off yellow leaves", "from {thing}"),
        ("wiping dust off the big green leaves", "of {thing}"),
    ),
    "Microwave": _each(
        ("warming up yesterday's pizza", "in {thing}"),
        ("waiting for the popcorn to stop popping", "in {thing}"),
        ("defrosting some soup", "in {thing}"),
    ),
    "Safe": _each(
        ("locking up my passport and jewellery", "in {thing}"),
        ("entering the secret combination", "of {thing}"),
        ("counting the cash I keep locked away", "in {thing}"),
    ),
    "ShelvingUnit": _each(
        ("picking out a novel to read", "from {thing}"),
        ("putting the books back in order", "on {thing}"),
        ("dusting the rows of books", "on {thing}"),
    ),
    "SideTable": _each(
        ("putting my glasses down beside me for the night", "on {thing}"),
        ("setting my alarm clock down within arm's reach", "on {thing}"),
        ("searching the one little drawer for lip balm", "of {thing}"),
    ),
    "Sink": (
        Activity("rinsing the soapy dishes", "in {thing}"),
        Activity("scrubbing the pots by hand", "in {thing}"),
        Activity("letting the dirty dishwater drain away", "from {thing}"),
    ),
    "Sofa": _each(
        ("stretching out full length for a nap", "on {thing}"),
        ("snuggling up with the kids for a film", "on {thing}"),
        ("lounging about with two friends side by side", "on {thing}"),
        fits=("Bed",),
    ),
    "Stool": _each(
        ("perching without a backrest", "on {thing}"),
        ("standing on something low to reach up", "by stepping on {thing}"),
        ("balancing on a small round seat", "of {thing}"),
    ),
    "Television": _each(
        ("changing channels to the evening news", "at {thing}"),
        ("wiping fingerprints off the big screen", "of {thing}"),
        ("plugging in the games console", "at {thing}"),
    ),
    "Toaster": _each(
        ("browning two slices of bread", "in {thing}"),
        ("waiting for my slices to pop up", "from {thing}"),
        ("shaking out the crumbs after breakfast", "from {thing}"),
    ),
    "Toilet": _each(
        ("answering the call of nature", "on {thing}"),
        ("flushing twice to be sure", "at {thing}"),
        ("scrubbing under the rim with a brush", "of {thing}"),
    ),
    "TowelHolder": (
        Activity("drying off after a long shower", "by {thing}", ("HandTowelHolder",)),
        Activity("hanging up my damp bath linen", "on {thing}"),
        Activity("reaching for something dry after my bath", "on {thing}", ("HandTowelHolder",)),
    ),
    "WashingMachine": _each(
        ("loading the dirty laundry", "into {thing}"),
        ("measuring out detergent for a whites load", "at {thing}"),
        ("waiting for the spin cycle to end", "at {thing}"),
    ),
}
"""Observer category to activities."""

BATHROOM_SINK = _each(
    ("brushing my teeth", "at {thing}"),
    ("washing my face", "at {thing}"),
    ("shaving in front of the mirror", "at {thing}"),
)
"""Activities at a washbasin, which stand in for those at a kitchen sink."""
