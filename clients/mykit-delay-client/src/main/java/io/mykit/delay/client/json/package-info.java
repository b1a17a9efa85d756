/**
 * Reads and writes the JSON of the HTTP interface, so that the client needs no JSON library beside it. It is no part of the
 * client's API.
 *
 * <p>Stateless or immutable; any thread.
 */
package io.mykit.delay.client.json;
