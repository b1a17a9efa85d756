package io.mykit.delay.channel.webhook;

import java.util.Optional;

/** The name of the sender. Stateless. */
final class UserAgent {
    static final String TEXT = "mykit-delay"
            + Optional.ofNullable(UserAgent.class.getPackage().getImplementationVersion())
                    .map(version -> "/" + version)
                    .orElse("");

    private UserAgent() {}
}
