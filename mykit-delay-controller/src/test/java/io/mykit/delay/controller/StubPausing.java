package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.topic.TopicPausing;
import java.time.Duration;
import java.util.Optional;

/** Pauses that end at the length that was asked for. */
final class StubPausing implements TopicPausing {
    @Override
    public TopicPause pause(String topic, Optional<Duration> length) {
        check(topic);
        return new TopicPause(topic, length.map(Duration::toMillis).orElse(TopicPause.UNTIL_RESUMED));
    }

    @Override
    public void resume(String topic) {
        check(topic);
    }

    private static void check(String topic) {
        if (topic.equals("STORE_UNAVAILABLE")) {
            throw new DelayException(ErrorCode.STORE_UNAVAILABLE, "no store");
        }
    }
}
