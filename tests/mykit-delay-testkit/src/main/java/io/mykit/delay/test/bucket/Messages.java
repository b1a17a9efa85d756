package io.mykit.delay.test.bucket;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.ArrayList;
import java.util.List;

/** Makes messages for tests of an index. */
final class Messages {
    private Messages() {}

    static DelayMessage message(String id, String topic, long dueTimeMs, int priority) {
        return MessageBuilder.withId(id)
                .topic(topic)
                .subtopic("sub")
                .bizKey("key-" + id)
                .body("body of " + id)
                .created(dueTimeMs - 1000)
                .delay(1000)
                .due(dueTimeMs)
                .priority(priority)
                .ttl(60)
                .build();
    }

    static DelayMessage message(String id, String topic, long dueTimeMs) {
        return message(id, topic, dueTimeMs, 5);
    }

    /** Ids that all fall into one bucket. */
    static List<String> idsIn(MessageIndex index, int bucket, int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; ids.size() < count; i++) {
            String id = "m" + i;
            if (index.bucketOf(id) == bucket) {
                ids.add(id);
            }
        }
        return ids;
    }
}
