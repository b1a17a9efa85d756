package io.mykit.delay.spring.boot;

import io.mykit.delay.spring.listener.UnreadableBody;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the client, of its listeners and of its callbacks. Immutable.
 *
 * @param enabled Whether the beans of mykit-delay are there at all.
 * @param endpoints The URLs of the servers of one queue.
 * @param token The token of producers, if the server has tokens.
 * @param sslBundle The SSL bundle for servers with https; empty = the certificates of the JDK.
 * @param timeout The time for one try of a call, to the last byte of its answer.
 * @param retryFor How long a call is tried again at most; zero = one try.
 * @param ttr After this time a message is in other hands if this process dies. A listener may have its own.
 * @param concurrency The number of messages at the same time for each listener that pulls. A listener may have its own.
 * @param grace How long running listeners have at a stop. After that they are interrupted and their messages are given back.
 * @param listener Listeners.
 * @param callback Callbacks, for listeners with the mode PUSH.
 * @param outbox The transactional outbox.
 * @param jms Delayed messages of JMS.
 * @param kafka Delayed records of Kafka.
 * @param rocketmq Delayed messages of producers of RocketMQ.
 */
@ConfigurationProperties("mykit.delay.client")
public record DelayClientProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("http://127.0.0.1:6355") List<String> endpoints,
        @DefaultValue("") String token,
        @DefaultValue("") String sslBundle,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("30s") Duration retryFor,
        @DefaultValue("1m") Duration ttr,
        @DefaultValue("1") int concurrency,
        @DefaultValue("30s") Duration grace,
        @DefaultValue Listener listener,
        @DefaultValue Callback callback,
        @DefaultValue Outbox outbox,
        @DefaultValue Jms jms,
        @DefaultValue Kafka kafka,
        @DefaultValue RocketMq rocketmq) {

    /**
     * @param enabled Whether listeners run. Without them the application only sends.
     * @param unreadableBody What becomes of a message whose body is not of the listener's type: reject = a dead letter at once, retry = a failed attempt.
     */
    public record Listener(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("reject") UnreadableBody unreadableBody) {}

    /**
     * @param secret The webhook.secret of the server; several with blanks between. Empty = there is no endpoint for callbacks.
     * @param path The path of the endpoint.
     * @param tolerance The largest age of a request, and the largest difference of the clocks.
     * @param maxBody The largest body.
     */
    public record Callback(
            @DefaultValue("") String secret,
            @DefaultValue("/mykit-delay/callback") String path,
            @DefaultValue("5m") Duration tolerance,
            @DefaultValue("16MB") DataSize maxBody) {
        /** Shows no secret. */
        @Override
        public String toString() {
            return "callbacks at " + path;
        }
    }

    /**
     * @param enabled Whether the calls of DelayTemplate are rows of the application's database, which a relay carries out.
     * @param dataSource The name of the DataSource bean with the table; empty = the only or primary one.
     * @param table The table, perhaps with its schema.
     * @param relay Whether this instance carries out calls. One instance at least has to.
     * @param poll The pause of an idle relay between two looks at the table.
     * @param lease After this time the calls of an instance that died are carried out by another one.
     * @param batch The number of rows that a relay takes at a time, 500 at most.
     */
    public record Outbox(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("") String dataSource,
            @DefaultValue("mykit_delay_outbox") String table,
            @DefaultValue("true") boolean relay,
            @DefaultValue("500ms") Duration poll,
            @DefaultValue("10s") Duration lease,
            @DefaultValue("500") int batch) {}

    /**
     * @param enabled Whether delayed messages of the connection factories that are beans go to mykit-delay.
     */
    public record Jms(@DefaultValue("false") boolean enabled) {}

    /**
     * @param enabled Whether delayed records of the producer factories that are beans go to mykit-delay.
     * @param topic The topic from which the server takes pushes, its ingest.kafka.topic.
     */
    public record Kafka(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("mykit-delay-push") String topic) {}

    /**
     * @param enabled Whether delayed messages of the producers of RocketMQ that are beans go to mykit-delay.
     * @param topics The topics whose delayed messages go there, without namespace; empty = all. Others keep the timer of the broker.
     * @param minDelay A shorter delay is left to the timer of the broker.
     * @param delayLevels The delays of the levels, as messageDelayLevel of the broker; empty = 1s 5s 10s 30s 1m 2m ... 2h.
     * @param maxInFlight The number of messages with a callback, or sent oneway, that may be in flight.
     */
    public record RocketMq(
            @DefaultValue("false") boolean enabled,
            @DefaultValue List<String> topics,
            @DefaultValue("0s") Duration minDelay,
            @DefaultValue("") String delayLevels,
            @DefaultValue("1000") int maxInFlight) {}

    /** Shows neither the token nor a secret. */
    @Override
    public String toString() {
        return "client of " + endpoints;
    }
}
