package io.mykit.delay.channel.bounded;

import io.mykit.delay.channel.BrokerFault;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import java.util.List;

/** Sends the parts of one batch, and halves each part that is refused. For one thread. */
final class PartSends {
    private final BoundedSend send;
    private final BatchFates fates;
    private final BrokerFault fault = new BrokerFault();

    PartSends(BoundedSend send, BatchFates fates) {
        this.send = send;
        this.fates = fates;
    }

    /** Returns when all fates are known, or when no further fate can become known. */
    void sendAll(BatchParts parts) {
        try {
            for (BatchParts.Part part : parts.parts()) {
                sendOrHalve(part);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (NotSentException e) {
            fates.seal(e.getMessage());
        } catch (Exception e) {
            fates.seal(Reasons.of(e));
        }
    }

    private void sendOrHalve(BatchParts.Part part) throws Exception {
        if (!fates.begin(part.places())) {
            // The caller went on after its timeout, or the broker is at fault.
            return;
        }
        BoundedSend.Fate fate = send(part);
        if (fate.narrow() && part.size() > 1) {
            if (fate.deliveries().get(0).kind() != Delivery.Kind.UNCLEAR) {
                fates.notSent(part.places());
            }
            sendOrHalve(part.firstHalf());
            sendOrHalve(part.secondHalf());
            return;
        }
        List<Delivery> deliveries = fate.deliveries();
        if (!fate.shared() && deliveries.size() != part.size()) {
            throw new IllegalStateException(deliveries.size() + " fates for " + part.size() + " messages");
        }
        for (int i = 0; i < part.size(); i++) {
            fates.set(part.places().get(i), deliveries.get(fate.shared() ? 0 : i));
        }
        deliveries.forEach(this::judge);
    }

    private BoundedSend.Fate send(BatchParts.Part part) throws Exception {
        try {
            return send.send(part.messages());
        } catch (NotSentException e) {
            fates.notSent(part.places());
            throw e;
        }
    }

    private void judge(Delivery delivery) {
        if (fault.isShownBy(delivery)) {
            fates.seal(delivery.detail());
        }
    }
}
