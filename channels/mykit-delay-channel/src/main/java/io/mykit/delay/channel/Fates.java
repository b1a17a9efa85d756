package io.mykit.delay.channel;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Builds the answers of {@link DeliveryChannel#deliver}: one fate for a whole batch, or one for each message. Stateless.
 */
public final class Fates {
    private Fates() {}

    /** The same fate for each message of a batch: the broker took all or none. */
    public static List<Delivery> all(List<DelayMessage> batch, Delivery fate) {
        return Collections.nCopies(batch.size(), fate);
    }

    /**
     * Sends one message after the other; each has its own fate.
     *
     * <p>A message whose send throws is {@link Delivery.Kind#UNCLEAR}, and the next one is tried. The rest of the batch is
     * {@link Delivery.Kind#UNAVAILABLE} and not sent after the first answer of that kind, after an interrupt, and after
     * three messages that threw while none was delivered ({@link BrokerFault}).
     *
     * @param send bounded in time: the whole batch has about {@link ChannelSettings#sendTimeout}
     */
    public static List<Delivery> each(List<DelayMessage> batch, Sender send) {
        List<Delivery> fates = new ArrayList<>(batch.size());
        BrokerFault fault = new BrokerFault();
        for (DelayMessage message : batch) {
            Delivery fate = one(message, send);
            fates.add(fate);
            if (fault.isShownBy(fate) || fate.kind() == Delivery.Kind.UNAVAILABLE) {
                Delivery rest = Delivery.notSent(fate.detail());
                fates.addAll(Collections.nCopies(batch.size() - fates.size(), rest));
                break;
            }
        }
        return fates;
    }

    private static Delivery one(DelayMessage message, Sender send) {
        try {
            return send.send(message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Delivery.unavailable("interrupted before the confirmation");
        } catch (Exception e) {
            return Delivery.unclear(Reasons.of(e));
        }
    }

    /** Sends one message. */
    @FunctionalInterface
    public interface Sender {
        /** Returns the fate of the message once it is known, or throws if it is unknown. */
        Delivery send(DelayMessage message) throws Exception;
    }
}
