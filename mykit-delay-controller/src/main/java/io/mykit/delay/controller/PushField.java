package io.mykit.delay.controller;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

/** The fields of a pushed message, as producers spell them. */
enum PushField {
    ID("id"),
    TOPIC("topic"),
    SUBTOPIC("subtopic"),
    BIZ_KEY("bizKey"),
    BODY("body"),
    DELAY("delay"),
    TRIGGER_AT("triggerAt"),
    CREATE_TIME("createTime"),
    TTL("ttl"),
    PRIORITY("priority"),
    STATUS("status"),
    REPLACE("replace"),
    /** The original Java clients send it; the server chooses the bucket. */
    BUCKED_NAME("buckedName");

    private static final Map<String, PushField> BY_NAME =
            Arrays.stream(values()).collect(toUnmodifiableMap(field -> field.text, field -> field));

    final String text;

    PushField(String text) {
        this.text = text;
    }

    /** The field of this name; an unknown one is refused, since a misspelt field would silently do nothing. */
    static PushField named(String name) {
        PushField field = BY_NAME.get(name);
        if (field == null) {
            throw FieldRules.invalid("unknown field " + shorten(name) + "; " + hint(name));
        }
        return field;
    }

    private static String hint(String name) {
        String lower = shorten(name).toLowerCase(Locale.ROOT);
        PushField nearest = Arrays.stream(values())
                .min(Comparator.comparingInt(field -> distance(lower, field.text.toLowerCase(Locale.ROOT))))
                .orElseThrow();
        if (distance(lower, nearest.text.toLowerCase(Locale.ROOT)) <= 2) {
            return "did you mean " + nearest.text + "?";
        }
        return "known are " + Arrays.stream(values()).map(field -> field.text).collect(joining(", "));
    }

    private static String shorten(String name) {
        return name.length() <= 64 ? name : name.substring(0, 64) + "...";
    }

    /** Levenshtein's distance, one row at a time. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
