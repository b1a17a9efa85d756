package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonException;
import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonReader;
import java.util.Optional;
import java.util.Set;

/**
 * The envelope of an answer, or of one item of a batch. Immutable.
 *
 * @param error the error word; empty = none, or not an answer of mykit-delay
 * @param data a JSON value
 * @param job the state of a pushed message, a JSON value; null = none
 * @param messageStatus the status of a message that was pushed before
 * @param attempted whether a cancelled message may have arrived in an earlier attempt
 * @param inDoubt whether the answer to an earlier try of the same call was lost
 */
record Answer(
        int status,
        String error,
        String message,
        Object data,
        Object job,
        Optional<MessageStatus> messageStatus,
        boolean attempted,
        boolean inDoubt) {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int BUSY = 429;
    /** 502 and 504 come from a proxy that did not get the server's answer. */
    private static final Set<Integer> TRY_AGAIN = Set.of(BUSY, 502, 503, 504);
    /** The server says so only where it has changed nothing. */
    private static final Set<String> NOTHING_DONE =
            Set.of("BUSY", "RATE_LIMITED", "STORE_UNAVAILABLE", "INDEX_UNAVAILABLE", "STOPPING");

    /** @throws JsonException if an answer of success is not one of mykit-delay */
    static Answer read(int status, byte[] body) {
        try {
            return read(JsonReader.read(body));
        } catch (JsonException e) {
            if (status / 100 == 2) {
                throw e;
            }
            return new Answer(status, "", "not an answer of mykit-delay", null, null, Optional.empty(), false, false);
        }
    }

    /** @throws JsonException if the value is no envelope */
    static Answer read(Object envelope) {
        JsonObject fields = JsonObject.of(envelope);
        return new Answer(
                (int) fields.integer("code"),
                fields.optionalText("error").orElse(""),
                fields.optionalText("message").orElse(""),
                fields.get("data"),
                fields.get("job"),
                fields.optionalText("status").map(MessageStatus::named),
                Boolean.TRUE.equals(fields.get("attempted")),
                false);
    }

    boolean isOk() {
        return status == OK;
    }

    boolean is(String word) {
        return error.equals(word);
    }

    /** Whether another try may be answered otherwise. */
    boolean isTemporary() {
        return TRY_AGAIN.contains(status);
    }

    /** Whether the call may have been carried out, although this answer is no success. */
    boolean mayBeDone() {
        return isTemporary() && status != BUSY && !NOTHING_DONE.contains(error);
    }

    Answer afterLostAnswer(boolean lost) {
        return lost ? new Answer(status, error, message, data, job, messageStatus, attempted, true) : this;
    }

    /** A refusal for want of a token tells where the application sets it. */
    Answer namingTokenSetting(String setting) {
        if (status != UNAUTHORIZED) {
            return this;
        }
        String text = message + " (set the token by " + setting + ")";
        return new Answer(status, error, text, data, job, messageStatus, attempted, inDoubt);
    }

    /** The data of a success. */
    Object dataOrThrow() {
        refusal().ifPresent(refused -> {
            throw refused;
        });
        return data;
    }

    /** Empty = the call succeeded. */
    Optional<DelayRequestException> refusal() {
        return isOk() ? Optional.empty() : Optional.of(new DelayRequestException(status, error, message, inDoubt));
    }

    /** For messages of exceptions. */
    @Override
    public String toString() {
        return "HTTP " + status + (error.isEmpty() ? "" : " " + error) + (message.isEmpty() ? "" : ": " + message);
    }
}
