package io.mykit.delay.queue.recovery;

import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.DeadReport;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadLetterStore;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A walk through the dead letters of an order, topic by topic and page by page. One thread. */
final class DeadWalk {
    /** How many rows are changed in one transaction. */
    static final int PAGE = 500;

    private final DeadLetterStore store;
    private final DeadOrder order;
    private final DeadQuery query;
    private long matched;
    private long changed;

    /** @param begunMs the walk leaves out the messages that die after this time, epoch milliseconds */
    DeadWalk(DeadLetterStore store, DeadOrder order, long begunMs) {
        this.store = store;
        this.order = order;
        this.query = order.query().until(begunMs + 1);
    }

    /** Changes the dead letters. */
    DeadReport run(DeadPage change, LongConsumer meter, Progress progress) {
        forEachTopic(progress, topic -> change(topic, change, meter, progress));
        return report(progress);
    }

    /** Counts the dead letters. */
    DeadReport dryRun(Progress progress) {
        forEachTopic(progress, topic -> matched += store.countDead(topic, query));
        matched = Math.min(matched, order.limit());
        return report(progress);
    }

    private DeadReport report(Progress progress) {
        return new DeadReport(matched, changed, progress.milliseconds(), progress.isStopping());
    }

    private void change(String topic, DeadPage change, LongConsumer meter, Progress progress) {
        DeadCursor cursor = DeadCursor.START;
        List<DeadLetter> page;
        do {
            page = store.deadLetters(topic, query, cursor, (int) Math.min(PAGE, order.limit() - matched));
            if (page.isEmpty()) {
                return;
            }
            int done = change.change(page.stream().map(DeadLetter::id).toList(), matched);
            matched += page.size();
            changed += done;
            meter.accept(done);
            progress.advance(page.size());
            cursor = page.get(page.size() - 1).cursor();
        } while (goesOn(progress));
    }

    private boolean goesOn(Progress progress) {
        return !progress.isStopping() && matched < order.limit();
    }

    private void forEachTopic(Progress progress, Consumer<String> visit) {
        if (!order.isPrefix()) {
            visit.accept(order.topics());
            return;
        }
        String after = "";
        List<DeadTopic> topics = store.deadTopics(order.topics(), after, PAGE);
        while (!topics.isEmpty()) {
            for (DeadTopic topic : topics) {
                if (!goesOn(progress)) {
                    return;
                }
                visit.accept(topic.topic());
                after = topic.topic();
            }
            topics = store.deadTopics(order.topics(), after, PAGE);
        }
    }
}
