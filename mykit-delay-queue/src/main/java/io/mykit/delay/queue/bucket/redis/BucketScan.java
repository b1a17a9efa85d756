package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what is due in one bucket. A script must be told all keys it touches, but only the messages know their topics:
 * so it is told those that were seen lately, leaves the messages of others where they are, and says which these are;
 * they are declared in the next call. Thread-safe.
 */
final class BucketScan {
    private static final Logger LOG = LoggerFactory.getLogger(BucketScan.class);
    private static final int REMEMBERED_TOPICS = 128;
    /** Each call after the first declares all that the one before met, so a second one moves something. */
    private static final int MAX_CALLS = 8;
    /** Bound on the pool values that one script looks at. */
    static final byte[] MAX_BYTES = Replies.bytes(4 << 20);

    private final BucketKeys keys;
    private final BucketCalls calls;
    private final Map<String, byte[]> topics = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
            return size() > REMEMBERED_TOPICS;
        }
    };

    BucketScan(BucketKeys keys, BucketCalls calls) {
        this.keys = keys;
        this.calls = calls;
    }

    ScanResult moveDue(long epoch, int limit, Handover handover) {
        List<String> undeclared = List.of();
        for (int call = 1; ; call++) {
            List<?> reply = Replies.list(move(epoch, limit, handover, undeclared));
            int moved = (int) Replies.number(reply.get(0));
            long dropped = Replies.number(reply.get(1));
            if (dropped > 0) {
                LOG.warn("bucket {}: {} due id(s) had no message in the pool and were dropped", keys.bucket, dropped);
            }
            Set<String> filled = new HashSet<>(texts(reply.get(4)));
            List<DelayMessage> taken = TakenMessages.read(keys.bucket, Replies.list(reply.get(6)), 0);
            undeclared = texts(reply.get(5));
            remember(filled);
            taken.forEach(message -> remember(List.of(message.topic())));
            if (moved > 0 || undeclared.isEmpty() || call == MAX_CALLS) {
                remember(undeclared);
                return new ScanResult(moved, filled, taken, Replies.number(reply.get(2)), Replies.number(reply.get(3)));
            }
        }
    }

    private Object move(long epoch, int limit, Handover handover, List<String> undeclared) {
        Map<String, byte[]> declared = new LinkedHashMap<>();
        synchronized (topics) {
            declared.putAll(topics);
        }
        for (String topic : undeclared) {
            declared.computeIfAbsent(topic, keys::ready);
        }
        byte[][] scriptKeys = new byte[5 + declared.size()][];
        byte[][] arguments = new byte[5 + declared.size()][];
        scriptKeys[0] = keys.epoch;
        scriptKeys[1] = keys.waiting;
        scriptKeys[2] = keys.pool;
        scriptKeys[3] = keys.topics;
        scriptKeys[4] = keys.lease;
        arguments[0] = Replies.bytes(epoch);
        arguments[1] = Replies.bytes(limit);
        arguments[2] = MAX_BYTES;
        arguments[3] = Replies.bytes(handover.lease().toMillis());
        arguments[4] = Replies.bytes(handover.limit());
        int i = 5;
        for (Map.Entry<String, byte[]> topic : declared.entrySet()) {
            scriptKeys[i] = topic.getValue();
            arguments[i] = Replies.bytes((handover.topics().test(topic.getKey()) ? "+" : "-") + topic.getKey());
            i++;
        }
        return calls.run(keys, LuaScript.MOVE_DUE, scriptKeys, arguments);
    }

    private void remember(Iterable<String> seen) {
        synchronized (topics) {
            for (String topic : seen) {
                if (topics.get(topic) == null) {
                    topics.put(topic, keys.ready(topic));
                }
            }
        }
    }

    private static List<String> texts(Object reply) {
        List<String> texts = new ArrayList<>();
        for (Object text : Replies.list(reply)) {
            texts.add(Replies.text(text));
        }
        return texts;
    }
}
