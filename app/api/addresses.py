"""What an address tells about who lives there."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address


def ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """The address that this text is, None for a name. An IPv4 address in IPv6 dress is itself."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def household(host: str) -> str:
    """The same for everything that is likely one household: of IPv6 that is a /64.

    >>> household("2001:db8::1") == household("2001:db8::ffff:1")
    True
    >>> household("::ffff:203.0.113.5")
    '203.0.113.5'
    """
    address = ip_of(host)
    if isinstance(address, IPv6Address):
        return f"{int(address) >> 64:x}/64"
    return host if address is None else str(address)
