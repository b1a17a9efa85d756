/**
 * The channel {@code kafka}. A message is delivered when all in-sync replicas have its record. The topic has to exist: the channel
 * asks the broker for it before the producer does, because a question of the producer lets the broker make the topic.
 *
 * <p>No call blocks. The producer's own wait for a topic is zero, so a topic that is missing holds up no thread. Threads of the
 * dispatcher call send, and threads of the HTTP interface call objection and health. Threads of the client library complete the fates.
 */
package io.mykit.delay.channel.kafka;
