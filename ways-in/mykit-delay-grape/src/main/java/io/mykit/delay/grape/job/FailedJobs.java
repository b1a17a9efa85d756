package io.mykit.delay.grape.job;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.grape.tube.Tube;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The failed jobs of a tube, as JSON. Blocks; stateless. */
final class FailedJobs {
    private FailedJobs() {}

    /** As many as {@code max}, and as there is memory for; one at least. */
    static List<String> of(Engine engine, Tube tube, int max) {
        List<String> jobs = new ArrayList<>();
        long characters = 0;
        for (DeadLetter letter : engine.operators().deadLetters(tube.topic(), DeadQuery.ALL, DeadCursor.START, max)) {
            if (characters >= BodyBounds.TOGETHER) {
                break;
            }
            Optional<MessageView> found = engine.producers().find(letter.id());
            // Another call may have taken it out of the failed ones meanwhile.
            if (found.isPresent() && found.get().status() == MessageStatus.FAILED) {
                jobs.add(json(engine, tube, found.get()));
                characters += jobs.get(jobs.size() - 1).length();
            }
        }
        return jobs;
    }

    private static String json(Engine engine, Tube tube, MessageView view) {
        return JobJson.of(
                tube.jid(view.message().id()),
                view.message(),
                ConsumeCall.ttrMs(engine, view.message().extras().ttrMs()),
                view.attempts());
    }
}
