package io.mykit.delay.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the key that a name in a map of sections stands for; {@link TopicConfig} describes their forms. All other names
 * stand for themselves. Immutable.
 */
final class SettingNames {
    private final List<SectionMap> maps;

    SettingNames(List<SectionMap> maps) {
        this.maps = List.copyOf(maps);
    }

    /**
     * The key that a name stands for.
     *
     * @param key its full name; if there is an objection, the name as the user wrote it
     * @param objection the reason why the name stands for no key
     */
    record Named(String key, Optional<String> objection) {
        static Named of(String key) {
            return new Named(key, Optional.empty());
        }
    }

    /** Resolves a name in one line: a system property, or an argument of the command line. */
    Named inLine(String written) {
        for (SectionMap map : maps) {
            if (written.startsWith(map.prefix())
                    && written.length() > map.prefix().length()) {
                String rest = written.substring(map.prefix().length());
                return rest.startsWith("\"") ? quoted(map, written, rest) : inLine(map, written, rest);
            }
        }
        return Named.of(written);
    }

    /**
     * Resolves a name in the file.
     *
     * @param path its YAML keys from the outermost inwards, with dots between them; a key that has dots is in quotes
     */
    Named inFile(String path) {
        String written = path.replace("\"", "");
        int last = startOfLastKey(path);
        for (SectionMap map : maps) {
            int start = map.prefix().length();
            if (!written.startsWith(map.prefix()) || written.length() == start) {
                continue;
            }
            String rest = written.substring(start);
            if (last > start) {
                return section(map, written, written.substring(start, last - 1), written.substring(last));
            }
            Named named = inLine(map, written, rest);
            boolean isPlain = named.objection().isPresent()
                    || map.plainName(rest).filter(named.key()::equals).isPresent();
            return last == start && !isPlain ? ambiguous(map, written, rest) : named;
        }
        return Named.of(written);
    }

    /**
     * Resolves an environment variable that stands for a key in a map of sections. A section that has a name already wins
     * ({@code ..._TOPICS_MY_TOPIC} stands for {@code topics.My-Topic} if the file has that); otherwise it is the rest in
     * lower case.
     *
     * @param known the full names of the settings so far
     */
    Optional<Named> inEnvironment(String variable, Set<String> known) {
        for (SectionMap map : maps) {
            String prefix = ConfigKey.environmentName(map.prefix());
            if (variable.startsWith(prefix) && variable.length() > prefix.length()) {
                Set<String> matching = matching(map, variable, known);
                if (matching.size() > 1) {
                    return Optional.of(
                            refused(variable, "could be " + String.join(" or ", matching) + "; set it in another way"));
                }
                String rest = variable.substring(prefix.length()).toLowerCase(Locale.ROOT);
                return Optional.of(
                        matching.stream().findFirst().map(Named::of).orElseGet(() -> variable(map, rest, variable)));
            }
        }
        return Optional.empty();
    }

    private static Set<String> matching(SectionMap map, String variable, Set<String> known) {
        Set<String> matching = new LinkedHashSet<>();
        for (String name : known) {
            if (name.startsWith(map.prefix() + '"')) {
                String section = name.substring(map.prefix().length() + 1, name.lastIndexOf('"'));
                if (ConfigKey.environmentName(map.prefix() + section).equals(variable)) {
                    map.plainName(section).ifPresent(matching::add);
                }
                map.keys().stream()
                        .filter(key -> ConfigKey.environmentName(map.shown(section, key))
                                .equals(variable))
                        .forEach(key -> matching.add(map.name(section, key)));
            }
        }
        return matching;
    }

    private static Named variable(SectionMap map, String rest, String variable) {
        for (String key : map.longestFirst()) {
            String end = "_" + key.replace('-', '_');
            if (rest.endsWith(end) && rest.length() > end.length()) {
                return Named.of(map.name(rest.substring(0, rest.length() - end.length()), key));
            }
        }
        int last = rest.lastIndexOf('_');
        Optional<String> nearest = last <= 0 ? Optional.empty() : map.nearest(rest.substring(last + 1));
        return nearest.map(key -> refused(
                        variable,
                        "there is no such key; did you mean "
                                + ConfigKey.environmentName(map.shown(rest.substring(0, last), key)) + "?"))
                .orElseGet(() -> plain(map, variable, rest));
    }

    private static Named plain(SectionMap map, String written, String section) {
        return map.plainName(section)
                .map(Named::of)
                .orElseGet(() -> refused(written, "must end with a key; " + known(map)));
    }

    private static String known(SectionMap map) {
        return "known here are "
                + String.join(", ", map.keys().stream().sorted().toList());
    }

    private static Named quoted(SectionMap map, String written, String rest) {
        int end = rest.indexOf('"', 1);
        if (end > 1 && end == rest.length() - 1) {
            return plain(map, written, rest.substring(1, end));
        }
        return end > 1 && rest.startsWith("\".", end)
                ? section(map, written, rest.substring(1, end), rest.substring(end + 2))
                : Named.of(written);
    }

    private static Named inLine(SectionMap map, String written, String rest) {
        int dot = rest.lastIndexOf('.');
        if (dot <= 0) {
            return plain(map, written, rest);
        }
        String section = rest.substring(0, dot);
        String last = rest.substring(dot + 1);
        if (map.knows(last)) {
            return Named.of(map.name(section, last));
        }
        return map.nearest(last)
                .map(key -> refused(
                        written,
                        "there is no such key; did you mean " + map.shown(section, key) + "?"
                                + map.plain()
                                        .map(plain ->
                                                " If " + rest + " is meant as it is, write " + map.shown(rest, plain))
                                        .orElse("")))
                .orElseGet(() -> plain(map, written, rest));
    }

    private static Named section(SectionMap map, String written, String section, String key) {
        if (map.knows(key)) {
            return Named.of(map.name(section, key));
        }
        String hint = map.nearest(key)
                .map(nearest -> "did you mean " + map.shown(section, nearest) + "?")
                .orElseGet(() -> known(map));
        return refused(written, "there is no such key; " + hint);
    }

    private static Named ambiguous(SectionMap map, String written, String rest) {
        int dot = rest.lastIndexOf('.');
        String key = rest.substring(dot + 1);
        String section = "\"" + rest.substring(0, dot) + ": {" + key + ": ...}\"";
        return map.plain()
                .map(plain -> refused(
                        written,
                        "could be " + rest + ", or " + key + " of " + rest.substring(0, dot) + "; write \"" + rest
                                + ": {" + plain + ": ...}\" or " + section))
                .orElseGet(() -> refused(written, "must be a section; write " + section));
    }

    private static Named refused(String written, String objection) {
        return new Named(written, Optional.of(objection));
    }

    /** The index at which the innermost YAML key begins, counted without quotes. */
    private static int startOfLastKey(String path) {
        boolean quoted = false;
        int at = 0;
        int start = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            quoted ^= c == '"';
            at += c == '"' ? 0 : 1;
            start = !quoted && c == '.' ? at : start;
        }
        return start;
    }
}
