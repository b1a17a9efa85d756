-- The embedded form of ../V6__flow_in_rows.sql, which explains the columns.
--
-- The columns come after the body. No query of many messages reads them, so long bodies are not read for them.

ALTER TABLE mykit_delay_queue_job ADD COLUMN first_status INTEGER NULL;
ALTER TABLE mykit_delay_queue_job ADD COLUMN begun INTEGER NULL;
ALTER TABLE mykit_delay_queue_job ADD COLUMN begun_by INTEGER NULL;
ALTER TABLE mykit_delay_queue_job ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_queue_job ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_queue_job ADD COLUMN ended_by INTEGER NOT NULL DEFAULT 0;

CREATE TABLE IF NOT EXISTS mykit_delay_queue_author (
  author      INTEGER PRIMARY KEY,
  host        TEXT    NOT NULL             CHECK (length(host) <= 128),
  thread      TEXT    NOT NULL             CHECK (length(thread) <= 60),
  UNIQUE (host, thread)
) STRICT;
