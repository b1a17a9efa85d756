package io.mykit.delay.controller;

import static io.mykit.delay.controller.FieldRules.invalid;

import io.mykit.delay.controller.json.JsonReader;
import io.mykit.delay.controller.json.JsonReader.Kind;
import java.math.BigDecimal;

/** Reads one typed field, or says which type it should have had. */
final class JsonFields {
    /** Longer than any long is, also with leading zeros in an exponent. */
    private static final int MAX_NUMBER = 32;

    private JsonFields() {}

    static String string(JsonReader json, PushField field) {
        if (json.peek() != Kind.STRING) {
            throw invalid(field.text + " must be a string");
        }
        return json.string();
    }

    static boolean bool(JsonReader json, PushField field) {
        if (json.peek() != Kind.BOOLEAN) {
            throw invalid(field.text + " must be true or false");
        }
        return json.bool();
    }

    /** A string as it is; anything else as its source text. */
    static String body(JsonReader json) {
        return json.peek() == Kind.STRING ? FieldRules.paired(PushField.BODY.text, json.string()) : json.source();
    }

    static long integer(JsonReader json, PushField field, long max) {
        if (json.peek() != Kind.NUMBER) {
            throw invalid(field.text + " must be an integer");
        }
        String number = json.number();
        if (number.indexOf('.') >= 0) {
            throw invalid(field.text + " must be an integer");
        }
        return FieldRules.range(field.text, exact(field, number, max), max);
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
