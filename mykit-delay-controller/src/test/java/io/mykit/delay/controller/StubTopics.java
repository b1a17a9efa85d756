package io.mykit.delay.controller;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.query.PeekedMessage;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicView;
import io.mykit.delay.queue.store.TopicPause;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Topics whose numbers tell what was asked for. */
final class StubTopics implements TopicLookup {
    @Override
    public List<TopicView> topics(String prefix, String after, int limit) {
        if (prefix.isEmpty() && after.isEmpty() && limit == 1000) {
            return List.of(none("oders"), none("other"), none("orders"));
        }
        return List.of(new TopicView(prefix + after, "pull", limit, 2, 3, 4, OptionalLong.empty(), Optional.empty()));
    }

    @Override
    public TopicView topic(String topic) {
        if (topic.equals("oders") || topic.equals("new")) {
            return none(topic);
        }
        return new TopicView(topic, "pull", 1, 2, 3, 4, OptionalLong.of(5), Optional.of(new TopicPause(topic, 6)));
    }

    private static TopicView none(String topic) {
        return new TopicView(topic, "pull", 0, 0, 0, 0, OptionalLong.empty(), Optional.empty());
    }

    @Override
    public List<PeekedMessage> peek(String topic, Location where, int limit) {
        DelayMessage message = new DelayMessage(where + "-" + limit, topic, "", "k", "b", 0, 5, 5, 1, 0);
        return List.of(new PeekedMessage(message, 2, where == Location.TAKEN ? HOLD : null));
    }

    static final Hold HOLD = new Hold(70, Optional.of(new HoldReceipt("receipt", "worker-1", 60)));

    @Override
    public Map<String, Integer> holders(String topic) {
        return Map.of("worker-1", 3);
    }
}
