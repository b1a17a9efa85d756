package io.mykit.delay.kafka;

import io.mykit.delay.channel.Reasons;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * Asks brokers without TLS whether they speak Kafka. The client library takes the first four bytes of any answer for a length and
 * allocates as much: the refusal of a broker that wants TLS would be 352 MB, and an answer of an HTTP server 1.2 GB. So no client is
 * made before a broker has answered here. Stateless.
 */
public final class PlainGreeting {
    /** The answer to this request has a few hundred bytes. */
    private static final int LONGEST_ANSWER = 1024 * 1024;

    private static final int API_VERSIONS = 18;
    private static final int HEADER_BYTES = 10;

    private PlainGreeting() {}

    /**
     * Returns when one of the brokers has answered.
     *
     * @param addresses {@code host:port,host:port}
     * @param section of the configuration, for the error
     * @throws IOException if none does, or an answer is not that of Kafka; the message is for a person
     */
    public static void exchange(String addresses, String section, Duration timeout) throws IOException {
        int timeoutMs = Math.toIntExact(Math.max(1, timeout.toMillis() / 2));
        IOException last = null;
        for (String address : addresses.split(",", -1)) {
            try {
                int length = answerLength(address.strip(), timeoutMs);
                if (length < 0 || length > LONGEST_ANSWER) {
                    throw new IllegalStateException(address.strip() + " does not speak Kafka without TLS (does it want "
                            + section + ".tls, or is it another server?)");
                }
                return;
            } catch (IOException e) {
                last = new IOException(
                        "no broker answers at " + address.strip() + " (is one running there, and does it want TLS?): "
                                + Reasons.of(e),
                        e);
            }
        }
        throw last;
    }

    private static int answerLength(String address, int timeoutMs) throws IOException {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), timeoutMs);
            socket.setSoTimeout(timeoutMs);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(HEADER_BYTES);
            out.writeShort(API_VERSIONS);
            out.writeShort(0);
            out.writeInt(1);
            // No name of a client.
            out.writeShort(-1);
            out.flush();
            return new DataInputStream(socket.getInputStream()).readInt();
        }
    }
}
