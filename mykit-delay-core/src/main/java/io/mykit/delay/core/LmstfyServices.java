package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.lmstfy.LmstfyApi;
import io.mykit.delay.lmstfy.LmstfyBackend;
import io.mykit.delay.lmstfy.LmstfySection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The ports for clients of lmstfy, if one is configured. Otherwise no class of them is loaded but that of the section. */
interface LmstfyServices {
    /** The server has none. */
    LmstfyServices NONE = new LmstfyServices() {};

    /** Their part of {@code /health}. */
    default Optional<HealthCheck> check() {
        return Optional.empty();
    }

    /** The addresses, for a person; only after the start. */
    default Optional<String> address() {
        return Optional.empty();
    }

    /** Starts them; the stack closes them. */
    default void start(ServiceStack services) {}

    /** Whether a client has used them within this time. */
    default boolean hasServedWithin(Duration time) {
        return false;
    }

    /** No request waits from now on. */
    default void announceStop() {}

    /** @throws IllegalStateException if a port cannot be bound */
    static void requireFree(LoadedConfig config) {
        section(config).ifPresent(LmstfyApi::requireFree);
    }

    /** Values that follow from the section, by full key. */
    static Map<String, String> rules(LoadedConfig config) {
        return section(config).map(LmstfySection::rules).orElse(Map.of());
    }

    /** @param config the one in use */
    static LmstfyServices of(LoadedConfig config, LmstfyBackend backend, MeterRegistry meters) {
        return section(config)
                .map(settings -> opened(settings, config, backend, meters))
                .orElse(NONE);
    }

    private static Optional<ChannelSettings> section(LoadedConfig config) {
        return config.section(LmstfySection.NAME).filter(LmstfySection::isOn);
    }

    /** The checks with that of the ports. */
    default List<HealthCheck> with(List<HealthCheck> checks) {
        return Stream.concat(checks.stream(), check().stream()).toList();
    }

    private static LmstfyServices opened(
            ChannelSettings settings, LoadedConfig config, LmstfyBackend backend, MeterRegistry meters) {
        LmstfyApi api = new LmstfyApi(settings, config.config().http(), backend, meters);
        return new LmstfyServices() {
            @Override
            public Optional<HealthCheck> check() {
                return Optional.of(api);
            }

            @Override
            public Optional<String> address() {
                return Optional.of(api.address());
            }

            @Override
            public void start(ServiceStack services) {
                services.start(api);
            }

            @Override
            public boolean hasServedWithin(Duration time) {
                return api.hasServedWithin(time);
            }

            @Override
            public void announceStop() {
                api.announceStop();
            }
        };
    }
}
