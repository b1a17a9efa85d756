package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.mykit.delay.test.delivery.RabbitMqInbox;
import io.mykit.delay.test.server.AmqpBroker;
import io.mykit.delay.test.server.QpidServer;
import io.mykit.delay.test.server.RabbitMqServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** RabbitMQ where it is installed, else Apache Qpid Broker-J. Messages are persistent and confirmed. */
final class RabbitMqBroker implements Guest {
    private static final String DRAIN = "rabbitmq-drain";
    private static final String LATENESS = "rabbitmq-lateness";
    private static final long CONFIRM_MS = TimeUnit.SECONDS.toMillis(20);
    private static final int PERSISTENT = 2;

    private final AmqpBroker server;
    private final Connection producers;
    /** A broker slows a connection of producers down. */
    private final Connection consumers;

    RabbitMqBroker(Path dir) {
        server = RabbitMqServer.isInstalled()
                ? RabbitMqServer.start(dir)
                : QpidServer.start(dir, QpidServer.MAX_MESSAGE_BYTES);
        producers = RabbitMqInbox.connect(server.port());
        consumers = RabbitMqInbox.connect(server.port());
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "rabbitmq.addresses",
                server.address(),
                "delivery.topics." + DRAIN,
                "rabbitmq",
                "delivery.topics." + LATENESS,
                "rabbitmq");
    }

    @Override
    public String name() {
        return isStandIn() ? "Qpid Broker-J" : "RabbitMQ";
    }

    @Override
    public boolean isStandIn() {
        return !(server instanceof RabbitMqServer);
    }

    @Override
    public long pid() {
        return server.pid();
    }

    @Override
    public String topic(Use use) {
        return use == Use.DRAIN ? DRAIN : LATENESS;
    }

    @Override
    public Sink sink(String topic) throws IOException {
        Channel channel = withQueue(consumers, topic);
        channel.queuePurge(topic);
        return new RabbitMqSink(channel, topic);
    }

    @Override
    public Producer producer(String topic) throws IOException {
        Channel channel = withQueue(producers, topic);
        channel.confirmSelect();
        return new Sending(channel, topic);
    }

    private static Channel withQueue(Connection connection, String queue) throws IOException {
        Channel channel = connection.createChannel();
        channel.queueDeclare(queue, true, false, false, Map.of());
        return channel;
    }

    @Override
    public void close() {
        producers.abort();
        consumers.abort();
        server.close();
    }

    /** A channel of its own, as channels are for one thread. */
    private record Sending(Channel channel, String queue) implements Producer {
        @Override
        public void send(long dueMicros) throws Exception {
            send(List.of(dueMicros));
        }

        @Override
        public void send(List<Long> dueMicros) throws Exception {
            for (long due : dueMicros) {
                BasicProperties properties = new BasicProperties.Builder()
                        .deliveryMode(PERSISTENT)
                        .headers(Map.of(Sink.DUE_MICROS, due))
                        .build();
                channel.basicPublish("", queue, true, properties, Requests.BODY.getBytes(US_ASCII));
            }
            channel.waitForConfirmsOrDie(CONFIRM_MS);
        }

        @Override
        public void sendDelayed(long dueMicros) {
            throw new UnsupportedOperationException("RabbitMQ holds back no message");
        }

        @Override
        public void close() {
            RabbitMqSink.end(channel);
        }
    }
}
