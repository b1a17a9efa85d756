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
 * @param javaOptions of the server's JVM, beside its heap; may be empty
 * @param profile directory for flight recordings of the server; null: none
 */
record Options(
        boolean help,
        Extent extent,
        List<String> only,
        int runs,
        long seed,
        boolean mariaDb,
        String javaOptions,
        Path json,
        Path profile) {

    /** How much there is to do. */
    enum Extent {
        QUICK(10),
        USUAL(60),
        FULL(180);

        /** After which it is given up. */
        final int maxMinutes;

        Extent(int maxMinutes) {
            this.maxMinutes = maxMinutes;
        }
    }

    /** @throws IllegalArgumentException in words for the user */
    static Options parse(String... arguments) {
        return new Arguments(arguments).read();
    }

    Scale scale() {
        Scale scale = extent == Extent.QUICK ? Scale.QUICK : Scale.USUAL;
        return runs > 0 ? scale.withRuns(runs) : scale;
    }

    private static final class Arguments {
        private final Deque<String> left;
        private boolean help;
        private Extent extent = Extent.USUAL;
        private List<String> only = List.of();
        private int runs;
        private long seed = 1;
        private boolean mariaDb;
        private String javaOptions = "";
        private Path json;
        private Path profile;

        Arguments(String... arguments) {
            this.left = new ArrayDeque<>(List.of(arguments));
        }

        Options read() {
            while (!left.isEmpty()) {
                read(left.pop());
            }
            return new Options(help, extent, only, runs, seed, mariaDb, javaOptions, json, profile);
        }

        private void read(String option) {
            switch (option) {
                case "--help", "-h" -> help = true;
                case "--quick" -> extent = Extent.QUICK;
                case "--full" -> extent = Extent.FULL;
                case "--only" -> only = List.of(value(option).split(",", -1));
                case "--runs" -> runs = number(option, 1);
                case "--seed" -> seed = number(option, 0);
                case "--json" -> json = path(value(option));
                case "--profile" -> profile = path(value(option));
                case "--java-options" -> javaOptions = value(option);
                case "--database" -> mariaDb = isMariaDb(value(option));
                default -> throw new IllegalArgumentException("unknown option " + option + "; see --help");
            }
        }

        private String value(String option) {
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

        private int number(String option, int atLeast) {
            String text = value(option);
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
    }
}
