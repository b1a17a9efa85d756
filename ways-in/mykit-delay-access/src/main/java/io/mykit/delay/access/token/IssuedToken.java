package io.mykit.delay.access.token;

import io.mykit.delay.queue.store.StoredToken;

/**
 * A new token. Its text is known here alone, and is shown once.
 *
 * @param text the token itself: a secret
 * @param row what is stored
 */
public record IssuedToken(String text, StoredToken row) {
    /** Without the token. */
    @Override
    public String toString() {
        return row.toString();
    }
}
