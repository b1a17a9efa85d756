package io.mykit.delay.access.limit;

import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.access.Principal;
import java.util.concurrent.CompletableFuture;

/**
 * Whether callers are within their limits. Each way in asks it once for a call, after the token was checked and before the work of the call.
 * Thread-safe; no method blocks or throws.
 *
 * <p>A call of one item asks for it. A call whose number of items is known later asks for the first item, or for none, and then tells the
 * others by {@link #passed}: they are a debt that the next calls wait for. So a batch that is larger than the rate passes as well.
 */
public interface CallLimits {
    /** No caller has limits. */
    CallLimits NONE = new CallLimits() {
        @Override
        public CompletableFuture<Permit> ask(Principal caller, Kind kind, int items) {
            return Permit.GO_AT_ONCE;
        }

        @Override
        public void passed(Principal caller, Kind kind, int items) {}

        @Override
        public NamespaceBounds bounds(String namespace) {
            return NamespaceBounds.NONE;
        }
    };

    /**
     * Takes items of the caller's rates, if there is at least one of each. A caller without limits costs nothing, and a caller below its rate
     * nearly always gets a completed future.
     *
     * @param items 0 or more. More items than are there are a debt
     * @return never fails; any thread may complete it, and must not be blocked
     */
    CompletableFuture<Permit> ask(Principal caller, Kind kind, int items);

    /** Takes items that passed already. */
    void passed(Principal caller, Kind kind, int items);

    /** The bounds of what the tokens of a namespace may push. */
    NamespaceBounds bounds(String namespace);

    /** What is counted. */
    enum Kind {
        /** Messages that are pushed; those that are refused for another reason count too. */
        PUSH("push"),
        /** Messages that consumers get. */
        PULL("pull");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** In metrics, in keys of Redis and in messages to callers. */
        String word() {
            return word;
        }

        int ofToken(CallerLimits limits) {
            return this == PUSH ? limits.pushRate() : limits.pullRate();
        }

        int ofNamespace(NamespaceLimits limits) {
            return this == PUSH ? limits.pushRate() : limits.pullRate();
        }
    }
}
