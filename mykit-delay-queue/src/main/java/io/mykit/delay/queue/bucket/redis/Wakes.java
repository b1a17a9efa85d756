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

/** Who wants to know that a bucket's earliest due time has come nearer, and how nodes tell each other. Thread-safe. */
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

    /** Is run when the number of buckets may have changed. Must return at once. */
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

    /** What the scripts publish: the bucket, and who says so. */
    byte[] notice(int bucket) {
        return Replies.bytes(bucket + " " + self);
    }

    /** Another node's notice. Our own ones were told directly, before they went round. */
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
            LOG.warn("a notice that is not ours on the wake channel: {}", notice);
        }
    }

    @Override
    public void listening() {
        onLayout.run();
        for (int bucket = 0; bucket < buckets; bucket++) {
            tell(bucket);
        }
    }

    /** Buckets that this node would not have are none of its listeners' business. */
    void tell(int bucket) {
        if (bucket < 0 || bucket >= buckets) {
            return;
        }
        for (BucketListener listener : listeners) {
            try {
                listener.earlier(bucket);
            } catch (RuntimeException e) {
                // Whoever scheduled a message must not suffer from whoever listens.
                LOG.error("a listener failed on bucket {}", bucket, e);
            }
        }
    }
}
