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
 * Calls a channel and always returns a fate for each message. A plug-in may throw anything, even an error about a missing
 * class of its client library. The log has one line when a channel throws, one when it throws something else, and one when it
 * answers again. Thread-safe.
 */
final class ChannelCall {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelCall.class);

    /** The last throw of a topic's channel. A topic whose channel answered its last call is not in the map. */
    private final ConcurrentMap<String, String> thrown = new ConcurrentHashMap<>();

    /** Returns one fate for each message, in order. */
    List<Delivery> deliver(DeliveryChannel channel, String topic, List<Leased> leased) {
        List<DelayMessage> messages = leased.stream().map(Leased::message).toList();
        try {
            List<Delivery> fates = complete(channel.deliver(topic, messages), messages.size());
            if (!thrown.isEmpty() && thrown.remove(topic) != null) {
                LOG.info("Topic {}: the channel answers again", topic);
            }
            return fates;
        } catch (Throwable e) {
            // An Error is caught too: otherwise its batch would stay under its lease and come back whole when the
            // lease ends, again and again.
            String why = Reasons.of(e);
            if (!why.equals(thrown.put(topic, why))) {
                LOG.warn(
                        "Topic {}: the channel threw. The topic backs off and is tried again; no attempt is counted",
                        topic,
                        e);
            }
            return Collections.nCopies(messages.size(), Delivery.unclear(why));
        }
    }

    /** Returns a copy, because a plug-in may change its list later. */
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
