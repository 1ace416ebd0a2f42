"""How often somebody may do something: a leaking bucket for each address, or for whatever is counted."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Address, ip_address
from typing import Final

KNOWN_ADDRESSES: Final = 10_000


class Buckets:
    """A leaking bucket for each address, in memory only; the longest unseen are forgotten first."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second, self._burst = per_second, burst
        self._level: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now: float, cost: int = 1) -> bool:
        """Take one drop or several, if there is room.

        >>> bucket = Buckets(per_second=1, burst=2)
        >>> [bucket.take("a", 0.0), bucket.take("a", 0.0), bucket.take("a", 0.0), bucket.take("a", 1.5)]
        [True, True, False, True]
        """
        level, then = self._level.pop(address, (0.0, now))
        level = max(0.0, level - (now - then) * self._per_second)
        fits = level + cost <= max(self._burst, cost)
        self._level[address] = (level + cost if fits else level, now)
        if len(self._level) > KNOWN_ADDRESSES:
            self._level.popitem(last=False)
        return fits


def network_of(address: str) -> str:
    """Name what is counted as one address: of IPv6 the network, since one customer gets a whole /64.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1"), network_of("testclient")
    ('192.0.2.7', '2001:db8::/64', 'testclient')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
