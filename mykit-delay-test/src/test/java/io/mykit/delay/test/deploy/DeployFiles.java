package io.mykit.delay.test.deploy;

import static java.util.stream.Collectors.toMap;

import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.ConfigReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** The files of the directory deploy, and the facts of the server that they repeat. Stateless. */
final class DeployFiles {
    /** The default of stop.timeout. */
    static final int STOP_SECONDS =
            (int) ConfigLoader.load(Map.of()).stop().timeout().toSeconds();

    private DeployFiles() {}

    static Path root() {
        return Path.of(System.getProperty("mykit.delay.repo", ".."))
                .toAbsolutePath()
                .normalize();
    }

    static Path file(String name) {
        return root().resolve("deploy").resolve(name);
    }

    static String text(String name) {
        try {
            return Files.readString(file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The documents of a YAML file. */
    static List<Map<String, Object>> yaml(String name) {
        List<Map<String, Object>> documents = new ArrayList<>();
        new Yaml().loadAll(text(name)).forEach(document -> documents.add(map(document)));
        return documents;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    static List<?> list(Object value) {
        return value == null ? List.of() : (List<?>) value;
    }

    /** The value at a path of maps, or null. */
    static Object at(Object value, String... path) {
        Object here = value;
        for (String name : path) {
            here = map(here).get(name);
        }
        return here;
    }

    /** The keys of the server as environment variables, with their defaults. */
    static Map<String, String> variables() {
        return ConfigReference.entries().stream()
                .filter(entry -> !entry.name().contains("<"))
                .collect(toMap(
                        entry -> entry.name().replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT),
                        ConfigReference.Entry::value,
                        (a, b) -> a));
    }

    static int port() {
        return Integer.parseInt(variables().get("MYKIT_DELAY_HTTP_PORT"));
    }

    /** The values of a YAML document by their dotted keys. */
    static Map<String, String> flat(Map<String, Object> document) {
        Map<String, String> values = new LinkedHashMap<>();
        flatten("", document, values);
        return values;
    }

    private static void flatten(String prefix, Map<String, Object> section, Map<String, String> into) {
        section.forEach((name, value) -> {
            if (value instanceof Map<?, ?>) {
                flatten(prefix + name + ".", map(value), into);
            } else {
                into.put(prefix + name, String.valueOf(value));
            }
        });
    }

    /** Seconds of a duration such as 40s. */
    static int seconds(Object text) {
        return Integer.parseInt(String.valueOf(text).replace("s", ""));
    }

    /** The version of the build. */
    static String version() {
        return Path.of(System.getProperty("mykit.delay.home"))
                .getFileName()
                .toString()
                .replace("mykit-delay-", "");
    }
}
