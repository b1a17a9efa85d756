package io.mykit.delay.channel.hosts.destination;

import java.util.Locale;
import java.util.regex.Pattern;

/** The form of a service's name, which is the host of a URL {@code service://name/path}. Stateless. */
public final class ServiceName {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9._-]*[a-z0-9])?");
    private static final int MAX_LENGTH = 100;

    private ServiceName() {}

    /**
     * The name in lower case.
     *
     * @throws IllegalArgumentException if the text is no name; the message continues a sentence
     */
    public static String of(String given) {
        String name = given.toLowerCase(Locale.ROOT);
        if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("has no name of a service: 1 to " + MAX_LENGTH
                    + " letters, digits, hyphens, underscores and dots; the first and the last are letters or digits");
        }
        return name;
    }
}
