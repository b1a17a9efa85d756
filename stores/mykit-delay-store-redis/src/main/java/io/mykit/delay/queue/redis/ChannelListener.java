package io.mykit.delay.queue.redis;

/** Receives the notices of a pub/sub channel. One thread calls it; each method must return at once and must not throw. */
public interface ChannelListener {
    byte[] channel();

    /** The subscription begins now; notices from before may be lost. */
    void listening();

    void received(String notice);
}
