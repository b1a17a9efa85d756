package io.mykit.delay.ports.call;

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
}
