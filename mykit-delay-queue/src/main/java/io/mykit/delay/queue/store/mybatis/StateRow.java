package io.mykit.delay.queue.store.mybatis;

/** The light columns of {@code mykit_delay_queue_job}. */
record StateRow(String id, int version, int status, long dueTime, long createTime, int attempts) {}
