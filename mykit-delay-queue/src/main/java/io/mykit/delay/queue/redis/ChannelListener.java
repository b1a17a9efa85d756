package io.mykit.delay.queue.redis;

/** Listens on a pub/sub channel. Called by one thread; must return at once and not throw. */
public interface ChannelListener {
    byte[] channel();

    /** Notices are heard from now on; those before may have been missed. */
    void listening();

    void received(String notice);
}
