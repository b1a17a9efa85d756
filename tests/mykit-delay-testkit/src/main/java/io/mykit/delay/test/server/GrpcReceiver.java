package io.mykit.delay.test.server;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A receiver of gRPC calls on 127.0.0.1, as a process of its own. It answers by the name of the method: {@code Invalid}, {@code Unavailable}, {@code Third} (taken at
 * the third attempt), {@code Slow} (after a second), {@code Never}; any other is taken at once.
 */
public final class GrpcReceiver implements AutoCloseable {
    static final String CALL = "call";
    private static final int FIELDS = 10;

    private final Path dir;
    private final int port;
    private ServerProcess process;

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
    public void restart() {
        close();
        List<String> command = ServerProcess.java(
                List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                GrpcReceiverMain.class.getName(),
                List.of(Integer.toString(port)));
        process = ServerProcess.start("receiver", dir, command, Map.of());
        process.awaitReady(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
    }

    /** {@code 127.0.0.1:port} */
    public String host() {
        return "127.0.0.1:" + port;
    }

    public void kill() {
        process.kill();
    }

    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    /** All calls that arrived. */
    public List<Call> calls() {
        return process.log()
                .lines()
                .map(line -> line.split("\t", -1))
                .filter(fields -> fields.length == FIELDS && fields[0].equals(CALL))
                .map(Call::of)
                .toList();
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
     */
    public record Call(
            String method,
            String id,
            int attempt,
            String shop,
            String contentType,
            String traceparent,
            long leftMs,
            String bodyBase64) {
        private static Call of(String[] fields) {
            return new Call(
                    fields[1],
                    fields[2],
                    Integer.parseInt(fields[3]),
                    fields[4],
                    fields[5],
                    fields[6],
                    fields[7].isEmpty() ? -1 : Long.parseLong(fields[7]),
                    fields[8]);
        }
    }
}
