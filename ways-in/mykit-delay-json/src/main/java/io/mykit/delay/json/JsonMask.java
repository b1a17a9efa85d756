package io.mykit.delay.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Replaces the values of some members in a JSON text. The rest of the text stays as it is, character by character. Strict (RFC
 * 8259): a text that is not JSON as a whole has no result, so no value is missed. Stateless.
 */
public final class JsonMask {
    /** The JSON text that stands for a hidden value. */
    private static final String HIDDEN = "\"***\"";

    private static final int MAX_DEPTH = 500;

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            // Field names come from producers and have no limit in number, so no shared table may keep them.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonMask() {}

    /** Whether the text is an object or an array as a whole. */
    public static boolean isJson(String text) {
        return of(text, name -> false).isPresent();
    }

    /**
     * The text with {@code "***"} in place of each hidden value, at any depth.
     *
     * @param hidden chooses members by their names, without escapes
     * @return empty if the text is not an object or an array as a whole
     */
    public static Optional<String> of(String text, Predicate<String> hidden) {
        StringBuilder masked = new StringBuilder();
        int from = 0;
        try (JsonParser json = JSON.createParser(text.toCharArray())) {
            JsonToken first = json.nextToken();
            if (first == null || !first.isStructStart()) {
                return Optional.empty();
            }
            while (!json.getParsingContext().inRoot()) {
                JsonToken token = json.nextToken();
                if (token == null) {
                    return Optional.empty();
                }
                if (token == JsonToken.FIELD_NAME && hidden.test(json.currentName())) {
                    json.nextToken();
                    masked.append(text, from, (int) json.currentTokenLocation().getCharOffset())
                            .append(HIDDEN);
                    json.skipChildren();
                    // The parser reads a text lazily.
                    json.finishToken();
                    from = (int) json.currentLocation().getCharOffset();
                }
            }
            return json.nextToken() == null
                    ? Optional.of(
                            from == 0
                                    ? text
                                    : masked.append(text, from, text.length()).toString())
                    : Optional.empty();
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }
}
