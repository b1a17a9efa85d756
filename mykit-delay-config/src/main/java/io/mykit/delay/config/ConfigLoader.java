package io.mykit.delay.config;

import io.mykit.delay.common.value.ValueParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Reads the configuration. A later source overrides an earlier one: the defaults of the mappings, the file, the environment
 * ({@code MYKIT_DELAY_HTTP_PORT}), system properties ({@code -Dmykit.delay.http.port}), the command line
 * ({@code --mykit.delay.http.port}). The loader refuses unknown keys and invalid values, and names all of them in one
 * message.
 *
 * <p>Stateless.
 */
public final class ConfigLoader {
    private static final String FILE_PROPERTY = "mykit.delay.config";
    private static final String HOME_PROPERTY = "mykit.delay.home";

    private ConfigLoader() {}

    /**
     * Loads the configuration of this process.
     *
     * @throws ConfigException if it cannot be used
     */
    public static LoadedConfig load(CommandLine commandLine) {
        return load(commandLine, System.getenv(), System.getProperties(), ChannelCatalog.found(), true);
    }

    /**
     * The defaults with some values changed, without file, environment or system properties.
     *
     * @param overrides values by full key
     * @throws ConfigException if it cannot be used
     */
    public static DelayConfig load(Map<String, String> overrides) {
        return loadWithChannels(overrides).config();
    }

    /**
     * The same, with the sections of the channels on the class path.
     *
     * @param overrides values by full key
     * @throws ConfigException if it cannot be used
     */
    public static LoadedConfig loadWithChannels(Map<String, String> overrides) {
        return load(overrides, ChannelCatalog.found());
    }

    static LoadedConfig load(Map<String, String> overrides, ChannelCatalog channels) {
        return load(new CommandLine(false, false, Optional.empty(), overrides), Map.of(), new Properties(), channels);
    }

    static LoadedConfig load(
            CommandLine commandLine, Map<String, String> environment, Properties properties, ChannelCatalog channels) {
        return load(commandLine, environment, properties, channels, false);
    }

    /** @param needsChannels whether each channel that a value names must be one of {@code channels} */
    static LoadedConfig load(
            CommandLine commandLine,
            Map<String, String> environment,
            Properties properties,
            ChannelCatalog channels,
            boolean needsChannels) {
        ConfigKeys keys = new ConfigKeys(channels.all());
        Settings settings = new Settings(keys);
        Optional<Path> file = file(commandLine, environment, properties);
        file.ifPresent(path -> settings.addFile(ConfigFile.read(path), path.toString()));
        settings.addEnvironment(environment).addSystemProperties(properties).addCommandLine(commandLine.settings());

        Problems problems = new Problems(settings);
        checkEach(keys, channels, settings, problems);
        if (needsChannels) {
            settings.channelsByName().forEach((name, channel) -> channels.check(name, channel, problems));
        }
        // The defaults stand in for the values that cannot be used, so that this start shows the other problems as
        // well.
        Map<String, String> usable = settings.values();
        usable.keySet().removeAll(problems.setAside());
        DelayConfig config = ConfigBinding.bind(usable);
        LoadedConfig loaded = new LoadedConfig(
                config, channels, file, ConfigWarnings.of(config, channels.with(usable, config.delivery())), usable);
        new ConfigCheck(config, problems).run();
        loaded.check(problems);
        problems.throwIfAny();
        return loaded;
    }

    private static void checkEach(ConfigKeys keys, ChannelCatalog channels, Settings settings, Problems problems) {
        settings.byName().forEach((name, setting) -> {
            Optional<ConfigKey> key = keys.find(name);
            if (setting.objection().isPresent()) {
                problems.add(name, setting.value(), setting.objection().get());
            } else if (key.isPresent()) {
                checkValue(key.get(), name, setting.value(), problems);
            } else if (keys.isSection(name)) {
                problems.addHidden(
                        name, "is a section; its lines are \"key: value\", with the colon \":\" and a blank");
            } else if (settings.channelsByName().values().stream()
                    .anyMatch(channel -> !channels.has(channel)
                            && !channel.equals(ChannelNames.PULL)
                            && isInSection(name, channel))) {
                problems.addUnknown(name, "the channel is not installed: put its jar into plugins/");
            } else {
                problems.addUnknown(name, setting.value(), keys.nearest(name));
            }
        });
    }

    private static boolean isInSection(String name, String channel) {
        return Stream.of(ConfigKeys.ROOT + ".", FormerNames.CHANNELS)
                .map(place -> place + channel + ".")
                .anyMatch(section -> name.startsWith(section) || name.startsWith(ConfigKey.environmentName(section)));
    }

    private static void checkValue(ConfigKey key, String name, String value, Problems problems) {
        if (value.isEmpty()) {
            if (!key.optional()) {
                problems.add(name, value, "must not be empty");
            }
            return;
        }
        try {
            ValueParser.parse(key.type(), value);
        } catch (IllegalArgumentException e) {
            problems.add(name, value, e.getMessage());
        }
    }

    private static Optional<Path> file(
            CommandLine commandLine, Map<String, String> environment, Properties properties) {
        if (commandLine.file().isPresent()) {
            return commandLine.file();
        }
        Optional<Path> named = named(FILE_PROPERTY, environment, properties);
        return named.isPresent()
                ? named
                : named(HOME_PROPERTY, environment, properties)
                        .map(home -> home.resolve("conf/application.yml"))
                        .filter(Files::exists);
    }

    private static Optional<Path> named(String property, Map<String, String> environment, Properties properties) {
        return Stream.of(
                        properties.getProperty(property, ""),
                        environment.getOrDefault(ConfigKey.environmentName(property), ""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(Path::of);
    }
}
