/**
 * The files of the web console, as a server sends them: the page, its scripts, styles and texts.
 *
 * <p>The HTTP interface serves them. Any thread may ask; nothing is read before the first request.
 */
package io.mykit.delay.console;
