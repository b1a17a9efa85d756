/**
 * What the two clients of Kafka share, the channel and the ingest: the keys of a connection, the account, TLS, and words for faults. It
 * imports the SPI of channels for keys and certificates. Stateless or immutable; any thread.
 */
package io.mykit.delay.kafka;
