package io.mykit.delay.test.server;

/** The JVMs of a test run, which run test classes at the same time. Each has servers, directories and ports of its own. */
final class Fork {
    private static final int NUMBER = Integer.getInteger("mykit.delay.test.fork", 0);

    private Fork() {}

    /** The number of this JVM in its test run, from 1; 0 outside of one. */
    static int number() {
        return NUMBER;
    }
}
