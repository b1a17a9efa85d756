-- A message has a version: row and index are compared by it, so that what happens to one never touches another.
--
-- Applied like V1 (mykit.delay.datasource.schema). A new column at the end is instant in MySQL 8.0.12 and MariaDB 10.3.

ALTER TABLE mykit_delay_queue_job ADD COLUMN version int NOT NULL DEFAULT 0
  COMMENT 'how often the message was given new content or a new due time';
