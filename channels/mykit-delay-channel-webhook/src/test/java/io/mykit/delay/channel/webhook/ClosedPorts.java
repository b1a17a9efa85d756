package io.mykit.delay.channel.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Ports that refuse connections as long as this JVM runs: a socket has each of them and does not listen. Thread-safe. */
final class ClosedPorts {
    private static final Queue<Socket> HELD = new ConcurrentLinkedQueue<>();

    private ClosedPorts() {}

    static int next() throws IOException {
        Socket held = new Socket();
        HELD.add(held);
        held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return held.getLocalPort();
    }

    static String url() throws IOException {
        return "http://127.0.0.1:" + next() + "/";
    }
}
