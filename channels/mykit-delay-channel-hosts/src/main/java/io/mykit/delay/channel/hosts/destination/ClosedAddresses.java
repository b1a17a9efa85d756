package io.mykit.delay.channel.hosts.destination;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The addresses that are not public: the machine itself, private networks, links, groups, and the others that the IANA
 * registries of special-purpose addresses (RFC 6890) call not globally reachable. Stateless.
 */
final class ClosedAddresses {
    private static final List<AddressRange> RANGES = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    // Azure's platform address is a public one by its number, and answers the virtual machine alone.
                    "168.63.129.16/32",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    // Three networks for documents, and the relay of 6to4, which is given up.
                    "192.0.2.0/24",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "224.0.0.0/4",
                    "240.0.0.0/4",
                    // ::, ::1, the forms of IPv4 in IPv6 and local NAT64. Public NAT64 is looked at before.
                    "[::]/8",
                    "[fc00::]/7",
                    "[fe80::]/10",
                    "[fec0::]/10",
                    "[ff00::]/8",
                    // Bytes to here are discarded.
                    "[100::]/64",
                    // Protocols, among them Teredo: any IPv4 address in another form.
                    "[2001::]/23",
                    // Documents, and segment routing.
                    "[2001:db8::]/32",
                    "[3fff::]/20",
                    "[5f00::]/16")
            .map(AddressRange::of)
            .toList();

    private static final AddressRange NAT64 = AddressRange.of("[64:ff9b::]/96");
    private static final AddressRange SIX_TO_FOUR = AddressRange.of("[2002::]/16");
    private static final int IPV4_LENGTH = 4;
    private static final int NAT64_OFFSET = 12;
    private static final int SIX_TO_FOUR_OFFSET = 2;

    private ClosedAddresses() {}

    /** Whether an address, or the IPv4 address inside it, is closed. Java itself unpacks {@code ::ffff:0:0/96}. */
    static boolean contain(InetAddress address) {
        return contain(address.getAddress());
    }

    private static boolean contain(byte[] address) {
        if (NAT64.contains(address)) {
            return containIpv4(address, NAT64_OFFSET);
        }
        if (SIX_TO_FOUR.contains(address)) {
            return containIpv4(address, SIX_TO_FOUR_OFFSET);
        }
        return RANGES.stream().anyMatch(range -> range.contains(address));
    }

    private static boolean containIpv4(byte[] address, int offset) {
        return contain(Arrays.copyOfRange(address, offset, offset + IPV4_LENGTH));
    }
}
