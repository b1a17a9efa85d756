package io.mykit.delay.lmstfy.call;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The parameters of a URL or of a form. The first value of a name counts. A pair that cannot be decoded is left out. */
public final class Query {
    public static final Query NONE = new Query(Map.of());

    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /** @param raw null = none */
    public static Query of(String raw) {
        if (raw == null || raw.isEmpty()) {
            return NONE;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            Optional<String> decodedName = Paths.decoded(name, true);
            Optional<String> decodedValue = Paths.decoded(value, true);
            if (!pair.isEmpty() && decodedName.isPresent() && decodedValue.isPresent()) {
                values.putIfAbsent(decodedName.get(), decodedValue.get());
            }
        }
        return new Query(values);
    }

    /** Empty = the parameter is not there. It may be there without a value. */
    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /**
     * A number without a sign.
     *
     * @param otherwise if the parameter is not there
     * @throws Refusal 400 {@code invalid <name>}
     */
    public long unsigned(String name, int bits, long otherwise) {
        Optional<String> text = find(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        long most = (1L << bits) - 1;
        return number(text.get(), false).filter(value -> value <= most).orElseThrow(() -> Refusal.invalid(name));
    }

    /** A number with a sign, of 64 bits. Refuses as {@link #unsigned}. */
    public long signed(String name, long otherwise) {
        Optional<String> text = find(name);
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
