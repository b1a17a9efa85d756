package io.mykit.delay.controller.guard;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The host names that a request may use for this server: addresses, {@code localhost}, and the configured names. Any other
 * name may belong to another site and point here for the moment (DNS rebinding); an address cannot. Thread-safe.
 */
final class HostNames {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+(%[0-9a-z._~%-]+)?]");
    private static final Pattern PORT = Pattern.compile(":\\d{0,5}");

    private final Set<String> names;

    /** @param configured names without a port, separated by commas */
    HostNames(String configured) {
        this.names = Stream.concat(Stream.of("localhost"), Arrays.stream(configured.split(",")))
                .map(HostNames::plain)
                .filter(name -> !name.isEmpty())
                .collect(toUnmodifiableSet());
    }

    /**
     * @param authority the header {@code Host}: a name or address, perhaps with a port
     */
    boolean include(String authority) {
        String host = authority.toLowerCase(Locale.ROOT);
        // The search begins behind the bracket of an IPv6 address, because the address has colons itself.
        int port = host.indexOf(':', host.indexOf(']') + 1);
        if (port >= 0) {
            if (!PORT.matcher(host).region(port, host.length()).matches()) {
                return false;
            }
            host = host.substring(0, port);
        }
        return IPV4.matcher(host).matches() || IPV6.matcher(host).matches() || names.contains(plain(host));
    }

    /** The name in lower case, without the dot of the root. */
    private static String plain(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
