/**
 * Checks of text from clients: strict UTF-8, names and their limits, and the known name that is similar to a misspelt one.
 *
 * <p>All other packages of the HTTP interface use it, and it uses none of them. Stateless; any thread.
 */
package io.mykit.delay.controller.text;
