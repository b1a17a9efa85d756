package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.Delivery;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Turns the answer of a receiver into a fate. Immutable. */
final class Answers {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final Duration MAX_WAIT = Duration.ofHours(24);

    private final Statuses success;
    private final Statuses deadOn;

    Answers(Statuses success, Statuses deadOn) {
        this.success = success;
        this.deadOn = deadOn;
    }

    /**
     * @param retryAfter the header; null = none
     * @param own whether the message named the receiver. The wish of a receiver that the topic shares pauses the topic
     */
    Delivery fate(int status, String retryAfter, boolean own, Instant now) {
        if (success.contain(status)) {
            return Delivery.DELIVERED;
        }
        if (deadOn.contain(status)) {
            return Delivery.refused("HTTP " + status);
        }
        boolean mayAskToWait = status == TOO_MANY_REQUESTS || status == UNAVAILABLE;
        Optional<Duration> wish = mayAskToWait ? wish(retryAfter, now) : Optional.empty();
        if (wish.isEmpty()) {
            return Delivery.failed("HTTP " + status);
        }
        Duration wait = wish.get();
        String detail = "HTTP " + status + ", Retry-After " + wait.toSeconds() + " s";
        return (own ? Delivery.failed(detail) : Delivery.unavailable(detail)).retryAfter(wait);
    }

    /** Whether an answer shows that the receiver itself has trouble, and not this request. */
    static boolean isReceiverIll(int status) {
        return status >= FIRST_SERVER_ERROR || status == TOO_MANY_REQUESTS;
    }

    /** Seconds, or a date in the form of RFC 1123; from 0 to 24 hours. Another form is no wish. */
    private static Optional<Duration> wish(String header, Instant now) {
        if (header == null) {
            return Optional.empty();
        }
        String text = header.strip();
        if (text.matches("\\d{1,18}")) {
            return Optional.of(clamped(Duration.ofSeconds(Long.parseLong(text))));
        }
        try {
            Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(clamped(Duration.between(now, date)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Duration clamped(Duration wish) {
        if (wish.isNegative()) {
            return Duration.ZERO;
        }
        return wish.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wish;
    }
}
