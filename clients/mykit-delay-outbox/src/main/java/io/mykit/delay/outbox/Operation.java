package io.mykit.delay.outbox;

import java.util.Arrays;

/** The call of a row. */
enum Operation {
    PUSH("push"),
    CANCEL("cancel"),
    RESCHEDULE("reschedule"),
    CANCEL_OF_KEY("cancelOfKey"),
    RESCHEDULE_OF_KEY("rescheduleOfKey");

    private final String word;

    Operation(String word) {
        this.word = word;
    }

    /** As it stands in the table. */
    String word() {
        return word;
    }

    static Operation of(String word) {
        return Arrays.stream(values())
                .filter(operation -> operation.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the outbox has a row with the unknown operation " + word
                        + ", perhaps of a newer version of mykit-delay-outbox"));
    }

    boolean isOfKey() {
        return this == CANCEL_OF_KEY || this == RESCHEDULE_OF_KEY;
    }
}
