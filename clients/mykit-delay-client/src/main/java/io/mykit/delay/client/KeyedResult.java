package io.mykit.delay.client;

import java.util.Optional;
import java.util.function.Function;

/**
 * The outcome of a call for one of the messages of a business key.
 *
 * @param id of the message
 * @param result the same as of the call with this id; empty = the call failed for this message
 * @param failure the reason of that, and whether the message may be changed all the same
 */
public record KeyedResult<R>(String id, Optional<R> result, Optional<DelayClientException> failure) {
    static <R> KeyedResult<R> read(String id, Answer answer, Function<Answer, R> reader) {
        if (answer.isTemporary()) {
            String message = "message " + id + ": " + answer;
            return failed(id, new DelayUnavailableException(message, null, answer.mayBeDone()));
        }
        try {
            return new KeyedResult<>(id, Optional.of(reader.apply(answer)), Optional.empty());
        } catch (DelayRequestException refused) {
            return failed(id, refused);
        }
    }

    private static <R> KeyedResult<R> failed(String id, DelayClientException failure) {
        return new KeyedResult<>(id, Optional.empty(), Optional.of(failure));
    }

    /** Returns the result, or throws the failure. */
    public R orThrow() {
        failure.ifPresent(thrown -> {
            throw thrown;
        });
        return result.orElseThrow();
    }
}
