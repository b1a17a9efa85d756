package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A connection to a port of this machine that never blocks. Used by the one thread of its selector. */
final class ClientSocket implements AutoCloseable {
    private final SocketChannel channel;
    private final SelectionKey key;

    /** @param owner the attachment of the key */
    ClientSocket(Selector selector, int port, Object owner) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, owner);
    }

    boolean isWritable() {
        return key.isWritable();
    }

    boolean isReadable() {
        return key.isReadable();
    }

    /** Sends what the socket takes now. The selector tells when it takes the rest. */
    void write(ByteBuffer out) throws IOException {
        channel.write(out);
        int interest = out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    void read(ByteBuffer in) throws IOException {
        if (channel.read(in) < 0) {
            throw new IOException("the server closed a connection");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
