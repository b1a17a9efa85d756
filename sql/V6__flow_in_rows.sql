-- The row of a message tells of its push and of its ordinary end. Such a message needs no row in the flow log.
--
-- Applied like V1 (mykit.delay.datasource.schema). New columns at the end are instant in MySQL 8.0.12 and MariaDB 10.3. The three
-- columns of the end have a fixed width and no NULL, so an UPDATE writes them in place.

ALTER TABLE mykit_delay_queue_job
  ADD COLUMN first_status tinyint NULL
    COMMENT 'status after the push, codes as in status, or null if the row does not tell of the push',
  ADD COLUMN begun bigint NULL
    COMMENT 'when it was pushed, epoch milliseconds, or null if the row does not tell of the push',
  ADD COLUMN begun_by int NULL
    COMMENT 'author of the push, as in mykit_delay_queue_author',
  ADD COLUMN taken bigint NOT NULL DEFAULT 0
    COMMENT 'when it became READY before its end, epoch milliseconds, or 0 if the row does not tell of it',
  ADD COLUMN ended bigint NOT NULL DEFAULT 0
    COMMENT 'when it became FINISH, epoch milliseconds, or 0 if the row does not tell of its end',
  ADD COLUMN ended_by int NOT NULL DEFAULT 0
    COMMENT 'author of its end, as in mykit_delay_queue_author';

CREATE TABLE IF NOT EXISTS mykit_delay_queue_author (
  author      int          NOT NULL AUTO_INCREMENT COMMENT 'number that rows of messages refer to',
  host        varchar(128) NOT NULL COMMENT 'a node',
  thread      varchar(60)  NOT NULL COMMENT 'a loop or a component of that node',
  PRIMARY KEY (author),
  UNIQUE KEY idx_mykit_delay_author_name (host, thread)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='nodes with their threads that moved messages, by number';
