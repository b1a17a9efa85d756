package io.mykit.delay.queue.delivery;

/** Sends the parts of one batch, and halves what is refused. For one thread. */
final class PartSends {
    /** So many messages failed alone for an unclear reason, and none passed: it is the broker, and the rest need not be tried. */
    private static final int ENOUGH = 3;

    private final BoundedSend send;
    private final BatchFates fates;
    private boolean somePassed;
    private int failedAlone;

    PartSends(BoundedSend send, BatchFates fates) {
        this.send = send;
        this.fates = fates;
    }

    /** Returns when all fates are known, or when no more can be. */
    void sendAll(BatchParts parts) {
        try {
            for (BatchParts.Part part : parts.parts()) {
                sendOrHalve(part);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            fates.seal(Reasons.of(e));
        }
    }

    private void sendOrHalve(BatchParts.Part part) throws Exception {
        if (fates.isSealed()) {
            // The caller has gone, or the broker is to blame.
            return;
        }
        BoundedSend.Fate fate = send.send(part.messages());
        Delivery delivery = fate.delivery();
        if (fate.narrow() && part.size() > 1) {
            sendOrHalve(part.firstHalf());
            sendOrHalve(part.secondHalf());
            return;
        }
        fates.set(part.places(), delivery);
        somePassed |= delivery.kind() == Delivery.Kind.DELIVERED;
        failedAlone += delivery.kind() == Delivery.Kind.UNCLEAR ? 1 : 0;
        if (!somePassed && failedAlone >= ENOUGH) {
            fates.seal(delivery.detail());
        }
    }
}
