package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.QpidServer;
import io.mykit.delay.test.server.RabbitMqServer;
import java.nio.file.Path;
import java.util.Locale;

/** Which broker a run delivers to. */
public enum BrokerKind {
    ACTIVEMQ,
    /** No broker, but one receiver of calls for all topics. */
    GRPC,
    KAFKA,
    /** Apache Qpid Broker-J, with the channel rabbitmq. */
    QPID,
    /** It has to be installed. */
    RABBITMQ,
    ROCKETMQ,
    /** A master that waits for its synchronous replica. */
    ROCKETMQ_PAIR;

    /** As on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it has a hook that refuses single messages. */
    public boolean refuses() {
        return this == ACTIVEMQ || this == ROCKETMQ || this == ROCKETMQ_PAIR;
    }

    Broker start(Path dir) {
        return switch (this) {
            case ACTIVEMQ -> new ActiveMqPart(dir);
            case GRPC -> new GrpcPart(dir);
            case KAFKA -> new KafkaPart(dir);
            case QPID -> new AmqpPart(QpidServer.start(dir, QpidServer.MAX_MESSAGE_BYTES));
            case RABBITMQ -> new AmqpPart(RabbitMqServer.start(dir));
            case ROCKETMQ -> new RocketMqPart(dir);
            case ROCKETMQ_PAIR -> new RocketMqPair(dir);
        };
    }
}
