package io.mykit.delay.lmstfy;

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
import io.mykit.delay.lmstfy.admin.AccessLogCalls;
import io.mykit.delay.lmstfy.admin.AccountGate;
import io.mykit.delay.lmstfy.admin.Accounts;
import io.mykit.delay.lmstfy.admin.AdminCalls;
import io.mykit.delay.lmstfy.admin.InfoCalls;
import io.mykit.delay.lmstfy.admin.LimitCalls;
import io.mykit.delay.lmstfy.queue.QueueCalls;
import io.mykit.delay.lmstfy.token.Gate;
import io.mykit.delay.lmstfy.token.MadeTokens;
import io.mykit.delay.lmstfy.token.Recorded;
import io.mykit.delay.lmstfy.token.TokenLimits;
import io.mykit.delay.ports.PortBackend;
import io.mykit.delay.ports.PortGuest;
import io.mykit.delay.ports.call.Later;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.http.Port;
import io.mykit.delay.ports.http.PortBounds;
import io.mykit.delay.queue.operate.NamespaceContents;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The ports that speak the API of lmstfy. */
public final class LmstfyApi implements PortGuest {
    private static final int WORKERS = 8;
    private static final int WORKER_QUEUE = 2048;

    private final LmstfySettings settings;
    private final Workers workers = new Workers("lmstfy-worker", WORKERS, WORKER_QUEUE);
    private final Later later = new Later("lmstfy-timer");
    private final Traffic traffic = new Traffic(System::nanoTime);
    private final QueueCalls calls;
    private final Port port;
    private final Optional<Port> admin;

    /** @param settings with a port, see {@link LmstfySection#isOn} */
    public LmstfyApi(ChannelSettings settings, HttpConfig http, PortBackend backend, MeterRegistry meters) {
        this.settings = new LmstfySettings(settings);
        PortBounds bounds = PortBounds.ofProcess();
        HostNames names = new HostNames(http);
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
        TokenMeters refusals = new TokenMeters(meters);
        Gate gate = new Gate(this.settings.isOpen(), new Tokens(http, backend.tokens()), refusals, later);
        this.calls = new QueueCalls(
                engine,
                gate,
                this.settings.prefix(),
                this.settings.defaults(),
                this.settings.isSizePublic(),
                this.settings.maxWait(),
                traffic);
        this.port = new Port(
                LmstfySection.NAME,
                this.settings.address(this.settings.port().orElseThrow()),
                bounds,
                calls,
                names,
                backend.tls(),
                backend.requests());
        AdminCalls adminCalls = adminCalls(backend, refusals);
        this.admin = this.settings
                .adminPort()
                .map(number -> new Port(
                        LmstfySection.NAME,
                        this.settings.adminAddress(number),
                        bounds,
                        adminCalls,
                        names,
                        backend.tls(),
                        backend.requests()));
    }

    private AdminCalls adminCalls(PortBackend backend, TokenMeters refusals) {
        Accounts accounts = settings.accounts();
        Recorded record = new Recorded(backend.audit());
        return new AdminCalls(
                new AccountGate(accounts, record, refusals, workers),
                new MadeTokens(backend.tokens(), new NamespaceContents(backend.view(), backend.operators()), record),
                new LimitCalls(new TokenLimits(backend.tokens(), record), accounts),
                new AccessLogCalls(backend.requests(), record, accounts),
                new InfoCalls(backend.view().topics(), settings.prefix(), backend.version()),
                workers);
    }

    /**
     * Requires that the ports can be bound, before a server starts its other parts. Another process may still take one until {@link #start}.
     *
     * @throws IllegalStateException as {@link #start}
     */
    public static void requireFree(ChannelSettings settings) {
        LmstfySettings own = new LmstfySettings(settings);
        own.port().ifPresent(port -> own.address(port).requireFree());
        own.adminPort().ifPresent(port -> own.adminAddress(port).requireFree());
    }

    /**
     * Binds the ports.
     *
     * @throws IllegalStateException if one cannot be bound; the message names the keys to change
     */
    @Override
    public void start() {
        port.start();
        admin.ifPresent(Port::start);
    }

    /** The port for clients, also if the configuration asks for any free port. */
    public int port() {
        return port.port();
    }

    /** The admin port; empty = there is none. */
    public Optional<Integer> adminPort() {
        return admin.map(Port::port);
    }

    @Override
    public String section() {
        return LmstfySection.NAME;
    }

    @Override
    public String address() {
        return settings.host() + ":" + port()
                + adminPort()
                        .map(number -> ", admin " + settings.host() + ":" + number)
                        .orElse("");
    }

    @Override
    public boolean hasServedWithin(Duration time) {
        return traffic.isWithin(time);
    }

    @Override
    public void announceStop() {
        port.announceStop();
        admin.ifPresent(Port::announceStop);
        calls.stop();
    }

    @Override
    public void close() {
        announceStop();
        port.close();
        admin.ifPresent(Port::close);
        later.close();
        // A call that still runs gets no answer any more.
        workers.close(Duration.ZERO);
    }

    @Override
    public String name() {
        return "lmstfy-api";
    }

    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("host", settings.host());
        details.put("port", port());
        adminPort().ifPresent(number -> details.put("adminPort", number));
        return Health.up(details);
    }

    @Override
    public boolean isImmediate() {
        return true;
    }
}
