/**
 * Checks of text that comes from outside: strict UTF-8, names and their limits, the known name that a misspelt one is near
 * to.
 *
 * <p>Used by every other package of the HTTP interface, and uses none. Stateless; any thread.
 */
package io.mykit.delay.controller.text;
