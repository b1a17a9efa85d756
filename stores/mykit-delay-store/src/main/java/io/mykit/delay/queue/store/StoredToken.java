package io.mykit.delay.queue.store;

/**
 * A token as the store has it. The token itself is nowhere. Immutable.
 *
 * @param hash the SHA-256 of the token, in hexadecimal digits
 * @param tokenId the part of the token that may be shown
 * @param namespace the namespace that the token is confined to; {@code *} = none
 * @param roles the words of the roles, separated by commas
 * @param createdMs epoch milliseconds
 * @param createdBy the name of the caller that made it
 * @param expiresMs epoch milliseconds; null = never
 * @param lastUsed the last day on which it was used, in UTC, as {@code 2027-01-15}; null = never
 * @param pushRate the pushes a second; 0 = no limit
 * @param pullRate the messages that it pulls a second; 0 = no limit
 */
public record StoredToken(
        String hash,
        String tokenId,
        String namespace,
        String roles,
        String description,
        long createdMs,
        String createdBy,
        Long expiresMs,
        boolean disabled,
        String lastUsed,
        int pushRate,
        int pullRate) {

    /** The columns of the table; characters. */
    public static final int MAX_DESCRIPTION = 200;

    public static final int MAX_CREATED_BY = 64;

    /** Without the hash. */
    @Override
    public String toString() {
        return "token " + tokenId;
    }
}
