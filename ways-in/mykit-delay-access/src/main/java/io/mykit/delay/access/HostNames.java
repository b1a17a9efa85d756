package io.mykit.delay.access;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.mykit.delay.config.HttpConfig;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The host names that a request may use for this server: addresses, {@code localhost}, and the configured names. Any other
 * name may belong to another site and point here for the moment (DNS rebinding), so that a page of that site could make calls which need
 * no token; an address cannot. Thread-safe.
 */
public final class HostNames {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+(%[0-9a-z._~%-]+)?]");
    private static final Pattern PORT = Pattern.compile(":\\d{0,5}");

    private final Set<String> names;

    /** The names of {@code mykit.delay.http.allowed-hosts}, and those that are always known. */
    public HostNames(HttpConfig config) {
        String configured = config.allowedHosts().orElse("");
        this.names = Stream.concat(Stream.of("localhost"), Arrays.stream(configured.split(",")))
                .map(HostNames::plain)
                .filter(name -> !name.isEmpty())
                .collect(toUnmodifiableSet());
    }

    /**
     * Whether the header {@code Host} names this server, or is missing: a client of HTTP/1.0 may send none, and a browser always sends it.
     *
     * @param authority the header: a name or address, perhaps with a port; or null
     */
    public boolean include(String authority) {
        if (authority == null || authority.isEmpty()) {
            return true;
        }
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

    /** Why a call is refused, and what its caller can do. */
    public static String refusal(String authority) {
        return "the header Host names " + Browsers.quoted(authority)
                + ", which is not known as this server's: call it by an address or"
                + " localhost, add the name to mykit.delay.http.allowed-hosts, or let calls need tokens";
    }

    /** The name in lower case, without the dot of the root. */
    private static String plain(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
