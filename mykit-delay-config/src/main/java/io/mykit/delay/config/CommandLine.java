package io.mykit.delay.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parsed command line. Immutable.
 *
 * @param help {@code --help} or {@code -h}
 * @param version {@code --version}
 * @param file {@code --config FILE}
 * @param settings {@code --mykit.delay.<key>=<value>}, or with a blank instead of {@code =}
 */
public record CommandLine(boolean help, boolean version, Optional<Path> file, Map<String, String> settings) {
    public CommandLine {
        settings = Map.copyOf(settings);
    }

    /**
     * @throws ConfigException if an argument is unknown
     */
    public static CommandLine parse(String... args) {
        boolean help = false;
        boolean version = false;
        Optional<Path> file = Optional.empty();
        Map<String, String> settings = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        Iterator<String> rest = List.of(args).iterator();
        while (rest.hasNext()) {
            String arg = rest.next();
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            switch (name) {
                case "--help", "-h" -> help = true;
                case "--version" -> version = true;
                default -> {
                    Optional<String> value = value(arg, equals, rest);
                    if (!name.startsWith("--")) {
                        problems.add(arg + ": not an option; see --help");
                    } else if (value.isEmpty()) {
                        problems.add(arg + ": needs a value, as in " + name + "=...");
                    } else if (name.equals("--config")) {
                        file = value.map(Path::of);
                    } else {
                        settings.put(name.substring(2), value.get());
                    }
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new CommandLine(help, version, file, settings);
    }

    private static Optional<String> value(String arg, int equals, Iterator<String> rest) {
        if (equals >= 0) {
            return Optional.of(arg.substring(equals + 1));
        }
        return arg.startsWith("--") && rest.hasNext() ? Optional.of(rest.next()) : Optional.empty();
    }
}
