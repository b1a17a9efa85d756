package io.mykit.delay.core;

import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.core.embedded.EmbeddedParts;
import java.util.List;

/**
 * Puts the house together: the only place that calls the rooms' constructors. Read it from top to bottom to know who
 * needs whom. Started by one thread, closed by any.
 */
final class Wiring implements Service {
    private final LoadedConfig loaded;
    private final ServiceStack services = new ServiceStack();
    private volatile DelayConfig config;

    Wiring(LoadedConfig loaded) {
        this.loaded = loaded;
        this.config = loaded.config();
    }

    /**
     * Each part is started after those that it uses, and requests are let in last. {@link #close()} goes the other way:
     * no requests first, then no dispatch, then the stores.
     */
    @Override
    public void start() {
        EmbeddedParts embedded = services.start(new EmbeddedParts(config));
        config = loaded.with(embedded.settings());
    }

    @Override
    public void close() {
        services.close();
    }

    /** What runs and where, for a person. */
    List<String> describe() {
        return Banner.lines(loaded, config, config.http().port());
    }
}
