package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.rig.Rig;
import java.util.Map;
import java.util.function.LongSupplier;

/** A push on its way, asked again until there is a last answer. For one thread. */
final class Sending {
    private final Ledger ledger;
    private final LongSupplier clock;
    private Order order;
    private long askedMs;

    /** @param clock epoch milliseconds */
    Sending(Order order, Ledger ledger, LongSupplier clock) {
        this.order = order;
        this.ledger = ledger;
        this.clock = clock;
        ledger.sending(order, clock.getAsLong());
    }

    Map<String, Object> json() {
        askedMs = clock.getAsLong();
        return order.json();
    }

    /** It may have been done. */
    void lost() {
        ledger.doubted(order);
    }

    /**
     * Tells whether asking again is of no use.
     *
     * @param error empty if there is none
     * @param data may be null
     */
    boolean answered(int status, String error, String data) {
        switch (status) {
            case 200 -> accepted(data);
            case 409 -> refused(error);
            case 429 -> {
                notDone(status, error);
                return false;
            }
            case 503 -> {
                if (error.equals("OUTCOME_UNKNOWN")) {
                    unknown(data);
                } else {
                    notDone(status, error);
                }
                return false;
            }
            default -> surprised(status + " " + error);
        }
        return true;
    }

    private void accepted(String id) {
        name(id);
        if (!order.id().equals(id)) {
            surprised("the id " + id);
        }
        ledger.acknowledged(order, clock.getAsLong());
    }

    /** The next try is the same message, also if the server has made its id. */
    private void unknown(String id) {
        name(id);
        ledger.doubted(order);
    }

    private void name(String id) {
        if (!order.isNamed()) {
            ledger.named(order, id);
            order = order.named(id);
        }
    }

    private void notDone(int status, String error) {
        ledger.refused(order, status + " " + error + ", asked at " + askedMs + ", answered at " + clock.getAsLong());
    }

    private void refused(String error) {
        notDone(409, error);
        Pushed known = ledger.of(order.id());
        boolean legal =
                switch (error) {
                    case "ID_CONFLICT" ->
                        order.version() == 0 && known.versions().size() > 1;
                    case "ALREADY_FINISHED" ->
                        order.version() == 0
                                && (ledger.isCancelling(order.id())
                                        || order.ttlSeconds() > 0
                                        || order.topic().equals(Rig.CALLBACKS)
                                        || order.topic().equals(Rig.CROWD)
                                        || order.topic().equals(Rig.PULLED));
                    case "ALREADY_DISPATCHED" -> order.version() > 0;
                    default -> false;
                };
        if (!legal) {
            surprised("409 " + error);
        } else if (error.equals("ALREADY_DISPATCHED")) {
            ledger.cancelAnswered(order.id(), new Cancel(Answered.ALREADY_DISPATCHED, askedMs, clock.getAsLong()));
        }
    }

    private void surprised(String answer) {
        ledger.surprised("push of " + order + " was answered with " + answer);
    }
}
