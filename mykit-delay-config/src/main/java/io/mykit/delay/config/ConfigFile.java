package io.mykit.delay.config;

import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the YAML file. Stateless. */
final class ConfigFile {
    private ConfigFile() {}

    /**
     * @throws ConfigException if the file cannot be read; the message names the file and, for bad YAML, the line
     */
    static Map<String, String> read(Path path) {
        try {
            return parse(Files.readString(path));
        } catch (NoSuchFileException e) {
            throw new ConfigException(List.of(path + ": there is no such file"));
        } catch (IOException e) {
            throw new ConfigException(List.of(path + ": cannot be read: " + e));
        } catch (NoMappingException e) {
            throw new ConfigException(List.of(path + ": " + e.getMessage()));
        } catch (RuntimeException e) {
            // SnakeYAML's message has several lines that point at the error, so it is kept as it is.
            throw new ConfigException(List.of(path + ": is not YAML: " + e.getMessage()));
        }
    }

    /** Keys may be nested, dotted ({@code mykit.delay.http.port: 1}) or both; a YAML key with dots is in quotes. */
    static Map<String, String> parse(String yaml) {
        requireMappings(yaml);
        Map<String, String> values = new LinkedHashMap<>();
        new YamlConfigSource("yaml", yaml, 0).getProperties().forEach(values::put);
        return values;
    }

    /** The source of SmallRye takes the last of two equal keys, and takes a text for an empty file. */
    private static void requireMappings(String yaml) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        for (Object document : new Yaml(new SafeConstructor(strict)).loadAll(yaml)) {
            if (document != null && !(document instanceof Map)) {
                throw new NoMappingException();
            }
        }
    }

    /** A document has no keys. */
    private static final class NoMappingException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoMappingException() {
            super("has no keys; a line of it is \"key: value\"");
        }
    }
}
