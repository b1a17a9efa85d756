package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decodes the messages that a script returned: id, pool value, id, pool value. Stateless. */
final class TakenMessages {
    private static final Logger LOG = LoggerFactory.getLogger(TakenMessages.class);

    private TakenMessages() {}

    /** @param from the index of the first id */
    static List<DelayMessage> read(int bucket, List<?> reply, int from) {
        List<DelayMessage> messages = new ArrayList<>(reply.size() / 2);
        for (int i = from; i < reply.size(); i += 2) {
            String id = StoredIds.text(reply.get(i));
            try {
                messages.add(MessageCodec.decode(id, (byte[]) reply.get(i + 1)));
            } catch (IllegalArgumentException e) {
                // A newer version may have written the value. The message stays under its lease, and the other messages
                // must not wait for it.
                LOG.error(
                        "Bucket {}: cannot decode message {}, so it stays under its lease; check the version of this node",
                        bucket,
                        id,
                        e);
            }
        }
        return messages;
    }
}
