package io.mykit.delay.queue.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * All metric families of the server: {@code MESSAGES_ACCEPTED} is {@code mykit.delay.messages.accepted} for Micrometer and
 * {@code mykit_delay_messages_accepted_total} for Prometheus. The values of labels are few and known before, except for the
 * names of topics, and these come from the configuration only. Immutable.
 *
 * <p>A gauge whose value is not known is {@code NaN}, and a scrape leaves it out. A gauge of the leader is not known on other
 * nodes, so a sum over all nodes is right.
 */
public enum Family {
    BUILD_INFO(Kind.GAUGE, "Always 1; the labels tell which build runs", "version", "java"),
    LEADER(Kind.GAUGE, "1 = this node leads"),
    LEADER_EPOCH(Kind.LEADER_GAUGE, "The epoch of the current term"),
    LEADER_CHANGES(Kind.COUNTER, "Terms that this node has begun"),
    STORE_UP(Kind.GAUGE, "1 = the database answers and takes writes"),
    INDEX_UP(Kind.GAUGE, "1 = Redis answers and takes writes"),
    REGISTRY_UP(Kind.GAUGE, "1 = this node may lead as far as the registry is concerned"),
    CHANNEL_UP(Kind.LEADER_GAUGE, "1 = the channel can deliver", "channel"),
    LOOP_LAST_TICK_AGE(Kind.SECONDS, "Time since the last sign of life of a loop", "loop"),
    LOOP_FAILURES(Kind.COUNTER, "Rounds of a loop that failed", "loop"),
    NODES_OTHER_CONFIG(Kind.GAUGE, "Other nodes whose delivery settings differ from those of this node"),
    NODES_OTHER_VERSION(Kind.GAUGE, "Other nodes whose version differs from that of this node"),
    CLOCK_JUMPS(Kind.COUNTER, "Steps of Redis' clock, ahead or back, by more than 50 ms"),
    CLOCK_BEHIND(Kind.SECONDS, "How far due times are judged behind Redis' clock, because that jumped ahead"),
    CLOCK_OFFSET(Kind.SECONDS, "How far the clock that judges due times is ahead of this machine's"),

    MESSAGES_ACCEPTED(Kind.COUNTER, "New messages that were stored", "via"),
    MESSAGES_REFUSED(Kind.COUNTER, "Pushed messages that were not stored", "reason"),
    MESSAGES_CANCELLED(Kind.COUNTER, "Cancels that succeeded"),
    MESSAGES_REPLACED(Kind.COUNTER, "Messages that their producers replaced"),
    PUSH_COMMIT_DURATION(Kind.FAST, "One group commit of pushes: database and Redis together"),
    INTAKE_QUEUE(Kind.MESSAGES, "Pushes that wait to be stored"),
    INTAKE_QUEUE_LIMIT(Kind.MESSAGES, "Pushes that may wait to be stored"),

    MESSAGES_DELIVERED(Kind.COUNTER, "Messages that a broker, receiver or consumer confirmed", "channel"),
    MESSAGES_EXPIRED(Kind.COUNTER, "Messages whose ttl ended before delivery"),
    DEAD(Kind.COUNTER, "Messages that became dead letters", "channel", "reason"),
    ATTEMPTS(Kind.COUNTER, "Deliveries of messages that were tried", "channel", "outcome"),
    LATENESS(Kind.LATE, "From the due time to the confirmation, of messages that came in time", "channel"),
    LATENESS_OVERDUE(Kind.TIMER, "The same time of messages that came when they were due already"),
    DELIVERY_DURATION(Kind.FAST, "One send of a batch, or of one message to a receiver", "channel"),
    DELIVERY_BATCH(Kind.BATCH, "Messages of one send", "channel"),
    OUTCOME_COMMIT_DURATION(Kind.FAST, "One transaction of outcomes: database and Redis together"),
    OUTCOME_WAITING(Kind.GAUGE, "Requests that wait on this node for the end of a message"),

    MESSAGES_NEAR(Kind.LEADER_GAUGE, "Messages in Redis", "place"),
    MESSAGES_FAR(Kind.LEADER_GAUGE, "Messages that wait in the database only; counted up to a limit"),
    MESSAGES_FAR_CAPPED(Kind.LEADER_GAUGE, "1 = the count of messages in the database reached its limit"),
    MESSAGES_OVERDUE(Kind.LEADER_GAUGE, "Unfinished messages due for more than a second; counted up to a limit"),
    OLDEST_OVERDUE(Kind.LEADER_SECONDS, "Time since the due time of the oldest overdue message"),
    DEAD_LETTERS(Kind.LEADER_GAUGE, "Dead letters in the database, counted once a minute"),
    RESPAWNED(Kind.COUNTER, "Dead letters that operators put back"),
    DISCARDED(Kind.COUNTER, "Dead letters that operators discarded"),
    RESTORED(Kind.COUNTER, "Messages that operators put back from the database"),
    CLEARED(Kind.COUNTER, "Messages that operators cleared"),

    TOPICS_PAUSED(Kind.GAUGE, "Topics that are paused, as this node knows them"),
    TOPICS_BACKING_OFF(Kind.LEADER_GAUGE, "Topics that cannot be delivered now and wait"),
    TOPICS_LIMITED(
            Kind.LEADER_GAUGE,
            "Topics whose due messages wait for the limits of their topic, or for a place of their receiver"),
    TOPICS_UNMETERED(
            Kind.GAUGE, "Topics that fit metrics.topics and have no metrics, because as many as max-topics have them"),
    TOPIC_MESSAGES(Kind.LEADER_GAUGE, "Messages of a configured topic in Redis", "topic"),
    TOPIC_WAITING(Kind.LEADER_GAUGE, "Messages of a configured topic in Redis that wait for their due time", "topic"),
    TOPIC_READY(Kind.LEADER_GAUGE, "Due messages of a configured topic that no consumer or leader has taken", "topic"),
    TOPIC_HELD(Kind.LEADER_GAUGE, "Messages of a configured topic that consumers hold", "topic"),
    TOPIC_OLDEST_OVERDUE(Kind.LEADER_SECONDS, "Time since the due time of its oldest ready message", "topic"),
    TOPIC_DELIVERED(
            Kind.COUNTER,
            "Messages of a configured topic that were delivered, or that consumers acknowledged",
            "topic"),
    TOPIC_LATENESS(
            Kind.TIMER,
            "From the due time to the confirmation, or to the consumer of a pulled topic; of messages that came in time",
            "topic"),
    TOPIC_DEAD(Kind.COUNTER, "Messages of a configured topic that became dead letters", "topic"),

    PULL_WAITING(Kind.GAUGE, "Consumers that wait on this node"),
    PULL_HANDED_OUT(Kind.COUNTER, "Messages that consumers got"),
    PULL_SETTLED(Kind.COUNTER, "Messages that consumers settled", "verb"),
    PULL_LAPSED(Kind.COUNTER, "Pulled messages whose consumer did not settle them before its hold ended"),
    PULL_HELD(Kind.GAUGE, "Messages that consumers hold, on all nodes"),
    PULL_OLDEST_READY(Kind.SECONDS, "How long the oldest ready message has waited for a consumer"),
    PULL_COMMIT_DURATION(Kind.TIMER, "One group commit of settled messages: database and Redis together"),

    HTTP_REQUEST_DURATION(Kind.HTTP, "From a request's head to its answer", "route", "method", "status_class"),
    HTTP_RESPONSES(Kind.COUNTER, "Answers by their exact status", "route", "status"),
    HTTP_CONNECTIONS(Kind.GAUGE, "Open connections"),
    HTTP_REQUESTS_IN_FLIGHT(Kind.GAUGE, "Connections with a request that is not answered yet"),
    HTTP_PENDING(Kind.BYTES, "Bodies of requests without an answer, and of answers that were not read yet"),
    GRPC_CALL_DURATION(Kind.HTTP, "From a call of the gRPC interface to its answer", "method", "code"),
    GRPC_CONNECTIONS(Kind.GAUGE, "Open connections of the gRPC interface"),
    GRPC_CALLS_IN_FLIGHT(Kind.GAUGE, "Calls of the gRPC interface that are not answered yet"),
    GRPC_PENDING(Kind.BYTES, "Messages of calls of the gRPC interface that have not ended"),
    INGEST_RECORDS(Kind.COUNTER, "Records of Kafka whose messages are stored"),
    INGEST_REJECTED(Kind.COUNTER, "Records of Kafka that were set aside, because they are no valid push", "reason"),
    INGEST_LAG(Kind.GAUGE, "Records of Kafka that are not stored yet, in the partitions of this node"),
    INGEST_PAUSED(Kind.GAUGE, "1 = no records are read, because of an outage"),
    INGEST_PENDING(Kind.BYTES, "Records of Kafka that are being stored"),
    HTTP_GUARD_REFUSED(Kind.COUNTER, "Requests of foreign web pages that were refused", "reason"),
    TLS_CERTIFICATE_EXPIRES(Kind.SECONDS, "Time until the certificate of the ports expires; below 0 = it has expired"),
    TLS_FILES_REFUSED(
            Kind.GAUGE, "1 = the certificate files have changed and cannot be used: the old certificate is in use"),
    TLS_RELOADS(Kind.COUNTER, "Changes of the certificate files", "outcome"),
    AUTH_FAILURES(Kind.COUNTER, "Requests without the right token", "kind"),
    RATE_LIMITED(Kind.COUNTER, "Calls that were over the rate of their token or namespace", "kind"),
    LOG_LINES_DROPPED(Kind.COUNTER, "Lines of the request log that were dropped because the log was too slow"),
    TRACE_SPANS(Kind.COUNTER, "Spans of requests and deliveries", "outcome"),

    INDEX_COMMAND_DURATION(Kind.COARSE, "One round trip to Redis", "script"),
    INDEX_REFUSED(Kind.COUNTER, "Messages that were stored and that Redis did not take: they wait in the database"),
    INDEX_EVICTING(Kind.GAUGE, "1 = a Redis server may drop keys: its maxmemory-policy is not noeviction"),
    INDEX_MEMORY_USED(Kind.BYTES, "Memory that Redis uses, of all its masters"),
    INDEX_MEMORY_LIMIT(Kind.BYTES, "Memory that Redis may use; 0 = no limit"),
    STORE_STATEMENT_DURATION(Kind.COARSE, "One statement of the database, or the commit", "kind"),
    STORE_CONNECTIONS(Kind.GAUGE, "Connections to the database, and threads that wait for one", "state"),
    STORE_CONNECTIONS_LIMIT(Kind.GAUGE, "Connections to the database that may be open"),

    RECOVERY_ROWS(Kind.COUNTER, "Rows of the database that recovery has read", "work"),
    RECOVERY_SCHEDULED(Kind.COUNTER, "Messages put into Redis from the database", "work"),
    RECOVERY_ROWS_LEFT(Kind.GAUGE, "About how many rows the current walk still has to read", "work"),
    RECOVERY_BUCKETS(Kind.GAUGE, "Buckets that were lost and are being restored"),
    HOUSEKEEPING_REMOVED(Kind.COUNTER, "Messages removed because they had been kept long enough", "status"),
    HOUSEKEEPING_BEHIND(Kind.LEADER_SECONDS, "How much longer than asked for the messages now removed were kept");

    private static final String PREFIX = "mykit.delay.";

    private final Kind kind;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable.
    private final List<String> labels;

    Family(Kind kind, String help, String... labels) {
        this.kind = kind;
        this.help = help;
        this.labels = List.of(labels);
    }

    public Kind kind() {
        return kind;
    }

    public String help() {
        return help;
    }

    public List<String> labels() {
        return labels;
    }

    /** The name for Micrometer. */
    public String meter() {
        return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** The name for Prometheus. */
    public String exported() {
        return meter().replace('.', '_') + kind.suffix();
    }

    /** @param values one for each label */
    public Counter counter(MeterRegistry meters, String... values) {
        return Counter.builder(meter()).description(help).tags(tags(values)).register(meters);
    }

    /** @param count never falls, except after a restart of what it counts */
    public <T> void counter(MeterRegistry meters, T counted, ToDoubleFunction<T> count, String... values) {
        FunctionCounter.builder(meter(), counted, count)
                .description(help)
                .tags(tags(values))
                .register(meters);
    }

    /** @param value read at each scrape; {@code NaN} = not known. The registry keeps {@code measured} alive */
    public <T> Gauge gauge(MeterRegistry meters, T measured, ToDoubleFunction<T> value, String... values) {
        return Gauge.builder(meter(), measured, value)
                .description(help)
                .baseUnit(kind.unit())
                .tags(tags(values))
                .strongReference(true)
                .register(meters);
    }

    public Timer timer(MeterRegistry meters, String... values) {
        return Timer.builder(meter())
                .description(help)
                .serviceLevelObjectives(kind.durations())
                .tags(tags(values))
                .register(meters);
    }

    public DistributionSummary summary(MeterRegistry meters, String... values) {
        return DistributionSummary.builder(meter())
                .description(help)
                .baseUnit(kind.unit())
                .serviceLevelObjectives(kind.sizes())
                .tags(tags(values))
                .register(meters);
    }

    private Tags tags(String... values) {
        if (values.length != labels.size()) {
            throw new IllegalArgumentException(this + " has the labels " + labels);
        }
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            tags.add(Tag.of(labels.get(i), values[i]));
        }
        return Tags.of(tags);
    }
}
