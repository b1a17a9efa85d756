package io.mykit.delay.config;

import io.mykit.delay.common.value.DurationParser;
import io.mykit.delay.common.value.Secret;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Binds values to the mappings. Stateless. */
final class ConfigBinding {
    private static final int PRIORITY = 1000;

    private ConfigBinding() {}

    /**
     * @param values by full key; all of them are checked or known to be valid
     */
    static DelayConfig bind(Map<String, String> values) {
        // No default sources and no interceptors: a "${" in a password stays a "${", and the given values are the only
        // ones.
        return new SmallRyeConfigBuilder()
                .withMapping(DelayConfig.class)
                .withValidateUnknown(false)
                .withConverter(Duration.class, PRIORITY, DurationParser::parse)
                // An empty text is no secret and no file. An Optional is empty if its converter returns null.
                .withConverter(Secret.class, PRIORITY, text -> text.isEmpty() ? null : new Secret(text))
                .withConverter(Path.class, PRIORITY, text -> text.isEmpty() ? null : Path.of(text))
                .withSources(new PropertiesConfigSource(values, "mykit-delay", PRIORITY))
                .build()
                .getConfigMapping(DelayConfig.class);
    }
}
