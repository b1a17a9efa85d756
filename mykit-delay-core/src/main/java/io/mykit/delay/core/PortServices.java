package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.grape.GrapeApi;
import io.mykit.delay.grape.GrapeSection;
import io.mykit.delay.lmstfy.LmstfyApi;
import io.mykit.delay.lmstfy.LmstfySection;
import io.mykit.delay.ports.PortBackend;
import io.mykit.delay.ports.PortGuest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The ports that speak the APIs of other queues, those that are configured. Of the others, only the class of the section is loaded. */
final class PortServices {
    /** The server has none. */
    static final PortServices NONE = new PortServices(List.of());

    private final List<PortGuest> guests;

    private PortServices(List<PortGuest> guests) {
        this.guests = List.copyOf(guests);
    }

    /** @throws IllegalStateException if a port cannot be bound */
    static void requireFree(LoadedConfig config) {
        lmstfy(config).ifPresent(LmstfyApi::requireFree);
        grape(config).ifPresent(GrapeApi::requireFree);
    }

    /** Values that follow from the sections, by full key. */
    static Map<String, String> rules(LoadedConfig config) {
        Map<String, String> rules = new HashMap<>();
        lmstfy(config).ifPresent(settings -> rules.putAll(LmstfySection.rules(settings)));
        grape(config).ifPresent(settings -> rules.putAll(GrapeSection.rules(settings)));
        return rules;
    }

    /** @param config the one in use */
    static PortServices of(LoadedConfig config, PortBackend backend, MeterRegistry meters) {
        List<PortGuest> guests = new ArrayList<>();
        lmstfy(config)
                .ifPresent(settings ->
                        guests.add(new LmstfyApi(settings, config.config().http(), backend, meters)));
        grape(config)
                .ifPresent(settings ->
                        guests.add(new GrapeApi(settings, config.config().http(), backend, meters)));
        return new PortServices(guests);
    }

    private static Optional<ChannelSettings> grape(LoadedConfig config) {
        return config.section(GrapeSection.NAME).filter(GrapeSection::isOn);
    }

    private static Optional<ChannelSettings> lmstfy(LoadedConfig config) {
        return config.section(LmstfySection.NAME).filter(LmstfySection::isOn);
    }

    /** The checks with those of the ports. */
    List<HealthCheck> with(List<HealthCheck> checks) {
        return Stream.concat(checks.stream(), guests.stream()).toList();
    }

    /** The addresses by the section, for a person; only after the start. */
    Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        guests.forEach(guest -> addresses.put(guest.section(), guest.address()));
        return addresses;
    }

    /** Starts them; the stack closes them. */
    void start(ServiceStack services) {
        guests.forEach(services::start);
    }

    /** Whether a client has used one of them within this time. */
    boolean hasServedWithin(Duration time) {
        return guests.stream().anyMatch(guest -> guest.hasServedWithin(time));
    }

    /** No request waits from now on. */
    void announceStop() {
        guests.forEach(PortGuest::announceStop);
    }
}
