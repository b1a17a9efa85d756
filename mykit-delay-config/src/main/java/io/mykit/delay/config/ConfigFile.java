package io.mykit.delay.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * What the YAML file says. Immutable. A name is the YAML keys from the outermost inwards, with dots between them; a key that has
 * dots is in quotes.
 *
 * @param values by name
 * @param withoutValue the names of keys that have no value, which may be headings of sections
 */
record ConfigFile(Map<String, String> values, List<String> withoutValue) {
    ConfigFile {
        values = Map.copyOf(values);
        withoutValue = List.copyOf(withoutValue);
    }

    /**
     * @throws ConfigException if the file cannot be read; the message names the file and, for a wrong encoding and bad YAML, the
     *     line
     */
    static ConfigFile read(Path path) {
        try {
            String yaml = text(path);
            List<String> withoutValue = new ArrayList<>();
            if (hasOnlyMappings(yaml, withoutValue)) {
                return new ConfigFile(parse(yaml), withoutValue);
            }
        } catch (NoSuchFileException e) {
            throw new ConfigException(List.of(path + ": there is no such file"));
        } catch (IOException e) {
            throw new ConfigException(List.of(path + ": cannot be read: " + e));
        } catch (ConfigException e) {
            throw e;
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

    private static String text(Path path) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
        CharBuffer text = CharBuffer.allocate(bytes.capacity());
        if (UTF_8.newDecoder().decode(bytes, text, true).isError()) {
            // The decoder stops before the first byte that it does not understand.
            long line =
                    text.flip().chars().filter(character -> character == '\n').count() + 1;
            throw new ConfigException(
                    List.of("the file " + path + " is not UTF-8 (line " + line + "); save it in this encoding"));
        }
        return text.flip().toString();
    }

    /**
     * False if a document has no keys: the source of SmallRye takes it for an empty one. It also takes the last of two equal keys, so
     * these are refused here. And it drops keys without a value.
     */
    private static boolean hasOnlyMappings(String yaml, List<String> withoutValue) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        for (Object document : new Yaml(new SafeConstructor(strict)).loadAll(yaml)) {
            if (document instanceof Map<?, ?> keys) {
                collect("", keys, withoutValue);
            } else if (document != null) {
                return false;
            }
        }
        return true;
    }

    private static void collect(String above, Map<?, ?> section, List<String> withoutValue) {
        section.forEach((key, value) -> {
            String written = String.valueOf(key);
            String name = above + (written.indexOf('.') < 0 ? written : '"' + written + '"');
            if (value == null) {
                withoutValue.add(name);
            } else if (value instanceof Map<?, ?> below) {
                collect(name + ".", below, withoutValue);
            }
        });
    }
}
