package io.mykit.delay.controller.log;

import io.mykit.delay.access.log.RequestLog;

/** The log of this process, as the HTTP interface uses it. */
public record Logging(RequestLog requests, LogLevels levels) {}
