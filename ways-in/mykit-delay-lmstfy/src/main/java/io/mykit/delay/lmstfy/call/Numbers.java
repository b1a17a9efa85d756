package io.mykit.delay.lmstfy.call;

import io.mykit.delay.ports.call.Query;
import java.util.Optional;

/** Reads the numbers among the parameters of a request. Stateless. */
public final class Numbers {
    private Numbers() {}

    /**
     * A number without a sign.
     *
     * @param otherwise if the parameter is not there
     * @throws Refusal 400 {@code invalid <name>}
     */
    public static long unsigned(Query query, String name, int bits, long otherwise) {
        Optional<String> text = query.find(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        long most = (1L << bits) - 1;
        return number(text.get(), false).filter(value -> value <= most).orElseThrow(() -> Refusal.invalid(name));
    }

    /** A number with a sign, of 64 bits. Refuses as {@link #unsigned}. */
    public static long signed(Query query, String name, long otherwise) {
        Optional<String> text = query.find(name);
        return text.isEmpty() ? otherwise : number(text.get(), true).orElseThrow(() -> Refusal.invalid(name));
    }

    private static Optional<Long> number(String text, boolean mayHaveSign) {
        boolean hasSign = mayHaveSign && (text.startsWith("-") || text.startsWith("+"));
        String digits = hasSign ? text.substring(1) : text;
        if (digits.isEmpty() || !digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException tooLong) {
            return Optional.empty();
        }
    }
}
