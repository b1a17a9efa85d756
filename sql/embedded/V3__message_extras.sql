-- The embedded form of ../V3__message_extras.sql, which explains the columns. There is no V2: V1 has its column already.
--
-- SQLite cannot change the CHECK of a column, and a new column would come after the body. So both tables are made anew.

ALTER TABLE mykit_delay_queue_job RENAME TO mykit_delay_queue_job_2;
ALTER TABLE mykit_delay_queue_job_log RENAME TO mykit_delay_queue_job_log_2;

CREATE TABLE mykit_delay_queue_job (
  id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) <= 193),
  bizkey      TEXT    NOT NULL DEFAULT ''  CHECK (length(bizkey) <= 128),
  topic       TEXT    NOT NULL             CHECK (length(topic) <= 193),
  subtopic    TEXT    NOT NULL DEFAULT ''  CHECK (length(subtopic) <= 250),
  delay       INTEGER NOT NULL,
  create_time INTEGER NOT NULL,
  due_time    INTEGER NOT NULL,
  status      INTEGER NOT NULL,
  ttl         INTEGER NOT NULL DEFAULT 0,
  priority    INTEGER NOT NULL DEFAULT 0,
  attempts    INTEGER NOT NULL DEFAULT 0,
  update_time TEXT    NOT NULL             CHECK (length(update_time) = 23),
  version     INTEGER NOT NULL DEFAULT 0,
  encoding    INTEGER NOT NULL DEFAULT 0,
  first_due   INTEGER NULL,
  -- The last ones: long texts are kept on pages of their own, which are read past for what comes after them.
  options     TEXT    NULL,
  body        TEXT    NOT NULL
) STRICT;

INSERT INTO mykit_delay_queue_job (
    id, bizkey, topic, subtopic, delay, create_time, due_time, status, ttl, priority, attempts, update_time, version, body)
  SELECT id, bizkey, topic, subtopic, delay, create_time, due_time, status, ttl, priority, attempts, update_time, version, body
  FROM mykit_delay_queue_job_2;

DROP TABLE mykit_delay_queue_job_2;

CREATE INDEX idx_mykit_delay_job_status_due ON mykit_delay_queue_job (status, due_time, id);

CREATE TABLE mykit_delay_queue_job_log (
  log_id      INTEGER PRIMARY KEY,
  id          TEXT    NOT NULL             CHECK (length(id) <= 193),
  from_status INTEGER NULL,
  status      INTEGER NOT NULL,
  attempt     INTEGER NOT NULL DEFAULT 0,
  thread      TEXT    NOT NULL DEFAULT ''  CHECK (length(thread) <= 60),
  host        TEXT    NOT NULL DEFAULT ''  CHECK (length(host) <= 128),
  detail      TEXT    NOT NULL DEFAULT ''  CHECK (length(detail) <= 250),
  update_time TEXT    NOT NULL             CHECK (length(update_time) = 23)
) STRICT;

INSERT INTO mykit_delay_queue_job_log (log_id, id, from_status, status, attempt, thread, host, detail, update_time)
  SELECT log_id, id, from_status, status, attempt, thread, host, detail, update_time
  FROM mykit_delay_queue_job_log_2;

DROP TABLE mykit_delay_queue_job_log_2;

CREATE INDEX idx_mykit_delay_job_log_id ON mykit_delay_queue_job_log (id, log_id);

CREATE TABLE mykit_delay_queue_dead (
  id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) <= 193),
  topic       TEXT    NOT NULL             CHECK (length(topic) <= 193),
  reason      TEXT    NOT NULL             CHECK (length(reason) <= 16),
  detail      TEXT    NOT NULL DEFAULT ''  CHECK (length(detail) <= 250),
  attempts    INTEGER NOT NULL,
  dead_time   INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_mykit_delay_dead_topic ON mykit_delay_queue_dead (topic, dead_time, id);

INSERT INTO mykit_delay_queue_dead (id, topic, reason, attempts, dead_time)
  SELECT id, topic, 'ATTEMPTS', attempts,
    CAST(strftime('%s', update_time) AS INTEGER) * 1000 + CAST(substr(update_time, 21) AS INTEGER)
  FROM mykit_delay_queue_job WHERE status = 6;
