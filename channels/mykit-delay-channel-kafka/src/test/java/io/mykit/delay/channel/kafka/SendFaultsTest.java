package io.mykit.delay.channel.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Delivery.Kind;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SendFaultsTest {
    static Stream<Arguments> fates() {
        return Stream.of(
                Arguments.of(new UnknownTopicOrPartitionException("x"), Kind.UNAVAILABLE),
                Arguments.of(new TopicAuthorizationException("x"), Kind.UNAVAILABLE),
                Arguments.of(new NotEnoughReplicasException("x"), Kind.UNAVAILABLE),
                Arguments.of(new NotEnoughReplicasAfterAppendException("x"), Kind.UNAVAILABLE),
                Arguments.of(new TimeoutException("x"), Kind.UNAVAILABLE),
                Arguments.of(new NetworkException("x"), Kind.UNAVAILABLE),
                Arguments.of(new SaslAuthenticationException("x"), Kind.UNAVAILABLE),
                Arguments.of(new ProducerFencedException("x"), Kind.UNAVAILABLE),
                Arguments.of(new OutOfOrderSequenceException("x"), Kind.UNAVAILABLE),
                Arguments.of(new IllegalStateException("closed"), Kind.UNAVAILABLE),
                Arguments.of(new RecordTooLargeException("x"), Kind.REFUSED),
                Arguments.of(new InvalidRecordException("x"), Kind.FAILED),
                Arguments.of(ofAnother(), Kind.DEFERRED),
                Arguments.of(new UnknownServerException("x"), Kind.UNCLEAR),
                Arguments.of(new BufferExhaustedException("x"), Kind.FULL));
    }

    @ParameterizedTest
    @MethodSource("fates")
    void whatIsSharedIsNoAttemptAndWhatIsTheMessagesIsOne(Exception thrown, Kind kind) {
        Delivery fate = SendFaults.fate(thrown);
        assertThat(fate.kind()).isEqualTo(kind);
        assertThat(fate.detail()).isNotEmpty();
        // It may have been stored: only a send that never began is certain.
        assertThat(fate.unsent()).isFalse();
    }

    @Test
    void aProducerThatCannotSendAnyMoreIsReplacedAndNoOther() {
        assertThat(Stream.of(
                        new ProducerFencedException("x"),
                        new InvalidProducerEpochException("x"),
                        new OutOfOrderSequenceException("x"),
                        new ClusterAuthorizationException("x"),
                        new KafkaException("in an error state", new ProducerFencedException("x")),
                        new IllegalStateException("closed")))
                .allMatch(SendFaults::isFatal);
        assertThat(Stream.of(
                        new TimeoutException("x"),
                        new NetworkException("x"),
                        new RecordTooLargeException("x"),
                        new TopicAuthorizationException("x"),
                        new SaslAuthenticationException("x"),
                        new InterruptException("x"),
                        ofAnother()))
                .noneMatch(SendFaults::isFatal);
        // The constructor of InterruptException interrupts its thread.
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void afterATimeoutTheTopicIsLookedUpAndAfterAFullBufferItIsNot() {
        assertThat(SendFaults.isOfTopic(new TimeoutException("x"))).isTrue();
        assertThat(SendFaults.isOfTopic(new UnknownTopicOrPartitionException("x")))
                .isTrue();
        assertThat(SendFaults.isOfTopic(new BufferExhaustedException("x"))).isFalse();
    }

    @Test
    void theReasonNamesTheSettingsToLookAt() {
        assertThat(SendFaults.reason(new TimeoutException(new SaslAuthenticationException("Authentication failed"))))
                .contains("refuses the connection", "Authentication failed", "mykit.delay.kafka.username, .password");
        assertThat(SendFaults.reason(new TopicAuthorizationException("orders")))
                .contains("denies permission", "mykit.delay.kafka.username");
    }

    private static Exception ofAnother() {
        return new KafkaException(
                "Failed to append record because it was part of a batch which had one more more invalid records");
    }
}
