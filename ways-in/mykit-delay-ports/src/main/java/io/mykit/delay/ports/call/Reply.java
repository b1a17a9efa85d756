package io.mykit.delay.ports.call;

import java.nio.charset.StandardCharsets;

/**
 * An answer.
 *
 * @param body JSON, or empty
 * @param unsent runs if the answer does not reach the client; null = nothing has to
 * @param retryAfter the header {@code Retry-After}, seconds; 0 = none
 */
@SuppressWarnings("ArrayRecordComponent") // The bytes go to the socket as they are; no code changes or compares them.
public record Reply(int status, byte[] body, Runnable unsent, long retryAfter) {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;
    private static final byte[] NOTHING = {};

    /** 204. */
    public static final Reply DONE = new Reply(NO_CONTENT, NOTHING, null, 0);

    /** 200 with no body. */
    public static final Reply EMPTY = new Reply(OK, NOTHING, null, 0);

    public static Reply ok(String json) {
        return of(OK, json);
    }

    public static Reply created(String json) {
        return of(CREATED, json);
    }

    public static Reply of(int status, String json) {
        return new Reply(status, json.getBytes(StandardCharsets.UTF_8), null, 0);
    }

    /** The same answer, with what runs if it does not reach the client. */
    public Reply ifUnsent(Runnable then) {
        return new Reply(status, body, then, retryAfter);
    }

    /** The same answer, with the seconds after which the client may ask again. */
    public Reply after(long seconds) {
        return new Reply(status, body, unsent, seconds);
    }

    /** The answer does not reach the client. */
    public void takeBack() {
        if (unsent != null) {
            unsent.run();
        }
    }
}
