/**
 * The certificate of this server's own ports, read from files in PEM. The configuration checks the files at the start, and
 * {@code access} reads them again when they change. Certificates of connections to brokers are in {@code channel.tls}. Any thread.
 */
package io.mykit.delay.common.tls;
