/**
 * The way in by Kafka: records of a topic become pushes. It is a guest of the engine's entrance beside HTTP and gRPC, and sees the face for
 * producers alone. An offset is committed only after the message of its record is committed in the database; a record that is read again
 * has the same id, so it is a repeat.
 *
 * <p>One loop, {@code ingest-kafka}, connects, polls, pushes and commits. Threads of the intake complete pushes, and a thread of the client
 * library or {@code ingest-kafka-rejected} completes the writes of records that were set aside; neither touches the consumer.
 */
package io.mykit.delay.ingest.kafka;
