package io.mykit.delay.controller;

import static io.mykit.delay.controller.FieldRules.invalid;

import com.fasterxml.jackson.core.JsonToken;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Reads one typed field, or says which type it should have had. */
final class JsonFields {
    /** Longer than any long is, also with leading zeros in an exponent. */
    private static final int MAX_NUMBER = 32;

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");

    private JsonFields() {}

    static String string(JsonReader json, PushField field) {
        if (!json.at(JsonToken.VALUE_STRING)) {
            throw invalid(field.text + " must be a string");
        }
        return json.text();
    }

    /** A string; or an integer, which some clients have for an id, digit by digit as it stands there. */
    static String id(JsonReader json) {
        if (!json.at(JsonToken.VALUE_STRING) && !json.at(JsonToken.VALUE_NUMBER_INT)) {
            throw invalid(PushField.ID.text + " must be a string or an integer");
        }
        return json.text();
    }

    static boolean bool(JsonReader json, PushField field) {
        boolean value = json.at(JsonToken.VALUE_TRUE);
        if (!value && !json.at(JsonToken.VALUE_FALSE)) {
            throw invalid(field.text + " must be true or false");
        }
        return value;
    }

    /** A string as it is; anything else as its source text. */
    static String body(JsonReader json) {
        return json.at(JsonToken.VALUE_STRING) ? FieldRules.paired(PushField.BODY.text, json.text()) : json.source();
    }

    /** A number; or its decimal digits in a string, as some clients send it. */
    static long integer(JsonReader json, PushField field, long max) {
        // 1e3 is a float to the parser, but an integer to whoever wrote it.
        boolean number = json.at(JsonToken.VALUE_NUMBER_INT) || json.at(JsonToken.VALUE_NUMBER_FLOAT);
        boolean digits =
                json.at(JsonToken.VALUE_STRING) && DIGITS.matcher(json.text()).matches();
        if (!digits && (!number || json.text().indexOf('.') >= 0)) {
            throw invalid(field.text + " must be an integer");
        }
        return FieldRules.range(field.text, exact(field, json.text(), max), max);
    }

    private static long exact(PushField field, String number, long max) {
        try {
            if (number.length() <= MAX_NUMBER) {
                // An exponent is legal for an integer in JSON (1e3), if seldom seen.
                return number.indexOf('e') < 0 && number.indexOf('E') < 0
                        ? Long.parseLong(number)
                        : new BigDecimal(number).longValueExact();
            }
        } catch (ArithmeticException | NumberFormatException outside) {
            // Same answer as for one that is too long to try.
        }
        throw invalid(field.text + " must be an integer between 0 and " + max);
    }
}
