package io.mykit.delay.channel.rocketmq;

import org.apache.rocketmq.client.hook.SendMessageContext;
import org.apache.rocketmq.client.hook.SendMessageHook;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;

/**
 * Tells whether a broker may have got a message although its send failed. The client tries a send several times and reports the last
 * failure only, so this hook looks at each of them. A thread asks about its own last send. Thread-safe.
 */
final class SendTries implements SendMessageHook {
    private final ThreadLocal<Boolean> maybeSent = ThreadLocal.withInitial(() -> false);

    /** Before a send. */
    void begin() {
        maybeSent.set(false);
    }

    /** Whether a broker may have got the message of the last send. */
    boolean mayHaveArrived() {
        return maybeSent.get();
    }

    @Override
    public String hookName() {
        return "mykit-delay";
    }

    @Override
    public void sendMessageBefore(SendMessageContext context) {
        // Only the failure of a try counts.
    }

    @Override
    public void sendMessageAfter(SendMessageContext context) {
        Exception failure = context.getException();
        if (failure != null && !isUnsent(failure)) {
            maybeSent.set(true);
        }
    }

    /** No connection, no time left before the request, or a broker that refuses. A broken connection may have carried the message. */
    private static boolean isUnsent(Exception failure) {
        return failure instanceof RemotingConnectException
                || failure instanceof RemotingTooMuchRequestException
                || SendFaults.isRefusal(failure);
    }
}
