package io.mykit.delay.queue.producer;

/** The ways of messages into the server. Each has a counter of its own. */
public enum Via {
    /** {@code POST /push}. */
    HTTP,
    /** {@code POST /push/batch}. */
    BATCH,
    /** A call of the gRPC interface. */
    GRPC,
    /** A record of the topic for pushes. */
    KAFKA,
    /** A publish of a client of lmstfy. */
    LMSTFY,
    /** A produce of a client of Grape. */
    GRAPE,
    /** A program that has the queue in its own process. */
    PROGRAM
}
