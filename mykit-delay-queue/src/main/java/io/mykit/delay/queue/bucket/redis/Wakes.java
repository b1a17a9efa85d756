package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketListener;
import io.mykit.delay.queue.redis.ChannelListener;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listeners of this node that a bucket's earliest due time has come nearer, and exchanges such notices with other
 * nodes. Thread-safe.
 */
final class Wakes implements ChannelListener {
    private static final Logger LOG = LoggerFactory.getLogger(Wakes.class);

    private static final String LAYOUT = "layout";

    private final List<BucketListener> listeners = new CopyOnWriteArrayList<>();
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

    /** Sets the listener for changes of the number of buckets. It must return at once. */
    void onLayout(Runnable listener) {
        onLayout = listener;
    }

    void publishLayout(BucketCalls calls) {
        calls.run(RedisCall.command("PUBLISH", channel, Replies.bytes(LAYOUT + " " + self)));
    }

    @Override
    public byte[] channel() {
        return channel;
    }

    /** The notice that the scripts publish: the bucket, and the sender. */
    byte[] notice(int bucket) {
        return Replies.bytes(bucket + " " + self);
    }

    /** Receives a notice of another node. It ignores the notices of this node, because the listeners already know them. */
    @Override
    public void received(String notice) {
        int space = notice.indexOf(' ');
        if (space < 1 || notice.endsWith(self)) {
            return;
        }
        String what = notice.substring(0, space);
        if (what.equals(LAYOUT)) {
            onLayout.run();
            return;
        }
        try {
            tell(Integer.parseInt(what));
        } catch (NumberFormatException e) {
            LOG.warn(
                    "Ignored an unknown notice on the wake channel in Redis: {}. No other program should publish there",
                    notice);
        }
    }

    @Override
    public void listening() {
        onLayout.run();
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
}
