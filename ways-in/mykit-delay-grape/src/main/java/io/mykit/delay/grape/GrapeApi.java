package io.mykit.delay.grape;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.HostNames;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.Traffic;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.grape.route.Gate;
import io.mykit.delay.grape.route.GrapeCalls;
import io.mykit.delay.grape.tube.Tubes;
import io.mykit.delay.ports.PortBackend;
import io.mykit.delay.ports.PortGuest;
import io.mykit.delay.ports.call.Later;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.http.Port;
import io.mykit.delay.ports.http.PortBounds;
import java.time.Duration;
import java.util.Map;

/** The port that speaks the HTTP API of Grape. */
public final class GrapeApi implements PortGuest {
    private static final int WORKERS = 8;
    private static final int WORKER_QUEUE = 2048;

    private final GrapeSettings settings;
    private final Workers workers = new Workers("grape-worker", WORKERS, WORKER_QUEUE);
    private final Later later = new Later("grape-timer");
    private final Traffic traffic = new Traffic(System::nanoTime);
    private final Port port;

    /** @param settings with a port, see {@link GrapeSection#isOn} */
    public GrapeApi(ChannelSettings settings, HttpConfig http, PortBackend backend, MeterRegistry meters) {
        this.settings = new GrapeSettings(settings);
        String prefix = this.settings.prefix();
        Engine engine = new Engine(
                backend.producers(),
                backend.consumers(),
                backend.operators(),
                backend.view().topics(),
                new Namespaces(backend.tokens()::isNamespace),
                backend.clock(),
                workers,
                later,
                backend.limits());
        Gate gate =
                new Gate(this.settings.isOpen(), prefix, new Tokens(http, backend.tokens()), new TokenMeters(meters));
        this.port = new Port(
                GrapeSection.NAME,
                this.settings.address(this.settings.port().orElseThrow()),
                PortBounds.ofProcess(),
                new GrapeCalls(engine, gate, new Tubes(engine, prefix), backend.audit(), traffic),
                new HostNames(http),
                backend.tls(),
                backend.requests());
    }

    /**
     * Requires that the port can be bound, before a server starts its other parts. Another process may still take it until {@link #start}.
     *
     * @throws IllegalStateException as {@link #start}
     */
    public static void requireFree(ChannelSettings settings) {
        GrapeSettings own = new GrapeSettings(settings);
        own.port().ifPresent(port -> own.address(port).requireFree());
    }

    /**
     * Binds the port.
     *
     * @throws IllegalStateException if it cannot be bound; the message names the keys to change
     */
    @Override
    public void start() {
        port.start();
    }

    /** The port, also if the configuration asks for any free one. */
    public int port() {
        return port.port();
    }

    @Override
    public String section() {
        return GrapeSection.NAME;
    }

    @Override
    public String address() {
        return settings.host() + ":" + port();
    }

    @Override
    public boolean hasServedWithin(Duration time) {
        return traffic.isWithin(time);
    }

    @Override
    public void announceStop() {
        port.announceStop();
    }

    @Override
    public void close() {
        announceStop();
        port.close();
        later.close();
        // A call that still runs gets no answer any more.
        workers.close(Duration.ZERO);
    }

    @Override
    public String name() {
        return "grape-api";
    }

    @Override
    public Health check() {
        return Health.up(Map.of("host", settings.host(), "port", port()));
    }

    @Override
    public boolean isImmediate() {
        return true;
    }
}
