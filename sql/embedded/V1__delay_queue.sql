-- The tables of mykit-delay in its embedded store, SQLite. The columns are those of ../V1__delay_queue.sql and ../V2__message_version.sql,
-- which explain them.
--
-- The server applies it at start. A released script is never changed; the next change is V2, here and there.
--
-- SQLite keeps texts of any length: the CHECKs are the limits that MySQL has by the types of its columns. Texts are
-- compared byte by byte. Times are texts in UTC, such as 2023-11-14 22:15:23.456.

CREATE TABLE IF NOT EXISTS mykit_delay_queue_job (
  id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) <= 128),
  bizkey      TEXT    NOT NULL DEFAULT ''  CHECK (length(bizkey) <= 128),
  topic       TEXT    NOT NULL             CHECK (length(topic) <= 128),
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
  -- The last one: a long body is kept on pages of its own, which are read past for what comes after it.
  body        TEXT    NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS idx_mykit_delay_job_status_due ON mykit_delay_queue_job (status, due_time, id);

CREATE TABLE IF NOT EXISTS mykit_delay_queue_job_log (
  log_id      INTEGER PRIMARY KEY,
  id          TEXT    NOT NULL             CHECK (length(id) <= 128),
  from_status INTEGER NULL,
  status      INTEGER NOT NULL,
  attempt     INTEGER NOT NULL DEFAULT 0,
  thread      TEXT    NOT NULL DEFAULT ''  CHECK (length(thread) <= 60),
  host        TEXT    NOT NULL DEFAULT ''  CHECK (length(host) <= 128),
  detail      TEXT    NOT NULL DEFAULT ''  CHECK (length(detail) <= 250),
  update_time TEXT    NOT NULL             CHECK (length(update_time) = 23)
) STRICT;

CREATE INDEX IF NOT EXISTS idx_mykit_delay_job_log_id ON mykit_delay_queue_job_log (id, log_id);

CREATE TABLE IF NOT EXISTS mykit_delay_queue_epoch (
  name        TEXT    NOT NULL PRIMARY KEY CHECK (length(name) <= 128),
  epoch       INTEGER NOT NULL,
  update_time TEXT    NOT NULL             CHECK (length(update_time) = 23)
) STRICT;
