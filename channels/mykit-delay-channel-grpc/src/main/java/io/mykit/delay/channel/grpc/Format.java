package io.mykit.delay.channel.grpc;

import java.util.Arrays;
import java.util.Locale;

/** The codec of a request message. The body goes as it is: no format is made of the other. */
enum Format {
    PROTOBUF("application/grpc"),
    JSON("application/grpc+json");

    private final String contentType;

    Format(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /**
     * @throws IllegalArgumentException if the text is no format; the message continues a sentence
     */
    static Format of(String text) {
        return Arrays.stream(values())
                .filter(format -> format.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be PROTOBUF or JSON"));
    }
}
