package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a script has taken: id, pool value, id, pool value. Stateless. */
final class TakenMessages {
    private static final Logger LOG = LoggerFactory.getLogger(TakenMessages.class);

    private TakenMessages() {}

    /** @param from where the first id is */
    static List<DelayMessage> read(int bucket, List<?> reply, int from) {
        List<DelayMessage> messages = new ArrayList<>(reply.size() / 2);
        for (int i = from; i < reply.size(); i += 2) {
            String id = StoredIds.text(reply.get(i));
            try {
                messages.add(MessageCodec.decode(id, (byte[]) reply.get(i + 1)));
            } catch (IllegalArgumentException e) {
                // Written by a newer version of ours: it stays under its lease, and the others must not wait for it.
                LOG.error("bucket {}: message {} cannot be read and is left under its lease", bucket, id, e);
            }
        }
        return messages;
    }
}
