package io.mykit.delay.channel.hosts;

import java.util.Optional;

/** The name of the sender. Stateless. */
public final class UserAgent {
    public static final String TEXT = "mykit-delay"
            + Optional.ofNullable(UserAgent.class.getPackage().getImplementationVersion())
                    .map(version -> "/" + version)
                    .orElse("");

    private UserAgent() {}
}
