package io.mykit.delay.config;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.SettingsSection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All keys with their explanations. Those of the server come from {@code application.yml}, those of channels from their
 * declarations. {@code --help} and the tables in docs show them. Stateless.
 */
public final class ConfigReference {
    private static final int INDENT = 2;
    /** One key of a section, in the comment of a map of sections: {@code <name>.size = 5: How large it is.} */
    private static final Pattern SECTION_KEY = Pattern.compile("(<name>\\.[a-z-]+)(?: = (\\S+))?: (.*)");

    private static final String TOPICS = "Values of single topics, as in \"orders: {%s: ...}\". A name that ends with"
            + " * stands for all topics that begin with the rest of it. Each key is taken from the longest name that has"
            + " it, else from this section.";

    private ConfigReference() {}

    /**
     * One key of the file.
     *
     * @param name the full key
     * @param value its default; empty if there is none
     * @param explanation the comment above it
     */
    public record Entry(String name, String value, String explanation) {}

    /** The keys of the server in the order of the file, and then the keys of each channel on the class path. */
    public static List<Entry> entries() {
        return entries(ChannelCatalog.found());
    }

    static List<Entry> entries(ChannelCatalog channels) {
        ConfigKeys own = new ConfigKeys(List.of());
        List<Entry> entries = new ArrayList<>(inFile());
        entries.removeIf(entry -> own.find(entry.name()).isEmpty() && !own.isSection(entry.name()));
        for (SettingsSection channel : channels.all()) {
            String section = ConfigKeys.ROOT + "." + channel.name() + ".";
            for (ChannelKey<?> key : channel.keys()) {
                String value = key.family() ? "{}" : key.defaultValue().orElse("");
                entries.add(new Entry(section + key.name(), value, key.explanation()));
            }
            entries.addAll(ofTopics(section + "topics", channel));
        }
        return entries;
    }

    /** The keys that a topic may have for itself. */
    private static List<Entry> ofTopics(String map, SettingsSection channel) {
        List<Entry> entries = new ArrayList<>();
        for (ChannelKey<?> key : channel.keys()) {
            if (key.byTopic()) {
                if (entries.isEmpty()) {
                    entries.add(new Entry(map, "{}", TOPICS.formatted(key.name())));
                }
                String explanation = "The " + key.name() + " of this topic.";
                entries.add(new Entry(map + ".<name>." + key.name(), "", explanation));
            }
        }
        return entries;
    }

    /** All keys of the file. It includes the sections of the channels that come with the server. */
    public static List<Entry> inFile() {
        List<Entry> entries = new ArrayList<>();
        Deque<String> path = new ArrayDeque<>();
        List<String> comment = new ArrayList<>();
        for (String line : file().lines().toList()) {
            String text = line.strip();
            if (text.startsWith("#")) {
                comment.add(text.substring(1).strip());
                continue;
            }
            int colon = text.indexOf(':');
            if (colon > 0) {
                while (path.size() > (line.length() - line.stripLeading().length()) / INDENT) {
                    path.removeLast();
                }
                path.addLast(text.substring(0, colon));
                String name = String.join(".", path);
                // A line that has deeper lines below it is a heading and no key.
                entries.removeIf(entry -> name.startsWith(entry.name() + "."));
                entries.addAll(entries(name, unquoted(text.substring(colon + 1).strip()), comment));
            }
            comment.clear();
        }
        return entries;
    }

    /** YAML needs quotes around words such as {@code off}. */
    private static String unquoted(String value) {
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /** Adds the key and the keys of its sections, which the same comment explains. */
    private static List<Entry> entries(String name, String value, List<String> comment) {
        List<Entry> entries = new ArrayList<>();
        String current = name;
        String currentValue = value;
        List<String> explanation = new ArrayList<>();
        for (String line : comment) {
            Matcher key = SECTION_KEY.matcher(line);
            if (key.matches()) {
                entries.add(new Entry(current, currentValue, String.join(" ", explanation)));
                current = name + "." + key.group(1);
                currentValue = key.group(2) == null ? "" : key.group(2);
                explanation.clear();
                explanation.add(key.group(3));
            } else {
                explanation.add(line);
            }
        }
        entries.add(new Entry(current, currentValue, String.join(" ", explanation)));
        return entries;
    }

    /** The file as it is shipped. */
    static String file() {
        try (InputStream in = ConfigReference.class.getResourceAsStream("/application.yml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
