package io.mykit.delay.channel;

/**
 * Tells when the failures of a batch are the broker's fault: three messages failed for an unclear reason, and none was
 * delivered. The rest of the batch is not worth sending then. One object for each batch; for one thread.
 */
public final class BrokerFault {
    private static final int MIN_FAILURES = 3;

    private boolean somePassed;
    private int failures;

    /**
     * Counts the fate of one more message.
     *
     * @return whether the broker is at fault
     */
    public boolean isShownBy(Delivery fate) {
        somePassed |= fate.kind() == Delivery.Kind.DELIVERED;
        failures += fate.kind() == Delivery.Kind.UNCLEAR ? 1 : 0;
        return !somePassed && failures >= MIN_FAILURES;
    }
}
