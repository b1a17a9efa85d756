package io.mykit.delay.test.fault.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Begins before the server's main. Arguments, separated by semicolons: {@code port} where points to be armed are taken, one
 * a connection, and answered with a line; {@code methods} that get a wire, {@code armed} from the beginning, {@code aheadMs}
 * by which the clock is wrong, {@code deed} that is done at a point, and {@code thread} which alone does it.
 */
public final class ServerAgent {

    private ServerAgent() {}

    /** Called by the JVM. */
    public static void premain(String arguments, Instrumentation instrumentation) throws IOException {
        Map<String, String> given = new HashMap<>();
        for (String argument : arguments.split(";", -1)) {
            int equals = argument.indexOf('=');
            given.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        WrongClock.setAheadMs(Long.parseLong(given.getOrDefault("aheadMs", "0")));
        Tripwire.set(Tripwire.Deed.valueOf(given.getOrDefault("deed", "HALT")), given.getOrDefault("thread", ""));
        Set<String> methods =
                given.containsKey("methods") ? Set.of(given.get("methods").split(",", -1)) : Set.of();
        if (given.containsKey("armed")) {
            Tripwire.arm(Point.parse(given.get("armed")));
        }
        instrumentation.addTransformer(new Weaver(methods));
        if (given.containsKey("port")) {
            listen(Integer.parseInt(given.get("port")));
        }
    }

    private static void listen(int port) throws IOException {
        ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> takeOrders(server), "tripwire");
        thread.setDaemon(true);
        thread.start();
    }

    private static void takeOrders(ServerSocket server) {
        while (true) {
            try (Socket socket = server.accept();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
                Tripwire.arm(Point.parse(in.readLine()));
                socket.getOutputStream().write("armed\n".getBytes(StandardCharsets.UTF_8));
            } catch (IOException | RuntimeException e) {
                // The harness notices that it is not answered.
                System.err.println("server agent: " + e);
            }
        }
    }
}
