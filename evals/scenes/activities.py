"""Which activity tells where somebody was without naming it; all of it in our own words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Activity:
    """Something that one does with a thing.

    Attributes:
        doing: What follows "while"; never names the thing.
        link: How the stated form brings the thing in; `{thing}` stands for "the sofa".
        fits: Other categories with which one does the same; the activity is used only where there is none.
        after: What both forms go on with.
        kinds: Kinds of room in which one does it; any where empty.
    """

    doing: str
    link: str
    fits: tuple[str, ...] = ()
    after: str = ""
    kinds: tuple[str, ...] = ()

    @property
    def inferred(self) -> str:
        """The activity without the thing."""
        return f"{self.doing} {self.after}".strip()

    def stated(self, thing: str) -> str:
        """The activity with the thing, e.g. "emptying the crumb tray of the toaster after breakfast"."""
        return f"{self.doing} {self.link.format(thing=thing)} {self.after}".strip()


ACTIVITIES: dict[str, tuple[Activity, ...]] = {
    "ArmChair": (
        Activity("curling up alone with a novel", "in {thing}", ("Sofa", "Bed")),
        Activity("dozing off over my crossword", "in {thing}", ("Sofa", "Bed", "Desk")),
        Activity("reading with an elbow on each armrest", "in {thing}"),
        Activity("knitting with both elbows on the armrests", "in {thing}"),
    ),
    "Bed": (
        Activity("waking up", "in {thing}", (), "this morning"),
        Activity("settling down for the night", "in {thing}"),
        Activity("smoothing out the fresh sheets", "on {thing}"),
    ),
    "Chair": (
        Activity("sitting down", "on {thing}", ("Stool", "ArmChair", "Sofa", "Bed"), "to lace my shoes"),
        Activity("sitting down", "on {thing}", ("Stool", "DiningTable", "Sofa", "ArmChair"), "to eat my lunch"),
        Activity("sitting up straight", "on {thing}", ("Stool", "ArmChair"), "to practise my posture"),
    ),
    "ClothesDryer": (
        Activity("unloading the warm, fluffy laundry", "from {thing}"),
        Activity("cleaning the lint filter", "of {thing}"),
        Activity("checking whether my jeans were dry yet", "in {thing}", ("TowelHolder",)),
    ),
    "CoffeeMachine": (
        Activity("brewing my morning espresso", "with {thing}"),
        Activity("adding ground coffee and a fresh paper filter", "to {thing}"),
        Activity("pouring myself a fresh cup of coffee", "at {thing}"),
    ),
    "CoffeeTable": (
        Activity("setting out snacks for movie night", "on {thing}", ("DiningTable", "SideTable")),
        Activity("collecting the magazines", "from {thing}", ("DiningTable", "SideTable", "Desk"), "after movie night"),
        Activity("building a jigsaw puzzle with the kids", "on {thing}", ("DiningTable", "Desk")),
    ),
    "CounterTop": (
        Activity("chopping onions for the soup", "at {thing}"),
        Activity("rolling out pastry for a pie", "on {thing}"),
        Activity("slicing bread for sandwiches", "on {thing}"),
    ),
    "Desk": (
        Activity("filling in my tax forms", "at {thing}", ("Desktop", "DiningTable")),
        Activity("writing a long letter by hand", "at {thing}", ("DiningTable", "CoffeeTable")),
        Activity("doing my homework", "at {thing}", ("Desktop", "DiningTable")),
    ),
    "DeskLamp": (
        Activity("lighting up the pages of my novel", "with {thing}", ("FloorLamp",)),
        Activity("clicking the little switch", "of {thing}", ("FloorLamp",), "to read on after dark"),
        Activity("replacing the small bulb", "in {thing}", ("FloorLamp",)),
    ),
    "Desktop": (
        Activity("answering my e-mails", "at {thing}"),
        Activity("playing an online game", "on {thing}"),
        Activity("typing up a long report", "on {thing}"),
    ),
    "DiningTable": (
        Activity("having dinner with the family", "at {thing}"),
        Activity("laying out plates", "on {thing}", (), "for our guests"),
        Activity("serving the roast to everyone", "at {thing}"),
    ),
    "Doorway": (
        Activity("carrying my shopping bags", "through {thing}"),
        Activity("poking my head", "through {thing}"),
        Activity("stepping", "through {thing}"),
    ),
    "Dresser": (
        Activity("putting away folded socks and shirts", "in {thing}"),
        Activity("looking for a clean sweater", "in {thing}"),
        Activity("sorting my T-shirts by colour", "in {thing}"),
    ),
    "Faucet": (
        Activity("running the water", "from {thing}", (), "until it got cold"),
        Activity("filling a jug with cold water", "from {thing}"),
        Activity("fixing the steady drip", "of {thing}"),
    ),
    "FloorLamp": (
        Activity("changing the bulb", "in {thing}", ("DeskLamp",), "without needing a ladder"),
        Activity("dusting the big shade", "of {thing}"),
        Activity("reaching up under the shade", "of {thing}", ("DeskLamp",), "to find the switch"),
    ),
    "Fridge": (
        Activity("getting out the cold milk", "from {thing}"),
        Activity("putting the butter and the fresh milk away", "in {thing}"),
        Activity("looking for leftovers", "in {thing}", (), "to heat up"),
    ),
    "GarbageCan": (
        Activity("throwing away the wrappers", "in {thing}"),
        Activity("changing the full rubbish bag", "in {thing}"),
        Activity("getting rid of the potato peelings", "in {thing}", (), "", ("Kitchen",)),
    ),
    "HandTowelHolder": (
        Activity("drying my wet hands", "at {thing}", ("TowelHolder",)),
        Activity("hanging up fresh linen for our guests' hands", "on {thing}"),
        Activity("patting my face dry", "at {thing}", ("TowelHolder",), "after a quick wash"),
    ),
    "HousePlant": (
        Activity("giving the dry soil", "of {thing}", (), "some water"),
        Activity("snipping a few yellow leaves", "off {thing}"),
        Activity("wiping dust off the big green leaves", "of {thing}"),
    ),
    "Microwave": (
        Activity("warming up yesterday's pizza", "in {thing}"),
        Activity("waiting for the popcorn", "in {thing}", (), "to stop popping"),
        Activity("defrosting some soup", "in {thing}"),
    ),
    "Safe": (
        Activity("locking up my passport and jewellery", "in {thing}"),
        Activity("entering the secret combination", "of {thing}"),
        Activity("counting the cash I keep locked away", "in {thing}"),
    ),
    "ShelvingUnit": (
        Activity("picking out a novel", "from {thing}", (), "to read"),
        Activity("putting the books back in order", "on {thing}"),
        Activity("dusting the rows of books", "on {thing}"),
    ),
    "SideTable": (
        Activity("putting my glasses down", "on {thing}", (), "before going to sleep", ("Bedroom",)),
        Activity("setting my alarm clock down", "on {thing}", ("Dresser", "Desk"), "for the night", ("Bedroom",)),
        Activity("rummaging through the little drawer", "of {thing}", ("Dresser", "Desk"), "for my lip balm"),
    ),
    "Sink": (
        Activity("rinsing the soapy dishes", "in {thing}"),
        Activity("scrubbing the pots by hand", "in {thing}"),
        Activity("letting the dirty dishwater", "in {thing}", (), "drain away"),
    ),
    "Sofa": (
        Activity("stretching out full length", "on {thing}", ("Bed",), "for a nap"),
        Activity("snuggling up with the kids", "on {thing}", ("Bed",), "for a film"),
        Activity("lounging about with two friends side by side", "on {thing}", ("Bed",)),
    ),
    "Stool": (
        Activity("perching", "on {thing}", (), "with nothing to lean back against"),
        Activity("stepping up", "on {thing}", ("Chair",), "to reach the smoke alarm"),
        Activity("climbing up", "on {thing}", ("Chair",), "to dust the ceiling"),
    ),
    "Television": (
        Activity("switching over to the evening news", "on {thing}"),
        Activity("hooking up a new DVD player", "to {thing}"),
        Activity("connecting the games console", "to {thing}"),
    ),
    "Toaster": (
        Activity("browning two slices of bread", "in {thing}"),
        Activity("waiting for my slices of bread to pop up", "in {thing}"),
        Activity("emptying the crumb tray", "of {thing}", (), "after breakfast"),
    ),
    "Toilet": (
        Activity("answering the call of nature", "on {thing}"),
        Activity("flushing", "{thing}", (), "twice to be sure"),
        Activity("scrubbing under the rim", "of {thing}", (), "with a brush"),
    ),
    "TowelHolder": (
        Activity("drying off after a long shower", "by {thing}", ("HandTowelHolder",)),
        Activity("hanging up my damp bath linen", "on {thing}"),
        Activity("reaching for something dry", "on {thing}", ("HandTowelHolder",), "after my bath"),
    ),
    "WashingMachine": (
        Activity("loading the dirty laundry", "into {thing}"),
        Activity("measuring out detergent for a load of whites", "at {thing}"),
        Activity("waiting", "by {thing}", (), "for the spin cycle to end"),
    ),
}
"""Observer category to activities."""

BATHROOM_SINK = (
    Activity("brushing my teeth", "at {thing}"),
    Activity("washing my face", "at {thing}"),
    Activity("shaving off a three-day beard", "at {thing}"),
)
"""Activities at a washbasin, which stand in for those at a kitchen sink."""
