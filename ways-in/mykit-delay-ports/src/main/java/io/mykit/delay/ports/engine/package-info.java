/**
 * What calls of several APIs ask of the engine in the same way: a push whose commit is certain, the end of a message by its id, the limits of
 * callers. Its classes do not block; what blocks runs on workers.
 */
package io.mykit.delay.ports.engine;
