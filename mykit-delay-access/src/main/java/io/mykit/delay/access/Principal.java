package io.mykit.delay.access;

/**
 * The caller of one request. Its access is already checked, so a handler uses it only to distinguish callers. Immutable.
 *
 * @param name the name for logs and for counts by caller; never the token
 */
public record Principal(String name, Role role) {
    public static final Principal ANONYMOUS = new Principal("anonymous", Role.ANONYMOUS);
    public static final Principal PRODUCER = new Principal("producer", Role.PRODUCER);
    public static final Principal VIEWER = new Principal("viewer", Role.VIEWER);
    public static final Principal OPERATOR = new Principal("operator", Role.OPERATOR);
}
