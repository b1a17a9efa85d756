package io.mykit.delay.test.fault;

import io.mykit.delay.test.fault.injection.Faults;
import io.mykit.delay.test.fault.rig.BrokerKind;
import io.mykit.delay.test.fault.rig.MySqlKind;
import io.mykit.delay.test.fault.rig.RedisKind;
import io.mykit.delay.test.fault.rig.Variant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * The command line of {@code bin/chaos}.
 *
 * @param points a server is halted at each step instead
 * @param consumers a part of the messages is for consumers that pull
 * @param namespaces two teams work beside, each with a namespace
 * @param faults those that were named, or all that are possible with these servers
 */
record Options(
        boolean help,
        boolean points,
        boolean consumers,
        boolean namespaces,
        int minutes,
        long seed,
        Variant variant,
        List<String> faults) {

    /** @throws IllegalArgumentException in words for the user */
    static Options parse(String... arguments) {
        Options options = new Options(false, false, false, false, 5, 1, Variant.USUAL, List.of());
        Deque<String> left = new ArrayDeque<>(List.of(arguments));
        while (!left.isEmpty()) {
            options = options.with(left.pop(), left);
        }
        return options.withPossibleFaults();
    }

    private Options with(String option, Deque<String> left) {
        return switch (option) {
            case "--consumers" -> new Options(help, points, true, namespaces, minutes, seed, variant, faults);
            case "--help", "-h" -> new Options(true, points, consumers, namespaces, minutes, seed, variant, faults);
            case "--points" -> new Options(help, true, consumers, namespaces, minutes, seed, variant, faults);
            case "--namespaces" -> new Options(help, points, consumers, true, minutes, seed, variant, faults);
            case "--minutes" ->
                new Options(help, points, consumers, namespaces, (int) number(option, left, 1), seed, variant, faults);
            case "--seed" ->
                new Options(help, points, consumers, namespaces, minutes, number(option, left, 0), variant, faults);
            case "--broker" -> with(variant.with(oneOf(option, left, BrokerKind.values(), BrokerKind::label)));
            case "--redis" -> with(variant.with(oneOf(option, left, RedisKind.values(), RedisKind::label)));
            case "--mysql" -> with(variant.with(oneOf(option, left, MySqlKind.values(), MySqlKind::label)));
            case "--faults" -> {
                List<String> names = List.of(value(option, left).split(",", -1));
                names.forEach(name -> require(option, name, Faults.names()));
                yield new Options(help, points, consumers, namespaces, minutes, seed, variant, names);
            }
            default -> throw new IllegalArgumentException("unknown option " + option + "; see --help");
        };
    }

    private Options with(Variant servers) {
        return new Options(help, points, consumers, namespaces, minutes, seed, servers, faults);
    }

    /** The servers may be named after the faults. */
    private Options withPossibleFaults() {
        List<String> possible = Faults.names(variant);
        faults.stream().filter(name -> !possible.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    "--faults: " + name + " is not possible with " + variant + ", but " + String.join(", ", possible));
        });
        return new Options(
                help, points, consumers, namespaces, minutes, seed, variant, faults.isEmpty() ? possible : faults);
    }

    private static <T> T oneOf(String option, Deque<String> left, T[] all, Function<T, String> label) {
        String given = value(option, left);
        require(option, given, Arrays.stream(all).map(label).toList());
        return Arrays.stream(all)
                .filter(each -> label.apply(each).equals(given))
                .findFirst()
                .orElseThrow();
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
