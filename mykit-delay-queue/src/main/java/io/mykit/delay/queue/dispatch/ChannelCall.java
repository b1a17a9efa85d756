package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.message.DelayMessage;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a channel and has an answer whatever the channel does: a plug-in may throw anything, a missing class of its
 * client library included. Says so once, and again when something else is thrown or the channel answers again.
 * Thread-safe.
 */
final class ChannelCall {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelCall.class);

    /** What the channel of a topic threw at its last call; topics whose channel answered are not in it. */
    private final ConcurrentMap<String, String> thrown = new ConcurrentHashMap<>();

    /** One fate per message, in order. */
    List<Delivery> deliver(DeliveryChannel channel, String topic, List<Leased> leased) {
        List<DelayMessage> messages = leased.stream().map(Leased::message).toList();
        try {
            List<Delivery> fates = complete(channel.deliver(topic, messages), messages.size());
            if (!thrown.isEmpty() && thrown.remove(topic) != null) {
                LOG.info("The channel of topic {} answers again", topic);
            }
            return fates;
        } catch (Throwable e) {
            // An Error too: its batch would stay under its lease, and come back whole when that ends, for ever.
            String why = Reasons.of(e);
            if (!why.equals(thrown.put(topic, why))) {
                LOG.warn(
                        "The channel {} of topic {} threw; the topic backs off and is tried again, no attempt is counted",
                        channel.getClass().getName(),
                        topic,
                        e);
            }
            return Collections.nCopies(messages.size(), Delivery.unclear(why));
        }
    }

    /** A copy, as a plug-in may go on changing its list. */
    private static List<Delivery> complete(List<Delivery> fates, int size) {
        if (fates == null) {
            throw new IllegalStateException("the channel answered null instead of " + size + " fates");
        }
        if (fates.size() != size) {
            throw new IllegalStateException(
                    "the channel answered " + fates.size() + " fates for " + size + " messages");
        }
        if (fates.stream().anyMatch(Objects::isNull)) {
            throw new IllegalStateException("the channel answered null for one of " + size + " messages");
        }
        return List.copyOf(fates);
    }
}
