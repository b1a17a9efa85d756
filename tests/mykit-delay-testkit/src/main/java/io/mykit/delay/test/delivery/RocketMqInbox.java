package io.mykit.delay.test.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.server.RocketMqAccess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.rocketmq.common.message.MessageExt;

/** The messages of {@link RocketMqReader} that mykit-delay has made. */
public final class RocketMqInbox implements Inbox {
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
    private final RocketMqReader reader;

    /** Opens at once; the topic may come into being later. */
    public RocketMqInbox(String nameServerAddress, String topic) {
        this(nameServerAddress, topic, RocketMqAccess.OPEN, "");
    }

    /** The same, for a broker that demands an account. */
    public RocketMqInbox(String nameServerAddress, String topic, RocketMqAccess access, String namespace) {
        reader = new RocketMqReader(
                nameServerAddress, topic, access, namespace, message -> arrivals.add(arrival(message)));
    }

    @Override
    public List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    /** The ids of the copies that arrived. RocketMQ may send a copy twice, or hand it out twice, with one key. */
    public Stream<String> ids() {
        return arrivals.stream()
                .map(arrival -> Map.entry(arrival.id(), arrival.properties().get("UNIQ_KEY")))
                .distinct()
                .map(Map.Entry::getKey);
    }

    @Override
    public void close() {
        reader.close();
    }

    private static Arrival arrival(MessageExt message) {
        Map<String, Object> properties = new HashMap<>(message.getProperties());
        String id = message.getUserProperty("id");
        String keys = message.getKeys();
        String bizKey = keys.equals(id) ? "" : keys.substring(id.length() + 1);
        return new Arrival(
                id,
                message.getTags() == null ? "" : message.getTags(),
                bizKey,
                Long.parseLong(message.getUserProperty("dueTime")),
                new String(message.getBody(), UTF_8),
                System.currentTimeMillis(),
                properties);
    }
}
