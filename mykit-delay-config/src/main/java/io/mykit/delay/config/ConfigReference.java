package io.mykit.delay.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The keys as {@code application.yml} explains them; {@code --help} is made of it. */
public final class ConfigReference {
    private static final int INDENT = 2;

    private ConfigReference() {}

    /**
     * One key of the file.
     *
     * @param name the full key
     * @param value its default; empty if there is none
     * @param explanation the comment above it
     */
    public record Entry(String name, String value, String explanation) {}

    /** All keys, in the order of the file. */
    public static List<Entry> entries() {
        ConfigKeys keys = new ConfigKeys();
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
                String value = text.substring(colon + 1).strip();
                String name = String.join(".", path);
                if (!value.isEmpty() || !keys.isSection(name)) {
                    entries.add(new Entry(name, value, String.join(" ", comment)));
                }
            }
            comment.clear();
        }
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
