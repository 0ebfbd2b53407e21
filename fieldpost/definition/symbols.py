"""The symbols that units and markers may show; `builder.counters.symbols` draws each."""

from __future__ import annotations

UNIT_SYMBOLS = frozenset(
    (
        "air-fleet", "air-landing", "airbase", "airborne", "anti-aircraft", "anti-tank", "armor",
        "armored-anti-tank", "armored-artillery", "armored-engineer", "armored-reconnaissance",
        "armored-train", "artillery", "assault-gun",
        "base", "bomber", "border-guard", "cadre", "cavalry", "cavalry-mechanized", "coal",
        "coast-artillery", "engineer", "factory", "fighter", "fortified-zone", "fortress", "guard",
        "guard-armor", "guard-cavalry", "guard-mechanized", "headquarters", "infantry", "marine",
        "mechanized", "medical", "militia", "mineral", "motorcycle", "motorized",
        "motorized-anti-aircraft", "motorized-anti-tank", "motorized-artillery",
        "motorized-cavalry", "motorized-engineer", "mountain", "nkvd", "none", "offensive-support",
        "oil", "partisan", "pipeline", "port", "rail-gun", "reconnaissance", "rocket-artillery",
        "security", "ship", "shock", "siege-gun", "ski", "supply", "supply-depot", "tank-army",
    )
)  # fmt: skip
SIGNS = frozenset(
    (
        "aircraft", "arrow", "arrow-down", "arrow-left", "arrow-ne", "arrow-nw", "arrow-right",
        "arrow-se", "arrow-sw", "burst", "check", "cloud",
        "cross", "diamond", "dice", "disc", "drop", "flag", "flame", "parachute", "rail", "rain",
        "retreat", "ring", "saltire", "snow", "square", "star", "sun", "triangle",
    )
)  # fmt: skip
