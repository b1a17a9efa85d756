package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketListener;
import io.mykit.delay.queue.bucket.ReadyListener;
import io.mykit.delay.queue.redis.ChannelListener;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listeners of this node that a bucket's earliest due time has come nearer, and exchanges such notices with other
 * nodes. Thread-safe.
 */
final class Wakes implements ChannelListener {
    private static final Logger LOG = LoggerFactory.getLogger(Wakes.class);

    private static final String LAYOUT = "layout";
    /**
     * Stands in a notice where the topic stands in others: settings of topics have changed. No topic begins with a blank, so a node
     * of an older version looks for consumers of a topic that has none.
     */
    private static final String TOPICS = " topics";

    /** As {@link #TOPICS}, and the name of a topic follows: an operator wants it to be tried now. */
    private static final String RETRY = " retry ";

    /** The number of words of a notice with a topic: bucket, sender, topic. The topic may have spaces. */
    private static final int WITH_TOPIC = 3;

    private final List<BucketListener> listeners = new CopyOnWriteArrayList<>();
    private final List<ReadyListener> readyListeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> topicListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> retryListeners = new CopyOnWriteArrayList<>();
    private final String self = UUID.randomUUID().toString();
    private final byte[] channel;
    private final int buckets;
    private volatile Runnable onLayout = () -> {};

    Wakes(byte[] channel, int buckets) {
        this.channel = channel;
        this.buckets = buckets;
    }

    void add(BucketListener listener) {
        listeners.add(listener);
    }

    void add(ReadyListener listener) {
        readyListeners.add(listener);
    }

    void addTopics(Runnable listener) {
        topicListeners.add(listener);
    }

    void addRetry(Consumer<String> listener) {
        retryListeners.add(listener);
    }

    /** Sets the listener for changes of the number of buckets. It must return at once. */
    void onLayout(Runnable listener) {
        onLayout = listener;
    }

    void publishLayout(BucketCalls calls) {
        calls.run(RedisCall.command("PUBLISH", channel, Replies.bytes(LAYOUT + " " + self)));
    }

    void publishTopics(BucketCalls calls) {
        calls.run(RedisCall.command("PUBLISH", channel, Replies.bytes("0 " + self + " " + TOPICS)));
    }

    void publishRetry(BucketCalls calls, String topic) {
        calls.run(RedisCall.command("PUBLISH", channel, Replies.bytes("0 " + self + " " + RETRY + topic)));
    }

    @Override
    public byte[] channel() {
        return channel;
    }

    /**
     * The notice that the scripts publish: the bucket, and the sender; if messages of a pulled topic became ready, the script adds
     * the topic. Nodes of older versions read such a notice like one without a topic.
     */
    byte[] notice(int bucket) {
        return Replies.bytes(bucket + " " + self);
    }

    /** Receives a notice of another node. It ignores the notices of this node, because the listeners already know them. */
    @Override
    public void received(String notice) {
        String[] words = notice.split(" ", WITH_TOPIC);
        if (words.length == 1 || words[1].equals(self)) {
            return;
        }
        if (words[0].equals(LAYOUT)) {
            onLayout.run();
            return;
        }
        try {
            int bucket = Integer.parseInt(words[0]);
            if (words.length == WITH_TOPIC && words[2].equals(TOPICS)) {
                topicListeners.forEach(Runnable::run);
            } else if (words.length == WITH_TOPIC && words[2].startsWith(RETRY)) {
                String topic = words[2].substring(RETRY.length());
                retryListeners.forEach(listener -> listener.accept(topic));
            } else if (words.length == WITH_TOPIC) {
                tellReady(bucket, words[2]);
            } else {
                tell(bucket);
            }
        } catch (NumberFormatException e) {
            LOG.warn(
                    "Ignored an unknown notice on the wake channel in Redis: {}. No other program should publish there",
                    notice);
        }
    }

    @Override
    public void listening() {
        onLayout.run();
        topicListeners.forEach(Runnable::run);
        for (int bucket = 0; bucket < buckets; bucket++) {
            tell(bucket);
        }
    }

    /**
     * Calls the listeners. It ignores buckets beyond the number of this node, because this node has no listener for them.
     */
    void tell(int bucket) {
        if (bucket < 0 || bucket >= buckets) {
            return;
        }
        for (BucketListener listener : listeners) {
            try {
                listener.earlier(bucket);
            } catch (RuntimeException e) {
                // A failure of a listener must not become a failure of the call that scheduled the message.
                LOG.error("A wake-up failed for bucket {}; its scanner finds the message at its next poll", bucket, e);
            }
        }
    }

    /** Calls the listeners: messages of a pulled topic are ready. */
    void tellReady(int bucket, String topic) {
        for (ReadyListener listener : readyListeners) {
            try {
                listener.ready(bucket, topic);
            } catch (RuntimeException e) {
                LOG.error(
                        "A wake-up failed for topic {} in bucket {}; its consumers look again soon", topic, bucket, e);
            }
        }
    }
}
