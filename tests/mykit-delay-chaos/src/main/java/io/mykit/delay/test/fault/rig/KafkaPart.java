package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.delivery.KafkaInbox;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Kafka. The wire leads to the address at which clients begin; the broker tells its own address there, so that only the beginning can be
 * cut. The broker has no hook that could refuse a single message.
 */
final class KafkaPart implements Broker {
    private static final int PARTITIONS = 4;

    private final KafkaServer server;

    KafkaPart(Path dir) {
        server = KafkaServer.start(dir, Map.of());
    }

    @Override
    public int port() {
        String address = server.address();
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    @Override
    public Map<String, String> settings(int port) {
        return Map.of("delivery.default-channel", "kafka", "kafka.bootstrap-servers", "127.0.0.1:" + port);
    }

    @Override
    public void create(List<String> topics) {
        topics.forEach(topic -> server.createTopic(topic, PARTITIONS, Map.of()));
    }

    @Override
    public Inbox inbox(String topic) {
        return new KafkaInbox(server.address(), topic);
    }

    @Override
    public String repetitionKey(Arrival arrival) {
        return "";
    }

    @Override
    public void kill() {
        server.process().kill();
    }

    @Override
    public void restart() {
        server.startBroker();
    }

    @Override
    public void freeze() {
        server.process().freeze();
    }

    @Override
    public void thaw() {
        server.process().thaw();
    }

    @Override
    public void refuseSome() {
        throw new UnsupportedOperationException("a Kafka broker refuses no single messages");
    }

    @Override
    public void takeAll() {
        throw new UnsupportedOperationException("a Kafka broker refuses no single messages");
    }

    @Override
    public void close() {
        server.close();
    }
}
