package io.mykit.delay.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CommitLogTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(CommitLog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private long nanos;
    private final CommitLog commits = new CommitLog(() -> nanos);

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @Test
    void commitsThatFailForAMinuteAreTold() {
        for (int second = 0; second < 60; second++) {
            commits.failed(new GroupAuthorizationException("orders"));
            nanos += Duration.ofSeconds(1).toNanos();
        }
        assertThat(told()).isEmpty();
        commits.failed(new RetriableCommitFailedException(new GroupAuthorizationException("orders")));
        assertThat(told())
                .singleElement()
                .asString()
                .startsWith("No offsets are committed to Kafka")
                .contains("GroupAuthorizationException");
        commits.succeeded();
        assertThat(told()).hasSize(2).last().asString().startsWith("Offsets are committed to Kafka again");
    }

    @Test
    void failuresWithASuccessBetweenThemAreThoseOfARebalance() {
        for (int minute = 0; minute < 5; minute++) {
            commits.failed(new CommitFailedException());
            commits.succeeded();
            nanos += Duration.ofMinutes(1).toNanos();
        }
        assertThat(told()).isEmpty();
    }

    private List<String> told() {
        return lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
