package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.ServerProcess;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@link RawHttpMain} as a process of its own. */
public final class RawHttpServer implements AutoCloseable {
    private final int port = FreePorts.next();
    private final ServerProcess process;

    RawHttpServer(Path dir, String javaOptions) {
        List<String> command =
                ServerProcess.java(List.of(javaOptions), RawHttpMain.class.getName(), List.of(Integer.toString(port)));
        process = ServerProcess.start("raw-http", dir, command, Map.of());
        process.awaitReady(Duration.ofSeconds(20), () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            }
        });
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
