package io.mykit.delay.test.fault.workload;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.rig.Broker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes whatever arrives on the topics of the broker. Thread-safe. */
public final class Consumer implements AutoCloseable {
    private final Broker broker;
    private final Map<String, Inbox> inboxes = new LinkedHashMap<>();

    /** Listens at once. */
    public Consumer(Broker broker, List<String> topics) {
        this.broker = broker;
        topics.forEach(topic -> inboxes.put(topic, broker.inbox(broker.named(topic))));
    }

    /** In the order of arrival, without what the broker itself gave twice. */
    public List<Seen> seen() {
        List<Seen> seen = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        inboxes.forEach((topic, inbox) -> {
            for (Arrival arrival : inbox.arrivals()) {
                String key = broker.repetitionKey(arrival);
                if (key.isEmpty() || keys.add(key)) {
                    seen.add(new Seen(arrival.id(), topic, arrival.body(), arrival.dueTimeMs(), arrival.arrivedAtMs()));
                }
            }
        });
        seen.sort(Comparator.comparingLong(Seen::atMs));
        return seen;
    }

    @Override
    public void close() {
        inboxes.values().forEach(Inbox::close);
    }
}
