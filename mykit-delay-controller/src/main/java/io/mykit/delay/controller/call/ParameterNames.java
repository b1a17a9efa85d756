package io.mykit.delay.controller.call;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.text.Misspelling;
import java.util.List;
import java.util.Set;

/**
 * The parameters that a call knows. An unknown parameter is refused by name, like an unknown field of a push. Otherwise a
 * misspelt {@code dryRun} would cancel all messages. Immutable.
 *
 * @param place the place where they may stand
 * @param repeated the names that may be given several times; in JSON their value may be an array
 */
public record ParameterNames(Place place, List<String> names, Set<String> repeated) {
    /**
     * For probes and scrapes, which change no state. Load balancers and browsers append parameters to them
     * ({@code ?_=1700000000}), and a refusal would take a healthy node out of service.
     */
    public static final ParameterNames IGNORED = new ParameterNames(Place.NOWHERE, List.of(), Set.of());

    /** For calls that have their fields in a JSON body. */
    public static final ParameterNames NONE = new ParameterNames(Place.QUERY, List.of(), Set.of());

    /** For calls without any field. */
    public static final ParameterNames NOTHING = of();

    /** The names of the message's id; all mean the same. */
    static final List<String> IDS = List.of("jobId", "JobId", "id");

    public static final ParameterNames ID = new ParameterNames(Place.QUERY_FORM_OR_JSON, IDS, Set.of());

    public static ParameterNames of(String... names) {
        return new ParameterNames(Place.QUERY_OR_FORM, List.of(names), Set.of());
    }

    /** For calls that take their fields in a JSON body as well. */
    public static ParameterNames orJson(String... names) {
        return new ParameterNames(Place.QUERY_FORM_OR_JSON, List.of(names), Set.of());
    }

    /** The same names, of which these may be given several times. */
    public ParameterNames repeating(String... several) {
        return new ParameterNames(place, names, Set.of(several));
    }

    /** Refuses an unknown name. */
    public void check(String name) {
        if (names.contains(name)) {
            return;
        }
        String unknown = "unknown parameter " + Misspelling.shorten(name);
        if (names.isEmpty()) {
            String fields = place == Place.QUERY ? ", its fields stand in the JSON body" : "";
            throw invalid(unknown + "; this call has no parameters" + fields);
        }
        String hint = Misspelling.nearest(name, names)
                .map(nearest -> "did you mean " + nearest + "? ")
                .orElse("");
        throw invalid(unknown + "; " + hint + "known are " + String.join(", ", names));
    }

    /** The places of parameters. */
    enum Place {
        NOWHERE,
        QUERY,
        QUERY_OR_FORM,
        QUERY_FORM_OR_JSON
    }
}
