/**
 * The log: the lines of requests, and the calls that show and change the levels of loggers.
 *
 * <p>Event loops put lines into a ring and never wait. One thread writes them.
 */
package io.mykit.delay.controller.log;
