package io.mykit.delay.kafka;

import io.mykit.delay.channel.Reasons;
import java.io.IOException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Says in words why a client of Kafka failed. Stateless. */
public final class ClientFaults {
    private ClientFaults() {}

    /**
     * The reason for a person, with the setting to look at.
     *
     * @param section of the configuration: {@code mykit.delay.kafka}
     */
    public static String reason(Throwable thrown, String section) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthenticationException) {
                return "Kafka refuses the connection: " + Reasons.of(innermost(cause)) + " (check " + section
                        + ".username, .password, .sasl-mechanism, .tls and .trust-store)";
            }
            if (cause instanceof AuthorizationException) {
                return "Kafka denies permission: " + Reasons.of(cause) + " (check the account " + section
                        + ".username and its rights)";
            }
        }
        boolean told = thrown instanceof IOException || thrown instanceof IllegalStateException;
        return "Kafka: " + (told ? Reasons.shortened(thrown.getMessage()) : Reasons.of(thrown));
    }

    private static Throwable innermost(Throwable thrown) {
        Throwable inner = thrown;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }
}
