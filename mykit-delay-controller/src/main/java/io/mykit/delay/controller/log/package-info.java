/** The calls that show and change the levels of loggers. Threads that read requests call it. */
package io.mykit.delay.controller.log;
