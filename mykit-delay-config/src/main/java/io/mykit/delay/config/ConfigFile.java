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
            String yaml = Files.readString(path);
            if (hasOnlyMappings(yaml)) {
                return parse(yaml);
            }
        } catch (NoSuchFileException e) {
            throw new ConfigException(List.of(path + ": there is no such file"));
        } catch (IOException e) {
            throw new ConfigException(List.of(path + ": cannot be read: " + e));
        } catch (RuntimeException e) {
            // SnakeYAML's message has several lines that point at the error, so it is kept as it is.
            throw new ConfigException(List.of(path + ": is not YAML: " + e.getMessage()));
        }
        throw new ConfigException(List.of(path + ": has no keys; a line of it is \"key: value\""));
    }

    /** Keys may be nested, dotted ({@code mykit.delay.http.port: 1}) or both; a YAML key with dots is in quotes. */
    static Map<String, String> parse(String yaml) {
        Map<String, String> values = new LinkedHashMap<>();
        new YamlConfigSource("yaml", yaml, 0).getProperties().forEach(values::put);
        return values;
    }

    /**
     * False if a document has no keys: the source of SmallRye takes it for an empty one. It also takes the last of two equal keys, so
     * these are refused here.
     */
    private static boolean hasOnlyMappings(String yaml) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        for (Object document : new Yaml(new SafeConstructor(strict)).loadAll(yaml)) {
            if (document != null && !(document instanceof Map)) {
                return false;
            }
        }
        return true;
    }
}
