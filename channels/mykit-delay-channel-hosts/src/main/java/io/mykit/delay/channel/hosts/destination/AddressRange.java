package io.mykit.delay.channel.hosts.destination;

import java.net.InetAddress;
import java.util.Locale;

/** The addresses that begin with the same bits, as in {@code 10.0.0.0/8} or {@code [fc00::]/7}. Immutable. */
final class AddressRange {
    private final byte[] base;
    private final int bits;

    private AddressRange(byte[] base, int bits) {
        this.base = base;
        this.bits = bits;
    }

    /**
     * @param text an address, which stands for itself alone, or an address, a slash and the number of bits
     * @throws IllegalArgumentException if the text is no range; the message continues a sentence
     */
    static AddressRange of(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        byte[] base = HostName.of(host)
                .address()
                .map(InetAddress::getAddress)
                .orElseThrow(() -> new IllegalArgumentException("has a range that does not begin with an address"));
        int most = base.length * Byte.SIZE;
        int bits = slash < 0 ? most : bits(text.substring(slash + 1).toLowerCase(Locale.ROOT));
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException("has a range whose number of bits is not from 0 to " + most);
        }
        return new AddressRange(base, bits);
    }

    boolean contains(byte[] address) {
        if (address.length != base.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % Byte.SIZE);
            if (((address[bit / Byte.SIZE] ^ base[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    private static int bits(String text) {
        return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
    }
}
