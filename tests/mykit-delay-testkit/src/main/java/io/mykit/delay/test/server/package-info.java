/**
 * Real servers as processes of their own, on loopback and free ports, brought by Maven artifacts: to be started, frozen,
 * killed and restarted by tests. {@link io.mykit.delay.test.server.SharedServers} keeps one of each for all tests of a
 * JVM that do it no harm.
 */
package io.mykit.delay.test.server;
