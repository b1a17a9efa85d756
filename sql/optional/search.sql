-- Optional indexes for GET /messages, for MySQL 8, MariaDB 10.6+ and SQLite. The server never makes them and never needs them.
--
-- With them a search by topic or by business key finds its messages at once. Without them it walks along the due times, a part
-- at a time. Each push and each change of a due time pays for an index, so make only those that you use. Both are made while
-- the server runs. The server finds them at its next look: at its start, every hour, and within ten seconds if a call by business key needs it.
-- To take one back: DROP INDEX <name> ON mykit_delay_queue_job (in SQLite: DROP INDEX <name>).

-- Messages of a topic, or of the topics that begin with a text, also those beyond the horizon and those that have ended.
CREATE INDEX idx_mykit_delay_job_topic_due ON mykit_delay_queue_job (topic, due_time, id);

-- Messages with a business key. Cancels and moves by business key need it once more than 20,000 messages are unfinished.
CREATE INDEX idx_mykit_delay_job_bizkey ON mykit_delay_queue_job (bizkey, id);
