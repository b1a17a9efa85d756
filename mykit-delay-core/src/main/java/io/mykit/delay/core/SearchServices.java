package io.mykit.delay.core;

import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.controller.search.SearchParts;
import io.mykit.delay.queue.intake.Rescheduler;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.search.MessageSearch;
import io.mykit.delay.queue.topic.WithheldTopics;

/** The parts of this node that find messages for people. */
record SearchServices(Recovery recovery, WithheldTopics withheld, DelayConfig config) {
    SearchParts parts() {
        MessageSearch search = new MessageSearch(recovery.store().search(), recovery.clock());
        Rescheduler rescheduler = new Rescheduler(
                recovery.store(), recovery.index(), recovery.scheduling(), withheld, recovery.clock());
        return new SearchParts(search::find, rescheduler::reschedule, recovery.clock(), config.console());
    }
}
