package io.mykit.delay.channel.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.hosts.VisibleText;
import io.vertx.core.MultiMap;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * The end of a call. Immutable.
 *
 * @param text of the receiver, for people
 * @param pushback how long the receiver asks to wait
 */
record CallStatus(StatusCode code, String text, Optional<Duration> pushback) {
    private static final Duration MAX_WAIT = Duration.ofHours(24);
    private static final int HEX = 16;
    /** More would be cut anyway. */
    private static final int MAX_TEXT = 4096;

    /** The status in the trailers, or in the headers of an answer that has nothing else. */
    static CallStatus of(MultiMap fields) {
        String number = fields.get("grpc-status");
        if (number == null) {
            return new CallStatus(StatusCode.UNKNOWN, "the answer has no grpc-status", Optional.empty());
        }
        String text = Optional.ofNullable(fields.get("grpc-message")).orElse("");
        return new CallStatus(
                StatusCode.of(number), VisibleText.of(decoded(text)), wait(fields.get("grpc-retry-pushback-ms")));
    }

    /** An answer that is not one of gRPC. */
    static CallStatus ofHttp(int status, String contentType) {
        String type = contentType == null ? "without content-type" : "content-type " + VisibleText.of(contentType);
        return new CallStatus(StatusCode.ofHttp(status), "no gRPC: HTTP " + status + ", " + type, Optional.empty());
    }

    /**
     * @param own whether the message named the receiver. A receiver that the topic shares and that is not available pauses the topic
     */
    Delivery fate(boolean own) {
        if (code == StatusCode.OK) {
            return Delivery.DELIVERED;
        }
        String detail = code + (text.isEmpty() ? "" : ": " + text);
        if (code.isVerdict()) {
            return Delivery.refused(detail);
        }
        boolean pauses = code == StatusCode.UNAVAILABLE || (code.mayAskToWait() && pushback.isPresent());
        Delivery fate = pauses && !own ? Delivery.unavailable(detail) : Delivery.failed(detail);
        return pushback.map(fate::retryAfter).orElse(fate);
    }

    /** Milliseconds, from 0 to 24 hours. Another form, also a negative number, is no wish. */
    private static Optional<Duration> wait(String field) {
        if (field == null || !field.matches("\\d{1,18}")) {
            return Optional.empty();
        }
        Duration wish = Duration.ofMillis(Long.parseLong(field));
        return Optional.of(wish.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wish);
    }

    /** Undoes the percent-encoding. What is not encoded stays as it is. */
    private static String decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int end = Math.min(text.length(), MAX_TEXT);
        for (int i = 0; i < end; i++) {
            char character = text.charAt(i);
            int high = i + 2 < end ? Character.digit(text.charAt(i + 1), HEX) : -1;
            int low = i + 2 < end ? Character.digit(text.charAt(i + 2), HEX) : -1;
            if (character == '%' && high >= 0 && low >= 0) {
                bytes.write(high * HEX + low);
                i += 2;
            } else {
                bytes.writeBytes(Character.toString(character).getBytes(UTF_8));
            }
        }
        return bytes.toString(UTF_8);
    }
}
