package io.mykit.delay.core;

import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.controller.pull.TopicParts;
import io.mykit.delay.controller.search.SearchParts;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.intake.Rescheduler;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.pull.PullParts;
import io.mykit.delay.queue.query.StoredTopics;
import io.mykit.delay.queue.query.TopicBoard;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.retry.PolicySources;
import io.mykit.delay.queue.search.DueCensus;
import io.mykit.delay.queue.search.MessageSearch;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.util.function.UnaryOperator;

/** The parts of this node that find messages and topics for people. */
record SearchServices(DueCensus census, Recovery recovery, PullParts parts, DelayConfig config) {
    SearchParts open() {
        MessageSearch search = new MessageSearch(recovery.store().search(), recovery.index()::locate, recovery.clock());
        Rescheduler rescheduler =
                new Rescheduler(recovery.store(), recovery.index(), recovery.scheduling(), recovery.clock());
        return new SearchParts(
                search::find,
                search.keys()::unfinished,
                rescheduler::reschedule,
                search.indexes()::now,
                census::count,
                recovery.clock(),
                config.console());
    }

    TopicParts topics(Channels channels, LeaderElector elector, DifferingTopics differing) {
        UnaryOperator<String> names = topic -> channels.route(topic).name();
        TopicBoard board = new TopicBoard(
                recovery.index().holds(),
                recovery.store(),
                parts.paused(),
                differing,
                names,
                parts.meters().backingOff(),
                () -> elector.role() == LeaderElector.Role.LEADER,
                recovery.clock(),
                System::nanoTime);
        PolicySources policies = new PolicySources(config.delivery(), parts.policies(), channels::retry);
        return new TopicParts(
                new StoredTopics(recovery.store(), recovery.index().holds(), parts.paused(), names),
                board::list,
                board::state,
                policies::of);
    }
}
