package io.mykit.delay.channel.hosts.destination;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host of a URL. Immutable.
 *
 * @param text a name in lower case, or an address; an IPv6 address is in brackets
 * @param address the address if the host is one; a name has none
 */
record HostName(String text, Optional<InetAddress> address) {
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    /** Some resolvers read such a name as an IPv4 address: {@code 2130706433}, {@code 0x7f.1}, {@code 127.1}. */
    private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(.*\\.)?(\\d+|0x[0-9a-f]*)");

    private static final int MAX_LENGTH = 253;

    /**
     * @throws IllegalArgumentException if the text is no host; the message gives the reason
     */
    static HostName of(String given) {
        String text = given.toLowerCase(Locale.ROOT);
        if (text.startsWith("[")) {
            return ofIpv6(text);
        }
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (ENDS_IN_NUMBER.matcher(name).matches()) {
            return new HostName(name, Optional.of(ipv4(name)));
        }
        if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "has no host that is a DNS name (letters, digits, hyphens, dots) or an address");
        }
        return new HostName(name, Optional.empty());
    }

    private static HostName ofIpv6(String text) {
        try {
            if (text.indexOf('%') >= 0) {
                throw new IllegalArgumentException("has an IPv6 address with a zone");
            }
            // A text in brackets is never looked up.
            return new HostName(text, Optional.of(InetAddress.getByName(text)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("has no valid IPv6 address", e);
        }
    }

    private static InetAddress ipv4(String text) {
        Matcher parts = IPV4.matcher(text);
        if (!parts.matches()) {
            throw notCanonical();
        }
        MatchResult found = parts.toMatchResult();
        byte[] address = new byte[4];
        for (int i = 0; i < address.length; i++) {
            String part = found.group(i + 1);
            int value = Integer.parseInt(part);
            if (value > 255 || !part.equals(Integer.toString(value))) {
                throw notCanonical();
            }
            address[i] = (byte) value;
        }
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IllegalArgumentException notCanonical() {
        return new IllegalArgumentException(
                "has an IPv4 address that is not written as four decimal numbers from 0 to 255");
    }
}
