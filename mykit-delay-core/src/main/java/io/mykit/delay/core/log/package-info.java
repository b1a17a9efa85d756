/**
 * The log of this process: its form, its file, and the levels of loggers. The only package that knows Logback.
 *
 * <p>Any thread logs.
 */
package io.mykit.delay.core.log;
