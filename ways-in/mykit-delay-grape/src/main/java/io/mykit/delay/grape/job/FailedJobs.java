package io.mykit.delay.grape.job;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.grape.tube.Tube;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadQuery;
import java.util.List;
import java.util.Optional;

/** The failed jobs of a tube, as JSON. Blocks; stateless. */
final class FailedJobs {
    private FailedJobs() {}

    static List<String> of(Engine engine, Tube tube, int max) {
        return engine.operators().deadLetters(tube.topic(), DeadQuery.ALL, DeadCursor.START, max).stream()
                .map(letter -> engine.producers().find(letter.id()))
                .flatMap(Optional::stream)
                // Another call may have taken it out of the failed ones meanwhile.
                .filter(view -> view.status() == MessageStatus.FAILED)
                .map(view -> json(engine, tube, view))
                .toList();
    }

    private static String json(Engine engine, Tube tube, MessageView view) {
        return JobJson.of(
                tube.jid(view.message().id()),
                view.message(),
                ConsumeCall.ttrMs(engine, view.message().extras().ttrMs()),
                view.attempts());
    }
}
