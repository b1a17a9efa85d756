package io.mykit.delay.channel.hosts;

/** The versions of HTTP that receivers speak. */
public enum Protocol {
    /** HTTP/1.1, and HTTP/2 over TLS where the receiver offers it. */
    HTTP,
    /** HTTP/2 alone, without TLS by prior knowledge. */
    HTTP2
}
