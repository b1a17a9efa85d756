package io.mykit.delay.test.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.contract.Arrival;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A receiver of gRPC calls on 127.0.0.1, as a process of its own. It answers by the name of the method: {@code Invalid}, {@code Unavailable}, {@code Third} (taken at
 * the third attempt), {@code Slow} (after a second), {@code Never}; any other is taken at once.
 */
public final class GrpcReceiver implements Breakable {
    static final String CALL = "call";
    private static final int FIELDS = 13;

    private final Path dir;
    private final int port;
    private final List<Call> calls = new ArrayList<>();
    private ServerProcess process;
    /** The bytes of the log that {@link #calls} has. */
    private int read;

    private GrpcReceiver(Path dir, int port) {
        this.dir = dir;
        this.port = port;
    }

    public static GrpcReceiver start(Path dir) {
        GrpcReceiver receiver = new GrpcReceiver(dir, FreePorts.next());
        receiver.restart();
        return receiver;
    }

    /** Starts it again on the same port. Its calls so far are kept. */
    @Override
    public void restart() {
        close();
        process = ServerProcess.startJava(
                "receiver",
                dir,
                List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                GrpcReceiverMain.class.getName(),
                List.of(Integer.toString(port)));
        process.awaitReady(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
    }

    public int port() {
        return port;
    }

    /** {@code 127.0.0.1:port} */
    public String host() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void freeze() {
        process.freeze();
    }

    @Override
    public void thaw() {
        process.thaw();
    }

    /** All calls that arrived. */
    public synchronized List<Call> calls() {
        String more = process.log(read);
        String lines = more.substring(0, more.lastIndexOf('\n') + 1);
        lines.lines()
                .map(line -> line.split("\t", -1))
                .filter(fields -> fields.length == FIELDS && fields[0].equals(CALL))
                .map(Call::of)
                .forEach(calls::add);
        read += lines.getBytes(UTF_8).length;
        return List.copyOf(calls);
    }

    /** The calls of one message. */
    public List<Call> callsOf(String id) {
        return calls().stream().filter(call -> call.id().equals(id)).toList();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }

    /**
     * A call as it arrived.
     *
     * @param method {@code shop.Orders/Cancel}
     * @param shop the metadata {@code x-shop}
     * @param traceparent empty without a trace
     * @param leftMs the time to its deadline
     * @param dueTimeMs epoch milliseconds
     * @param atMs epoch milliseconds
     */
    public record Call(
            String method,
            String id,
            int attempt,
            String shop,
            String contentType,
            String traceparent,
            long leftMs,
            String bodyBase64,
            String topic,
            long dueTimeMs,
            long atMs) {
        /** The same as a message. */
        public Arrival arrival() {
            String body = new String(Base64.getDecoder().decode(bodyBase64), UTF_8);
            return new Arrival(id, "", "", dueTimeMs, body, atMs, Map.of());
        }

        private static Call of(String[] fields) {
            return new Call(
                    fields[1],
                    fields[2],
                    Integer.parseInt(fields[3]),
                    fields[4],
                    fields[5],
                    fields[6],
                    fields[7].isEmpty() ? -1 : Long.parseLong(fields[7]),
                    fields[8],
                    fields[9],
                    Long.parseLong(fields[10]),
                    Long.parseLong(fields[11]));
        }
    }
}
