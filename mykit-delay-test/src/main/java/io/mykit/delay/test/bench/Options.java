package io.mykit.delay.test.bench;

import io.mykit.delay.test.bench.line.Scale;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The command line.
 *
 * @param only names of lines; empty: all
 * @param runs 0: as the scale says
 * @param mariaDb whether the database is MariaDB, and not MySQL
 * @param json null: none
 * @param profile directory for flight recordings of the server; null: none
 */
record Options(
        boolean help, Extent extent, List<String> only, int runs, long seed, boolean mariaDb, Path json, Path profile) {

    /** How much there is to do. */
    enum Extent {
        QUICK(10),
        USUAL(30),
        FULL(120);

        /** After which it is given up. */
        final int maxMinutes;

        Extent(int maxMinutes) {
            this.maxMinutes = maxMinutes;
        }
    }

    /** @throws IllegalArgumentException in words for the user */
    static Options parse(String... arguments) {
        Options options = new Options(false, Extent.USUAL, List.of(), 0, 1, false, null, null);
        Deque<String> left = new ArrayDeque<>(List.of(arguments));
        while (!left.isEmpty()) {
            options = options.with(left.pop(), left);
        }
        return options;
    }

    private Options with(String option, Deque<String> left) {
        return switch (option) {
            case "--help", "-h" -> new Options(true, extent, only, runs, seed, mariaDb, json, profile);
            case "--quick" -> new Options(help, Extent.QUICK, only, runs, seed, mariaDb, json, profile);
            case "--full" -> new Options(help, Extent.FULL, only, runs, seed, mariaDb, json, profile);
            case "--only" ->
                new Options(
                        help, extent, List.of(value(option, left).split(",", -1)), runs, seed, mariaDb, json, profile);
            case "--runs" -> new Options(help, extent, only, number(option, left, 1), seed, mariaDb, json, profile);
            case "--seed" -> new Options(help, extent, only, runs, number(option, left, 0), mariaDb, json, profile);
            case "--json" -> new Options(help, extent, only, runs, seed, mariaDb, path(value(option, left)), profile);
            case "--profile" -> new Options(help, extent, only, runs, seed, mariaDb, json, path(value(option, left)));
            case "--database" ->
                new Options(help, extent, only, runs, seed, isMariaDb(value(option, left)), json, profile);
            default -> throw new IllegalArgumentException("unknown option " + option + "; see --help");
        };
    }

    private static String value(String option, Deque<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value; see --help");
        }
        return left.pop();
    }

    private static boolean isMariaDb(String database) {
        return switch (database) {
            case "mysql" -> false;
            case "mariadb" -> true;
            default -> throw new IllegalArgumentException("--database is mysql or mariadb, not " + database);
        };
    }

    /** Relative to where the user is: the program itself runs in the module's directory. */
    private static Path path(String given) {
        return Path.of(System.getProperty("bench.caller", ""), "").resolve(given);
    }

    private static int number(String option, Deque<String> left, int atLeast) {
        String text = value(option, left);
        try {
            int number = Integer.parseInt(text);
            if (number >= atLeast) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(option + " needs a number of at least " + atLeast + ", not " + text);
    }

    Scale scale() {
        Scale scale = extent == Extent.QUICK ? Scale.QUICK : Scale.USUAL;
        return runs > 0 ? scale.withRuns(runs) : scale;
    }
}
