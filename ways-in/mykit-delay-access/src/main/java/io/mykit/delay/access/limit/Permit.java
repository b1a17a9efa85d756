package io.mykit.delay.access.limit;

import io.mykit.delay.common.error.RateLimitedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether a call may go on. Immutable.
 *
 * @param retryAfterMs the time after which the call may come again, milliseconds; 0 = it may go on
 * @param reason empty if it may go on
 */
public record Permit(long retryAfterMs, String reason) {
    public static final Permit GO = new Permit(0, "");
    static final CompletableFuture<Permit> GO_AT_ONCE = CompletableFuture.completedFuture(GO);

    static Permit refused(long retryAfterMs, String reason) {
        return new Permit(Math.max(1, retryAfterMs), reason);
    }

    public boolean isGo() {
        return retryAfterMs == 0;
    }

    public Optional<RateLimitedException> refusal() {
        return isGo()
                ? Optional.empty()
                : Optional.of(
                        new RateLimitedException(reason + "; try again in " + retryAfterMs + " ms", retryAfterMs));
    }

    /** @throws RateLimitedException if the call must not go on */
    public void require() {
        if (!isGo()) {
            throw refusal().orElseThrow();
        }
    }
}
