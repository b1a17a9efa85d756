package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mykit.delay.test.server.RocketMqServer;
import java.util.List;
import java.util.UUID;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;

/** RocketMQ. Its producer is thread-safe, so all of one bench share it. */
final class RocketMqBroker implements Broker, AutoCloseable {
    private static final int TIMEOUT_MS = 20_000;

    private final RocketMqServer server;
    private final DefaultMQProducer producer = new DefaultMQProducer("bench");

    RocketMqBroker(RocketMqServer server) {
        this.server = server;
        producer.setNamesrvAddr(server.nameServerAddress());
        producer.setInstanceName("bench-" + UUID.randomUUID());
        producer.setSendMsgTimeout(TIMEOUT_MS);
        try {
            producer.start();
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String name() {
        return "RocketMQ";
    }

    @Override
    public long pid() {
        return server.broker().pid();
    }

    @Override
    public String topic(Use use) {
        return use == Use.DRAIN ? "rocket-drain" : "rocket-lateness";
    }

    @Override
    public Sink sink(String topic) throws Exception {
        server.createTopic(topic);
        producer(topic).send(Tally.nowMicros());
        return new RocketMqSink(server.nameServerAddress(), topic);
    }

    @Override
    public Producer producer(String topic) {
        return new Sending(topic);
    }

    @Override
    public void close() {
        producer.shutdown();
    }

    private final class Sending implements Producer {
        private final String topic;

        Sending(String topic) {
            this.topic = topic;
        }

        @Override
        public void send(long dueMicros) throws Exception {
            check(producer.send(message(dueMicros)));
        }

        @Override
        public void send(List<Long> dueMicros) throws Exception {
            check(producer.send(dueMicros.stream().map(this::message).toList()));
        }

        @Override
        public void sendDelayed(long dueMicros) throws Exception {
            Message message = message(dueMicros);
            // Rounded up: its milliseconds must not make it early.
            message.setDelayTimeMs(Math.max(1, (dueMicros - Tally.nowMicros() + 999) / 1000));
            check(producer.send(message));
        }

        private Message message(long dueMicros) {
            Message message = new Message(topic, Requests.BODY.getBytes(US_ASCII));
            message.putUserProperty(Sink.DUE_MICROS, Long.toString(dueMicros));
            return message;
        }

        private static void check(SendResult result) {
            if (result.getSendStatus() != SendStatus.SEND_OK) {
                throw new IllegalStateException("RocketMQ answered " + result.getSendStatus());
            }
        }

        @Override
        public void close() {
            // All lines share the producer.
        }
    }
}
