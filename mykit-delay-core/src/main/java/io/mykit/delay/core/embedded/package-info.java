/**
 * The parts that come with the server so that it runs alone: a real Redis as a child process, SQLite and an ActiveMQ broker
 * in this process, all on loopback and with their files below the data directory.
 *
 * <p>The embedded broker serves the channel {@code activemq}, so this package knows that channel by its name and reads its
 * section; no other class of the server does that of any channel.
 *
 * <p>Only {@link io.mykit.delay.core.Wiring} knows that they are embedded; to everybody else they are addresses.
 */
package io.mykit.delay.core.embedded;
