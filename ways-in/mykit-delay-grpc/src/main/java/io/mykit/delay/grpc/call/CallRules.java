package io.mykit.delay.grpc.call;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.limit.CallLimits;

/**
 * The rules of a method's calls. Immutable.
 *
 * @param access who may call it
 * @param maxBytes the maximum of bytes in a request
 * @param limitKey the key of the configuration behind that maximum
 * @param onWorker whether a thread of its own reads and handles the request: it is large, or the handler blocks
 * @param limited what a call counts as in the limits of its caller: a push costs its first message before its handler, a pull nothing; null =
 *     it has no limit
 * @param pushes whether a call that is refused before its handler counts as a refused push
 */
public record CallRules(
        Access access, int maxBytes, String limitKey, boolean onWorker, CallLimits.Kind limited, boolean pushes) {
    /** The items that a call asks for before its handler. */
    int firstItems() {
        return limited == CallLimits.Kind.PUSH ? 1 : 0;
    }
}
