package io.mykit.delay.controller.console;

/**
 * One file. No caller changes its arrays.
 *
 * @param gzip the same for clients that accept the encoding gzip
 * @param etag the value of the header, with its quotation marks
 * @param immutable whether the path names the content, so that a browser may keep the file for ever
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays go to the socket as they are.
public record Asset(byte[] bytes, byte[] gzip, String contentType, String etag, boolean immutable) {}
