package io.mykit.delay.queue.bucket;

import java.util.function.UnaryOperator;

/**
 * The answer of one bucket to a call on several buckets.
 *
 * @param value null if the call failed
 * @param failure the exception that the call on this bucket alone would have thrown; null = no failure
 */
public record Answer<T>(int bucket, T value, RuntimeException failure) {
    public static <T> Answer<T> of(int bucket, T value) {
        return new Answer<>(bucket, value, null);
    }

    public static <T> Answer<T> failed(int bucket, RuntimeException failure) {
        return new Answer<>(bucket, null, failure);
    }

    /** Returns the value, or throws the failure. */
    public T orThrow() {
        if (failure != null) {
            throw failure;
        }
        return value;
    }

    /** The same answer with another value; a failure stays as it is. */
    public Answer<T> with(UnaryOperator<T> other) {
        return failure == null ? of(bucket, other.apply(value)) : this;
    }
}
