/**
 * The message store in MySQL, MariaDB or SQLite. Druid keeps the connections, Flyway creates the tables, and MyBatis
 * holds the SQL (in the XML resources of the same package). For statements that run for every message MyBatis only
 * creates the text, once for each of a few lengths. {@link io.mykit.delay.queue.store.mybatis.JobStatements} and
 * {@link io.mykit.delay.queue.store.mybatis.FlowStatements} run them. No other package uses JDBC.
 *
 * <p>The threads of the callers do the work. Two daemon threads of Druid in each pool create and check connections.
 * One thread of {@link io.mykit.delay.queue.store.mybatis.StorePing} asks the server for the health report.
 */
package io.mykit.delay.queue.store.mybatis;
