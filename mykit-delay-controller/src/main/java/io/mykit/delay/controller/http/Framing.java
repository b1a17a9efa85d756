package io.mykit.delay.controller.http;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/**
 * Refuses heads that another server on the way may read in another way: then the two do not agree where the next request of
 * the connection begins, or for which host the request is. The connection is closed after the answer. Stateless.
 */
final class Framing {
    /** The longest target of a request, in bytes. */
    static final int MAX_TARGET = 4096;

    /** The longest request line that the decoder reads. Of a longer one not even the method is known. */
    static final int MAX_LINE = 2 * MAX_TARGET;

    private Framing() {}

    /** The answer to a head that is refused; empty = the head is fine. */
    static Optional<Reply> refusal(HttpServerRequest request) {
        if (request.uri().length() > MAX_TARGET) {
            return Optional.of(ErrorMapper.lineTooLong());
        }
        MultiMap headers = request.headers();
        List<String> encodings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
        if (encodings.size() > 1 || (encodings.size() == 1 && !"chunked".equalsIgnoreCase(encodings.get(0)))) {
            return invalid("the header Transfer-Encoding may only be: chunked");
        }
        if (headers.getAll(HttpHeaders.HOST).size() > 1) {
            return invalid("the header Host is there more than once");
        }
        return Optional.empty();
    }

    /** Whether the bytes of the body are not its content. */
    static boolean isEncoded(HttpServerRequest request) {
        return request.headers().getAll(HttpHeaders.CONTENT_ENCODING).stream()
                .anyMatch(encoding -> !encoding.isBlank() && !"identity".equalsIgnoreCase(encoding.strip()));
    }

    private static Optional<Reply> invalid(String message) {
        return Optional.of(
                ErrorMapper.failure(ErrorCode.INVALID_REQUEST, message).reply());
    }
}
