package io.mykit.delay.controller.call;

/**
 * The caller of one request. The route has let it in already, so a handler needs it only to tell callers apart.
 *
 * @param name for logs, and to count by caller; never the token
 */
public record Principal(String name, Role role) {
    public static final Principal ANONYMOUS = new Principal("anonymous", Role.ANONYMOUS);
    public static final Principal PRODUCER = new Principal("producer", Role.PRODUCER);
    public static final Principal OPERATOR = new Principal("operator", Role.OPERATOR);
}
