package io.mykit.delay.spring;

/**
 * A worker as Redis-DelayQueueJob has it. Each bean of this type is a listener of the topic
 * {@code <spring.application.name>/<type()>}, in {@link Mode#PULL}. The outcomes are those of a {@link DelayedListener}.
 */
public interface TaskWorker {
    /** @param params the body of the message */
    void invoke(String params);

    /** The second part of the topic. */
    String type();

    /** The class of the worker, for programs that look it up; mykit-delay does not use it. */
    Class<?> clazz();
}
