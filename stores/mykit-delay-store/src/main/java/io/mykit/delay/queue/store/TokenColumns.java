package io.mykit.delay.queue.store;

/**
 * The new columns of a token. A column that is null stays as it is in the store, so two changes of different columns never undo each other.
 * Immutable.
 *
 * @param roles as {@link StoredToken#roles}
 * @param expiresMs epoch milliseconds
 * @param pushRate as {@link StoredToken#pushRate}
 * @param pullRate as {@link StoredToken#pullRate}
 */
public record TokenColumns(
        String roles, String description, Long expiresMs, Boolean disabled, Integer pushRate, Integer pullRate) {
    public TokenColumns {
        if (roles == null
                && description == null
                && expiresMs == null
                && disabled == null
                && pushRate == null
                && pullRate == null) {
            throw new IllegalArgumentException("no column of the token changes");
        }
    }
}
