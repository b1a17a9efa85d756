package io.mykit.delay.queue.overview;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.series.Sampler;
import io.mykit.delay.queue.series.Series;
import io.mykit.delay.queue.series.TopicPoints;
import io.mykit.delay.queue.state.QueueState;
import java.time.Duration;
import java.time.InstantSource;

/** Tells other nodes about this one, and operators about the queue. Close it before the index. */
public final class NodeBoard implements Service {
    private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final NodeIdentity identity;
    private final Channels channels;
    private final MessageIndex index;
    private final InstantSource clock;
    private final NodeLoop rounds;
    private final LoopRunner loop;
    private final Overviews overviews;

    public NodeBoard(NodeIdentity identity, QueueState state, MeterRegistry meters) {
        this.identity = identity;
        this.channels = state.channels();
        this.index = state.index();
        this.clock = state.clock();
        Parts parts = new Parts(state.checks());
        OwnWarnings warnings =
                new OwnWarnings(identity, parts, index, state.failing(), state.differing(), meters, clock);
        OwnNode own =
                new OwnNode(identity, state.elector(), state.works(), parts, warnings, state.channels()::byName, clock);
        Sampler sampler = new Sampler(meters, state.lateness());
        Counts counts = new Counts(state.store(), index, parts);
        ActingCalls calls = new ActingCalls(identity.node(), index.notes());
        Nodes nodes = new Nodes(own, index.notes(), clock);
        OtherNodes others = new OtherNodes(nodes, state.differing(), meters);
        rounds = new NodeLoop(
                own,
                warnings,
                state.works(),
                sampler,
                state.minutes(),
                calls,
                others,
                index,
                () -> counts.near(clock.millis()),
                clock);
        this.loop = new LoopRunner("node-note", rounds, PAUSE);
        Series series = new Series(identity.node(), sampler, index.notes()::samples);
        TopicPoints topics = new TopicPoints(identity.node(), state.minutes(), index.notes()::minutes);
        this.overviews = new QueueOverview(own, nodes, counts, series, topics, calls, index.notes(), clock);
    }

    /** The answers to operators. Before the start they know no part. */
    public Overviews overviews() {
        return overviews;
    }

    /**
     * Writes the first note and reads those of the others, and then tells the others. So a leader knows the configuration of a node before
     * that node takes its first request, and a node knows the others before it leads.
     */
    @Override
    public void start() {
        Duration unused = rounds.runOnce();
        index.onTopics(() -> {
            rounds.otherStarted();
            loop.wake();
        });
        try {
            index.announceTopics();
        } catch (IndexUnavailableException e) {
            // The other nodes read the note within five seconds.
        }
        // The others must know soon which channel this node uses: until then, the leader may let the topic wait.
        channels.onChange(topic -> {
            rounds.ownChannelsChanged();
            loop.wake();
        });
        loop.start();
    }

    @Override
    public void close() {
        loop.close();
        try {
            index.notes().write(identity.node(), NodeNote.stopped(clock.millis()), "", 0);
        } catch (IndexUnavailableException e) {
            // The other nodes show it as stale, for a minute.
        }
    }
}
