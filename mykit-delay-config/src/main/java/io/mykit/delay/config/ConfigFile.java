package io.mykit.delay.config;

import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The YAML file. */
final class ConfigFile {
    private ConfigFile() {}

    /** @throws ConfigException if it cannot be read; the message names the file and, for bad YAML, the line */
    static Map<String, String> read(Path path) {
        try {
            return parse(Files.readString(path));
        } catch (NoSuchFileException e) {
            throw new ConfigException(List.of(path + ": there is no such file"));
        } catch (IOException e) {
            throw new ConfigException(List.of(path + ": cannot be read: " + e));
        } catch (RuntimeException e) {
            // SnakeYAML draws a picture of several lines; it points at the spot, so it is kept.
            throw new ConfigException(List.of(path + ": is not YAML: " + e.getMessage()));
        }
    }

    /** Keys may be nested, dotted ({@code mykit.delay.http.port: 1}) or both; a YAML key with dots is in quotes. */
    static Map<String, String> parse(String yaml) {
        Map<String, String> values = new LinkedHashMap<>();
        new YamlConfigSource("yaml", yaml, 0).getProperties().forEach(values::put);
        return values;
    }
}
