package io.mykit.delay.core.embedded;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.activemq.ActiveMqSettings;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.config.DatasourceConfig;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.InstalledChannel;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.config.RedisConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The embedded parts that the configuration names, from none to all of them. For one thread. */
public final class EmbeddedParts implements Service {
    private final DataDir dataDir;
    private final Optional<EmbeddedStore> store;
    private final Optional<EmbeddedRedis> redis;
    private final Optional<EmbeddedActiveMq> activeMq;
    private final List<Service> parts = new ArrayList<>();

    public EmbeddedParts(LoadedConfig loaded) {
        DelayConfig config = loaded.config();
        dataDir = new DataDir(config.dataDir());
        store = Optional.of(config.datasource().url())
                .filter(DatasourceConfig.EMBEDDED::equals)
                .map(embedded -> new EmbeddedStore(dataDir.path()));
        redis = Optional.of(config.redis().uri().reveal())
                .filter(RedisConfig.EMBEDDED::equals)
                .map(embedded -> new EmbeddedRedis(dataDir.path()));
        activeMq = embeddedBroker(loaded).map(own -> new EmbeddedActiveMq(dataDir.path(), own.embeddedPort()));
        store.ifPresent(parts::add);
        redis.ifPresent(parts::add);
        activeMq.ifPresent(parts::add);
    }

    /** The settings that work but are probably a mistake, as sentences for a person. */
    public static List<String> warnings(LoadedConfig loaded) {
        boolean shared = loaded.config().mode() == DelayConfig.Mode.MASTER_STANDBY;
        return shared && embeddedBroker(loaded).isPresent()
                ? List.of("mykit.delay.activemq.broker-url = embedded in master-standby: each leader delivers to a"
                        + " broker of its own, consumers have to listen at all of them")
                : List.of();
    }

    /**
     * The section of the one channel that can have an embedded broker; empty if the configuration does not name that
     * broker.
     */
    private static Optional<ActiveMqSettings> embeddedBroker(LoadedConfig loaded) {
        return Optional.ofNullable(loaded.channels().get(ActiveMqSettings.CHANNEL))
                .map(InstalledChannel::settings)
                .filter(ChannelSettings::inUse)
                .map(ActiveMqSettings::new)
                .filter(ActiveMqSettings::isEmbedded);
    }

    /**
     * Starts the parts at the same time, because each mostly waits for a disk or a process.
     *
     * @throws StartException if a part cannot start; {@link #close()} closes the parts that did
     */
    @Override
    public void start() {
        if (parts.isEmpty()) {
            return;
        }
        dataDir.start();
        CompletableFuture<?>[] starts = parts.stream()
                .map(part -> CompletableFuture.runAsync(
                        part::start, task -> Threads.daemon("start", task).start()))
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(starts).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StartException known) {
                throw known;
            }
            throw e;
        }
    }

    /** A part closes after the parts that write to it during their close. The lock is released last. */
    @Override
    public void close() {
        activeMq.ifPresent(Service::close);
        redis.ifPresent(Service::close);
        store.ifPresent(Service::close);
        dataDir.close();
    }

    /** The values that replace {@code embedded} in the configuration, by key. Only after the start. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        store.map(EmbeddedStore::settings).ifPresent(settings::putAll);
        redis.map(EmbeddedRedis::settings).ifPresent(settings::putAll);
        activeMq.map(EmbeddedActiveMq::settings).ifPresent(settings::putAll);
        return settings;
    }
}
