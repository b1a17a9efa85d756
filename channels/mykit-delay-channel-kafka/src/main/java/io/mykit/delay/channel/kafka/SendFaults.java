package io.mykit.delay.channel.kafka;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.kafka.ClientFaults;
import java.time.Duration;
import java.util.Set;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Decides by the client's exception whether the message or the broker is at fault, and whether the producer is still usable. Stateless. */
final class SendFaults {
    /** The producer has few places: the messages wait so long for one. */
    private static final Duration PLACE_PAUSE = Duration.ofMillis(100);

    /** After these, a producer answers all further sends with the same error. */
    private static final Set<Class<? extends ApiException>> FATAL = Set.of(
            ClusterAuthorizationException.class,
            InvalidPidMappingException.class,
            InvalidProducerEpochException.class,
            OutOfOrderSequenceException.class,
            ProducerFencedException.class,
            UnknownProducerIdException.class,
            UnsupportedVersionException.class);

    private SendFaults() {}

    /** The fate of a message whose send ended so. */
    static Delivery fate(Throwable thrown) {
        if (thrown instanceof RecordTooLargeException) {
            return Delivery.refused("Kafka: " + Reasons.of(thrown));
        }
        if (thrown instanceof BufferExhaustedException) {
            return Delivery.full("the buffer of the producer is full").retryAfter(PLACE_PAUSE);
        }
        if (thrown instanceof InvalidRecordException) {
            // A topic that is compacted demands a key, for example.
            return Delivery.failed("Kafka: " + Reasons.of(thrown));
        }
        if (thrown instanceof UnknownServerException) {
            return Delivery.unclear("Kafka: " + Reasons.of(thrown));
        }
        if (isOfAnotherRecord(thrown)) {
            return Delivery.deferred("another record of the batch is invalid, so Kafka took none of them");
        }
        return Delivery.unavailable(reason(thrown));
    }

    /** Whether each further send of this producer would fail: a new one has to be made. */
    static boolean isFatal(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (FATAL.contains(cause.getClass())) {
                return true;
            }
        }
        boolean ofClient = thrown instanceof KafkaException && !(thrown instanceof ApiException);
        return thrown instanceof IllegalStateException
                || (ofClient && !(thrown instanceof InterruptException) && !isOfAnotherRecord(thrown));
    }

    /** Whether the topic may be gone, so that it has to be looked up before the next send. A full buffer says nothing of a topic. */
    static boolean isOfTopic(Throwable thrown) {
        boolean late = thrown instanceof TimeoutException && !(thrown instanceof BufferExhaustedException);
        return late || thrown instanceof UnknownTopicOrPartitionException;
    }

    /** The reason for a person, with the setting to look at. */
    static String reason(Throwable thrown) {
        return ClientFaults.reason(thrown, "mykit.delay.kafka");
    }

    /** The client library has no type for it. */
    private static boolean isOfAnotherRecord(Throwable thrown) {
        return thrown.getClass() == KafkaException.class
                && String.valueOf(thrown.getMessage()).contains("part of a batch");
    }
}
