package io.mykit.delay.config;

import io.mykit.delay.common.value.DurationParser;
import io.mykit.delay.common.value.Secret;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Gives values to the mappings. Stateless. */
final class ConfigBinding {
    private static final int PRIORITY = 1000;

    private ConfigBinding() {}

    /** @param values by full key; each was checked, or is known to be right */
    static DelayConfig bind(Map<String, String> values) {
        // No default sources and no interceptors: a "${" in a password is a "${", and what is given here is all.
        return new SmallRyeConfigBuilder()
                .withMapping(DelayConfig.class)
                .withValidateUnknown(false)
                .withConverter(Duration.class, PRIORITY, DurationParser::parse)
                // Nothing is no secret and no file; an Optional is empty if its converter answers null.
                .withConverter(Secret.class, PRIORITY, text -> text.isEmpty() ? null : new Secret(text))
                .withConverter(Path.class, PRIORITY, text -> text.isEmpty() ? null : Path.of(text))
                .withSources(new PropertiesConfigSource(values, "mykit-delay", PRIORITY))
                .build()
                .getConfigMapping(DelayConfig.class);
    }
}
