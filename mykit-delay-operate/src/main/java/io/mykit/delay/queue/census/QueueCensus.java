package io.mykit.delay.queue.census;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NearCount;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the messages of the queue on the leader, for metrics. A look costs three short commands for each bucket, one seek for
 * each status, and counts that stop at {@link #LIMIT}; with metrics of topics, also a script for each bucket and fifty topics. One thread runs the loop; any thread may read.
 */
public final class QueueCensus implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(QueueCensus.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    /** No count reads more index entries than this. */
    private static final int LIMIT = 50_000;
    /** A message is not overdue while it is being delivered in time. */
    private static final long GRACE_MS = 1000;

    private final MessageStore store;
    private final MessageIndex index;
    private final InstantSource clock;
    private final LeaderElector elector;
    private final ScrapeWatch scrapes;
    private final TopicMeters topics;
    private volatile QueueCount last = QueueCount.UNKNOWN;

    /**
     * @param clock the clock of the cluster
     * @param topics get the numbers of single topics
     */
    public QueueCensus(
            MessageStore store,
            MessageIndex index,
            InstantSource clock,
            LeaderElector elector,
            ScrapeWatch scrapes,
            TopicMeters topics) {
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.elector = elector;
        this.scrapes = scrapes;
        this.topics = topics;
    }

    /** Registers the metrics. */
    public void register(MeterRegistry meters) {
        near(meters, "pool", NearCount::pool);
        near(meters, "leased", NearCount::leased);
        near(meters, "parked", NearCount::parked);
        Family.MESSAGES_FAR.gauge(meters, this, census -> census.rows(QueueCount.Rows::far));
        Family.MESSAGES_FAR_CAPPED.gauge(meters, this, census -> census.rows(rows -> rows.capped() ? 1 : 0));
        Family.MESSAGES_OVERDUE.gauge(meters, this, census -> census.rows(QueueCount.Rows::overdue));
        Family.OLDEST_OVERDUE.gauge(meters, this, census -> census.rows(rows -> census.age(rows.oldestMs())));
    }

    private void near(MeterRegistry meters, String place, ToDoubleFunction<NearCount> count) {
        Family.MESSAGES_NEAR.gauge(meters, this, census -> census.value(census.last.near(), count), place);
    }

    /** Looks if this node leads and metrics are scraped. */
    @Override
    public Duration runOnce() {
        if (!leads()) {
            last = QueueCount.UNKNOWN;
            topics.forget();
        } else if (scrapes.areGoingOn()) {
            last = look();
        }
        topics.rest();
        return INTERVAL;
    }

    private QueueCount look() {
        NearCount near = null;
        QueueCount.Rows rows = null;
        try {
            near = index.near();
            countTopics();
        } catch (DelayException e) {
            LOG.debug("Messages in Redis are not counted", e);
            topics.forget();
        }
        try {
            rows = countRows();
        } catch (DelayException e) {
            LOG.debug("Messages in the database are not counted", e);
        }
        return new QueueCount(near, rows);
    }

    private QueueCount.Rows countRows() {
        long overdueMs = clock.millis() - GRACE_MS;
        long overdue = 0;
        long oldestMs = Long.MAX_VALUE;
        for (MessageStatus status : MessageStatus.UNFINISHED) {
            List<RowState> first = store.pageStates(status, RowCursor.START, overdueMs, 1);
            if (!first.isEmpty()) {
                oldestMs = Math.min(oldestMs, first.get(0).dueTimeMs());
                overdue += store.count(status, overdueMs, LIMIT);
            }
        }
        long far = store.count(MessageStatus.WAIT_PUT, Long.MAX_VALUE, LIMIT);
        return new QueueCount.Rows(far, far == LIMIT, overdue, oldestMs == Long.MAX_VALUE ? 0 : oldestMs);
    }

    /** There may be very many topics, so only the names of those are read that have metrics or may get them. */
    private void countTopics() {
        Set<String> found =
                topics.beginnings().isEmpty() ? Set.of() : index.holds().names(topics.beginnings());
        List<String> names = topics.admit(found);
        if (!names.isEmpty()) {
            index.holds()
                    .counts(names)
                    .forEach(count ->
                            topics.show(count.topic(), count.waiting(), count.ready(), count.held(), count.oldestMs()));
        }
    }

    private boolean leads() {
        return elector.role() == LeaderElector.Role.LEADER;
    }

    private double age(long dueMs) {
        return dueMs == 0 ? 0 : Math.max(0, clock.millis() - dueMs) / 1000.0;
    }

    private double rows(ToDoubleFunction<QueueCount.Rows> count) {
        return value(last.rows(), count);
    }

    private <T> double value(T found, ToDoubleFunction<T> count) {
        return found == null || !leads() ? Double.NaN : count.applyAsDouble(found);
    }
}
