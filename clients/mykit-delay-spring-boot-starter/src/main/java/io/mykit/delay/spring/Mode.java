package io.mykit.delay.spring;

/** The way of messages to a listener. It has to fit the channel that the server has for the topic. */
public enum Mode {
    /** The application pulls; the topic's channel is {@code pull}. Nothing has to reach the application. */
    PULL,
    /** The server calls the application; the topic's channel is {@code webhook}, with the URL of the callback endpoint. */
    PUSH
}
