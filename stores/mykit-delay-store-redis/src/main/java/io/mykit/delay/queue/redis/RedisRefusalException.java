package io.mykit.delay.queue.redis;

/** Redis, or a script running there, answered a call with an error. */
public final class RedisRefusalException extends RedisUnavailableException {
    private static final long serialVersionUID = 1L;

    private final String answer;

    RedisRefusalException(String message, String answer, Throwable cause) {
        super(message, cause);
        this.answer = answer;
    }

    /** The error text of Redis, or of the script if the script returned the error. */
    public String answer() {
        return answer;
    }
}
