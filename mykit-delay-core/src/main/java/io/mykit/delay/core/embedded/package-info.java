/**
 * The parts with which the server runs alone: a real Redis as a child process, and SQLite and an ActiveMQ broker in this
 * process. All listen on loopback only and keep their files below the data directory.
 *
 * <p>The embedded broker serves the channel {@code activemq}, so this package knows that channel by its name and reads its
 * section. No other class of the server reads the section of a channel.
 *
 * <p>Only {@link io.mykit.delay.core.Wiring} knows that they are embedded. All other packages see addresses.
 */
package io.mykit.delay.core.embedded;
