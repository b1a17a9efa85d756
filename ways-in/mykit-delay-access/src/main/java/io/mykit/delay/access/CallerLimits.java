package io.mykit.delay.access;

/**
 * The limits of a caller. Immutable.
 *
 * @param pushRate pushes a second of its token; 0 = no limit
 * @param pullRate pulled messages a second of its token; 0 = no limit
 * @param namespace the limits that it shares with the other tokens of its namespace
 */
public record CallerLimits(int pushRate, int pullRate, NamespaceLimits namespace) {
    public static final CallerLimits NONE = new CallerLimits(0, 0, NamespaceLimits.NONE);
}
