package io.mykit.delay.channel.hosts.destination;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One pattern of {@code targets}: {@code *}, {@code https://*.example.com}, {@code http://10.0.0.0/8:8080}, {@code
 * service://shop}. Immutable.
 *
 * @param scheme empty = both schemes of the protocol, and no service
 * @param name a name, {@code *.} and a name, or {@code *}; empty if the pattern has a range
 * @param range the addresses that the pattern opens
 * @param port 0 = any
 */
record TargetPattern(String scheme, String name, Optional<AddressRange> range, int port) {
    private static final Pattern FORM =
            Pattern.compile("([a-z]+)://(\\[[0-9a-f:.]+](?:/\\d+)?|[^\\[\\]:/]+(?:/\\d+)?)(?::(\\d{1,5}))?");
    private static final String ANY = "*";
    private static final String SERVICE = Destination.SERVICE + "://";
    private static final String BELOW = "*.";

    /**
     * @throws IllegalArgumentException if the text is no pattern; the message continues a sentence
     */
    static TargetPattern of(String given, Schemes schemes) {
        String text = given.toLowerCase(Locale.ROOT);
        if (text.equals(ANY)) {
            return new TargetPattern("", ANY, Optional.empty(), 0);
        }
        if (text.startsWith(SERVICE)) {
            String service = text.substring(SERVICE.length());
            return new TargetPattern(
                    Destination.SERVICE, service.equals(ANY) ? ANY : ServiceName.of(service), Optional.empty(), 0);
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches() || !schemes.has(form.group(1))) {
            throw new IllegalArgumentException("must be patterns such as " + schemes.encrypted() + "://*.example.com, "
                    + schemes.plain() + "://10.0.0.0/8, service://shop or *; " + given + " is none");
        }
        String host = form.group(2);
        int port = form.group(3) == null ? 0 : Integer.parseInt(form.group(3));
        if (host.equals(ANY)) {
            return new TargetPattern(form.group(1), ANY, Optional.empty(), port);
        }
        String name = host.startsWith(BELOW) ? host.substring(BELOW.length()) : host;
        if (host.indexOf('/') >= 0 || HostName.of(name).address().isPresent()) {
            return new TargetPattern(form.group(1), "", Optional.of(AddressRange.of(host)), port);
        }
        return new TargetPattern(form.group(1), host, Optional.empty(), port);
    }

    /** Whether scheme and port are those of the pattern. */
    boolean fits(Destination destination) {
        boolean isScheme = scheme.isEmpty() ? !destination.isService() : scheme.equals(destination.scheme());
        return isScheme && (port == 0 || port == destination.port());
    }

    /** Whether the pattern has the name of the destination. The addresses behind the name still have to be public. */
    boolean names(Destination destination) {
        if (name.equals(ANY)) {
            return true;
        }
        return name.startsWith(BELOW)
                ? destination.host().endsWith(name.substring(1))
                : destination.host().equals(name);
    }

    boolean opens(InetAddress address) {
        return range.filter(opened -> opened.contains(address.getAddress())).isPresent();
    }
}
