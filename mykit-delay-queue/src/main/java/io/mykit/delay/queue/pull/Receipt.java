package io.mykit.delay.queue.pull;

import io.mykit.delay.queue.bucket.HoldReceipt;

/**
 * A receipt as a consumer gets it: the receipt of the hold, and the version and the attempts of the message. So an ack can be
 * recorded while the database is away, and an ack of an older version never ends a newer one. Immutable.
 *
 * @param hold the receipt of the hold in the index; empty = none
 * @param attempts how many attempts failed before
 */
record Receipt(String hold, int version, int attempts) {
    /** An ack without a receipt, by the id alone. */
    static final Receipt NONE = new Receipt("", 0, 0);

    /** Reads the text of a consumer; null = none. A text that no server gave fits no hold. */
    static Receipt parse(String text) {
        if (text == null) {
            return NONE;
        }
        String[] parts = text.split("\\.", -1);
        if (parts.length == 3) {
            try {
                return new Receipt(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
            } catch (NumberFormatException e) {
                return new Receipt(text, 0, 0);
            }
        }
        return new Receipt(text, 0, 0);
    }

    /** The same receipt with the name of its consumer. */
    Receipt of(String consumer) {
        return new Receipt(HoldReceipt.rename(hold, consumer), version, attempts);
    }

    boolean isNone() {
        return hold.isEmpty();
    }

    /** The text for the consumer. */
    String text() {
        return HoldReceipt.forConsumer(hold, version, attempts);
    }
}
