package io.mykit.delay.test.server;

/**
 * One server of each kind for all tests of a JVM that do it no harm: started when first asked for, killed with the JVM.
 * A test that kills or freezes a server starts its own.
 */
public final class SharedServers {

    private SharedServers() {}
}
