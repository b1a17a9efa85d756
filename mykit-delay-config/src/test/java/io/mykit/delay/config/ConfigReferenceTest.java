package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the server's own sections of application.yml with the mappings. */
class ConfigReferenceTest {
    private final Map<String, ConfigReference.Entry> file =
            ConfigReference.entries(new ChannelCatalog(List.of())).stream()
                    .collect(Collectors.toMap(ConfigReference.Entry::name, entry -> entry));

    private final Map<String, ConfigKey> mappings =
            new ConfigKeys(List.of()).all().stream().collect(Collectors.toMap(key -> shown(key.name()), key -> key));

    @Test
    void fileAndMappingsHaveTheSameKeys() {
        Set<String> names = new TreeSet<>(mappings.keySet());
        new ConfigKeys(List.of()).sectionMaps().forEach(map -> names.add(shown(map.prefix() + ConfigKey.ANY)));
        assertThat(file.keySet()).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void fileAndMappingsHaveTheSameDefaults() {
        mappings.forEach((name, key) -> assertThat(file.get(name).value())
                .as(name)
                .isEqualTo(key.name().endsWith("*") ? "{}" : key.defaultValue().orElse("")));
    }

    @Test
    void everyKeyIsExplained() {
        assertThat(ConfigReference.entries(new ChannelCatalog(List.of())))
                .allSatisfy(entry ->
                        assertThat(entry.explanation()).as(entry.name()).isNotEmpty());
    }

    @Test
    void theFileIsReadTheSameWayByTheYamlParser() {
        Map<String, String> parsed = ConfigFile.parse(ConfigReference.file());

        assertThat(parsed)
                .isEqualTo(ConfigReference.inFile().stream()
                        .filter(entry -> !List.of("", "{}").contains(entry.value()))
                        .collect(Collectors.toMap(ConfigReference.Entry::name, ConfigReference.Entry::value)));
    }

    /** A map is there by its own name, and a key of its sections by a name in angle brackets. */
    private static String shown(String key) {
        return key.replaceAll("(\\.\\*)+$", "").replace("*", "<name>");
    }
}
