package io.mykit.delay.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * The listener of a consumer that has no other. It logs failed pulls when they begin, when their kind changes, and when they
 * end: an outage of an hour has hundreds of them. The pulling thread alone calls what it overrides.
 */
final class OutageLog implements ConsumerListener {
    private static final Logger LOG = System.getLogger("io.mykit.delay.client");

    private final String topics;
    private String logged = "";

    OutageLog(List<String> topics) {
        this.topics = String.join(", ", topics);
    }

    @Override
    public void pullFailed(Throwable failure) {
        String kind = failure instanceof DelayRequestException refusal
                ? refusal.status() + refusal.error()
                : failure.getClass().getName();
        if (kind.equals(logged)) {
            return;
        }
        logged = kind;
        String text = "The consumer of " + topics + " gets no messages and tries again";
        if (failure instanceof DelayClientException) {
            LOG.log(Level.WARNING, text + ": " + failure.getMessage());
        } else {
            LOG.log(Level.WARNING, text, failure);
        }
    }

    @Override
    public void pullRecovered() {
        logged = "";
        LOG.log(Level.INFO, "The consumer of " + topics + " is answered again");
    }
}
