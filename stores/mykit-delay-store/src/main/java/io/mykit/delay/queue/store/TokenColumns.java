package io.mykit.delay.queue.store;

/**
 * The new columns of a token. A column that is null stays as it is in the store, so two changes of different columns never undo each other.
 * Immutable.
 *
 * @param roles as {@link StoredToken#roles}
 * @param expiresMs epoch milliseconds
 */
public record TokenColumns(String roles, String description, Long expiresMs, Boolean disabled) {
    public TokenColumns {
        if (roles == null && description == null && expiresMs == null && disabled == null) {
            throw new IllegalArgumentException("no column of the token changes");
        }
    }
}
