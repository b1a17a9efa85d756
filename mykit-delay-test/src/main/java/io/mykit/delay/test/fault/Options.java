package io.mykit.delay.test.fault;

import io.mykit.delay.test.fault.injection.Faults;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The command line of {@code bin/chaos}. */
record Options(boolean help, boolean points, int minutes, long seed, String broker, List<String> faults) {
    private static final List<String> BROKERS = List.of("activemq", "rocketmq");

    /** @throws IllegalArgumentException in words for the user */
    static Options parse(String... arguments) {
        Options options = new Options(false, false, 5, 1, BROKERS.get(0), Faults.names());
        Deque<String> left = new ArrayDeque<>(List.of(arguments));
        while (!left.isEmpty()) {
            options = options.with(left.pop(), left);
        }
        return options;
    }

    private Options with(String option, Deque<String> left) {
        return switch (option) {
            case "--help", "-h" -> new Options(true, points, minutes, seed, broker, faults);
            case "--points" -> new Options(help, true, minutes, seed, broker, faults);
            case "--minutes" -> new Options(help, points, (int) number(option, left, 1), seed, broker, faults);
            case "--seed" -> new Options(help, points, minutes, number(option, left, 0), broker, faults);
            case "--broker" -> new Options(help, points, minutes, seed, oneOf(option, left, BROKERS), faults);
            case "--faults" -> {
                List<String> names = List.of(value(option, left).split(",", -1));
                names.forEach(name -> require(option, name, Faults.names()));
                yield new Options(help, points, minutes, seed, broker, names);
            }
            default -> throw new IllegalArgumentException("unknown option " + option + "; see --help");
        };
    }

    private static String oneOf(String option, Deque<String> left, List<String> allowed) {
        String given = value(option, left);
        require(option, given, allowed);
        return given;
    }

    private static void require(String option, String given, List<String> allowed) {
        if (!allowed.contains(given)) {
            throw new IllegalArgumentException(option + " knows no " + given + ", but " + String.join(", ", allowed));
        }
    }

    private static String value(String option, Deque<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value; see --help");
        }
        return left.pop();
    }

    private static long number(String option, Deque<String> left, long atLeast) {
        String text = value(option, left);
        try {
            long number = Long.parseLong(text);
            if (number >= atLeast && (number <= 1440 || !option.equals("--minutes"))) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(option + " needs a number of at least " + atLeast + ", not " + text);
    }
}
