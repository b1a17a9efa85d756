/**
 * The message table in MySQL, MariaDB or SQLite: Druid keeps the connections, Flyway the tables, MyBatis the SQL (in the XML
 * resources of the same package). Of the statements that every message passes through MyBatis makes the text, once for
 * each of a few shapes; {@link io.mykit.delay.queue.store.mybatis.JobStatements} and
 * {@link io.mykit.delay.queue.store.mybatis.FlowStatements} run them. The only room that knows JDBC.
 *
 * <p>Callers' threads do the work. Two daemon threads of Druid's create and check connections; one more of
 * {@link io.mykit.delay.queue.store.mybatis.StorePing} asks the server for the health report.
 */
package io.mykit.delay.queue.store.mybatis;
