/**
 * Serves the files of the pages for operators. They hold no data: the pages get them by calls, with the token of their user. The
 * files come from another module.
 *
 * <p>Runs on the event loops, and blocks only while the files are read for the first time.
 */
package io.mykit.delay.controller.console;
