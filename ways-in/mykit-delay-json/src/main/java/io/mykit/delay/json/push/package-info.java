/**
 * The JSON of a pushed message: its fields with the names that producers use. The ways in whose pushes are JSON share it. {@link
 * io.mykit.delay.queue.producer.NewPush} has the rules. Any thread; a reader belongs to one.
 */
package io.mykit.delay.json.push;
