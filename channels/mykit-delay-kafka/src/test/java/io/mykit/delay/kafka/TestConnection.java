package io.mykit.delay.kafka;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The connection of a section {@code kafka} that has the keys of a connection alone. */
final class TestConnection {
    private TestConnection() {}

    static Connection of(Map<String, String> given) {
        ConnectionKeys keys = new ConnectionKeys("Brokers.", "Properties of a client.");
        List<ChannelKey<?>> all = new ArrayList<>(keys.account());
        all.add(keys.servers());
        all.add(keys.properties());
        Map<String, String> values = new HashMap<>(Map.of("bootstrap-servers", "127.0.0.1:9092"));
        values.putAll(given);
        return new Connection(keys, ChannelSettings.of("kafka", all, values, Duration.ofSeconds(3)));
    }
}
