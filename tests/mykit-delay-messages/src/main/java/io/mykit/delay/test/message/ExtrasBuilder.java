package io.mykit.delay.test.message;

import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.util.List;
import java.util.Map;

/** Builds the extras of a message, of which a test names only those that it is about. Not thread-safe. */
public final class ExtrasBuilder {
    private boolean binary;
    private Map<String, String> headers = Map.of();
    private RetryOptions retry = RetryOptions.NONE;
    private long ttrMs;
    private Map<String, String> target = Map.of();
    private long firstDueMs;
    private List<String> idempotencyKeys = List.of();
    private String requestId = "";

    private ExtrasBuilder() {}

    public static ExtrasBuilder extras() {
        return new ExtrasBuilder();
    }

    public ExtrasBuilder binary(boolean binary) {
        this.binary = binary;
        return this;
    }

    public ExtrasBuilder headers(Map<String, String> headers) {
        this.headers = headers;
        return this;
    }

    public ExtrasBuilder retry(RetryOptions retry) {
        this.retry = retry;
        return this;
    }

    /** In milliseconds. */
    public ExtrasBuilder ttr(long ttrMs) {
        this.ttrMs = ttrMs;
        return this;
    }

    public ExtrasBuilder target(Map<String, String> target) {
        this.target = target;
        return this;
    }

    /** In epoch milliseconds. */
    public ExtrasBuilder firstDue(long firstDueMs) {
        this.firstDueMs = firstDueMs;
        return this;
    }

    /** Newest first. */
    public ExtrasBuilder keys(List<String> idempotencyKeys) {
        this.idempotencyKeys = idempotencyKeys;
        return this;
    }

    public ExtrasBuilder requestId(String requestId) {
        this.requestId = requestId;
        return this;
    }

    public MessageExtras build() {
        return new MessageExtras(binary, headers, retry, ttrMs, target, firstDueMs, idempotencyKeys, requestId);
    }
}
