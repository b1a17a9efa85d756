package io.mykit.delay.queue.state;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.operator.Works;
import io.mykit.delay.queue.series.LatenessClasses;
import io.mykit.delay.queue.series.TopicMinutes;
import io.mykit.delay.queue.store.MessageStore;
import java.util.List;

/**
 * The parts of a running queue that show its state, for those who watch and change nothing. Each is thread-safe.
 *
 * @param elector the role of this node
 * @param checks the health of each part, in the order of {@code /health}
 * @param works the walks of recovery on this node
 * @param paused the topics that are paused
 * @param differing the topics that other nodes deliver by other channels
 * @param failing the topics that cannot be delivered now
 * @param lateness the lateness of deliveries on this node
 * @param minutes the numbers of single topics in the last hour
 * @param topicMeters the metrics of single topics
 */
public record QueueState(
        DelayConfig config,
        MessageStore store,
        MessageIndex index,
        ClusterClock clock,
        Channels channels,
        LeaderElector elector,
        List<HealthCheck> checks,
        Works works,
        PausedTopics paused,
        TopicDifferences differing,
        FailingTopics failing,
        LatenessClasses lateness,
        TopicMinutes minutes,
        TopicMeters topicMeters) {
    /** Whether this node leads. */
    public boolean leads() {
        return elector.role() == LeaderElector.Role.LEADER;
    }
}
