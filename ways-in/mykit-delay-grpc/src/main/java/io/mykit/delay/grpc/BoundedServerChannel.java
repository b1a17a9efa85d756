package io.mykit.delay.grpc;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts connections up to a bound, and closes further ones at once: a client sees UNAVAILABLE, and tries again after a while. The event
 * loop of the port calls it.
 */
final class BoundedServerChannel extends NioServerSocketChannel {
    private final AtomicInteger open;
    private final int most;

    /** @param open counts the connections */
    BoundedServerChannel(AtomicInteger open, int most) {
        this.open = open;
        this.most = most;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int before = accepted.size();
        int read = super.doReadMessages(accepted);
        for (int i = accepted.size() - 1; i >= before; i--) {
            Channel connection = (Channel) accepted.get(i);
            if (open.incrementAndGet() > most) {
                open.decrementAndGet();
                accepted.remove(i);
                connection.unsafe().closeForcibly();
            } else {
                connection.closeFuture().addListener(closed -> open.decrementAndGet());
            }
        }
        return read;
    }
}
