package io.mykit.delay.access.tls;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.tls.ServerCertificate;
import io.mykit.delay.common.tls.TlsContent;
import io.mykit.delay.common.tls.TlsFileException;
import io.mykit.delay.common.tls.TlsFiles;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.config.TlsConfig;
import io.mykit.delay.queue.metric.Family;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of all ports, and the loop that follows its files. New connections get the new certificate, and open ones go on. Files that
 * cannot be used change nothing: the certificate in use stays.
 *
 * <p>Certificate and key are two files, and a program may write the one after the other. So the loop tries changed files once they were the
 * same at two looks. It compares their contents, because a mounted secret is a link whose target changes. Thread-safe.
 */
public final class ServerTls implements Service, HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final Backoff FAILED = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final TlsFiles files;
    private final InstantSource clock;
    private final Counter taken;
    private final Counter refused;
    private final LoopRunner loop = new LoopRunner("tls-files", this::look, FAILED);
    private final List<Consumer<ServerCertificate>> users = new CopyOnWriteArrayList<>();
    private volatile ServerCertificate current;
    /** The reason why the files are not in use; empty = they are. */
    private volatile Optional<String> trouble = Optional.empty();

    /**
     * The files as they were at the last look, at the last try, and when they were last taken. No try and no taking counts while a port may
     * lack what others have. Used by the loop.
     */
    private Found seen;

    private Found tried;
    private Found used;

    private ServerTls(TlsFiles files, InstantSource clock, MeterRegistry meters) {
        this.files = files;
        this.clock = clock;
        this.taken = Family.TLS_RELOADS.counter(meters, "taken");
        this.refused = Family.TLS_RELOADS.counter(meters, "refused");
        try {
            this.used = new Found(files.read(), null);
            this.current = used.content().parse();
        } catch (TlsFileException e) {
            throw new IllegalStateException(named(e), e);
        }
        this.seen = used;
        this.tried = used;
        Family.TLS_CERTIFICATE_EXPIRES.gauge(meters, this, ServerTls::secondsLeft);
        Family.TLS_FILES_REFUSED.gauge(meters, this, tls -> tls.trouble.isPresent() ? 1 : 0);
    }

    /**
     * Reads the files; empty = the server has no TLS.
     *
     * @throws IllegalStateException if a file cannot be used
     */
    public static Optional<ServerTls> of(HttpConfig config, InstantSource clock, MeterRegistry meters) {
        return TlsConfig.files(config.tls()).map(files -> new ServerTls(files, clock, meters));
    }

    /** The certificate for new connections. */
    public ServerCertificate current() {
        return current;
    }

    /**
     * Tells each new certificate, on the thread of the loop. If the user throws, the loop tries again. Who reads {@link #current} after this
     * call misses none.
     */
    public void onChange(Consumer<ServerCertificate> user) {
        users.add(user);
    }

    @Override
    public void start() {
        loop.start();
    }

    @Override
    public void close() {
        loop.close();
    }

    Duration look() {
        Found found = find();
        boolean settled = found.equals(seen);
        seen = found;
        if (settled && !found.equals(tried)) {
            // If a port cannot use them, the next look tries again, also with the files of before.
            tried = null;
            take(found);
            tried = found;
        }
        return LOOK;
    }

    private Found find() {
        try {
            return new Found(files.read(), null);
        } catch (TlsFileException e) {
            return new Found(null, named(e));
        }
    }

    private void take(Found found) {
        if (found.equals(used)) {
            trouble = Optional.empty();
            LOG.info("The certificate files are those in use again: {}", current);
            return;
        }
        if (found.content() == null) {
            refuse(found.failure());
            return;
        }
        try {
            ServerCertificate next = found.content().parse();
            Optional<String> invalidity =
                    next.invalidity().filter(why -> current.invalidity().isEmpty());
            if (invalidity.isPresent()) {
                refuse("the new certificate " + invalidity.get());
                return;
            }
            // A port that begins meanwhile is not told: it reads this.
            current = next;
            used = null;
            users.forEach(user -> user.accept(next));
            used = found;
            trouble = Optional.empty();
            taken.increment();
            LOG.info("New connections get the new certificate: {}", next);
        } catch (TlsFileException e) {
            refuse(named(e));
        }
    }

    private void refuse(String why) {
        trouble = Optional.of(why);
        refused.increment();
        LOG.error("The changed certificate files are not used, and {} stays in use: {}", current, why);
    }

    private String named(TlsFileException e) {
        return files.of(e.part()) + ": " + e.getMessage();
    }

    private double secondsLeft() {
        return Duration.between(clock.instant(), current.expires()).toMillis() / 1000.0;
    }

    @Override
    public String name() {
        return "tls";
    }

    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        Optional<String> reason = trouble.or(() -> current.invalidity().map(why -> "the certificate " + why));
        reason.ifPresent(why -> details.put("reason", why));
        details.put("certificate", current.subject());
        details.put("expires", current.expires().toString());
        details.put(
                "daysLeft", Duration.between(clock.instant(), current.expires()).toDays());
        details.put("clientsNeedCertificate", files.clientCa().isPresent());
        return new Health(reason.isEmpty(), details);
    }

    @Override
    public boolean isImmediate() {
        return true;
    }

    /**
     * What a look found.
     *
     * @param content null = the files could not be read
     * @param failure null = they could be read
     */
    private record Found(TlsContent content, String failure) {}
}
