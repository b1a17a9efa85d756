-- A message may have extras (headers, bytes as its body, a retry policy, a target), and the dead letters are listed by topic.
--
-- Applied like V1 (mykit.delay.datasource.schema). The longer columns keep two bytes for their length, so they change in place.
-- New columns at the end are instant in MySQL 8.0.12 and MariaDB 10.3.

ALTER TABLE mykit_delay_queue_job
  MODIFY id varchar(193) NOT NULL COMMENT 'message id, given by the producer or generated',
  MODIFY topic varchar(193) NOT NULL COMMENT 'topic on the message queue';

ALTER TABLE mykit_delay_queue_job_log
  MODIFY id varchar(193) NOT NULL COMMENT 'message id';

ALTER TABLE mykit_delay_queue_job
  ADD COLUMN encoding tinyint NOT NULL DEFAULT 0
    COMMENT '0 if body is a text, 1 if it is the Base64 of bytes',
  ADD COLUMN options mediumtext NULL
    COMMENT 'JSON with headers, retry, ttr and target, or null if the producer gave none',
  ADD COLUMN first_due bigint NULL
    COMMENT 'due_time before the first retry moved it, epoch milliseconds, or null if no retry moved it';

CREATE TABLE IF NOT EXISTS mykit_delay_queue_dead (
  id          varchar(193) NOT NULL            COMMENT 'message id, as in mykit_delay_queue_job',
  topic       varchar(193) NOT NULL            COMMENT 'topic on the message queue',
  reason      varchar(16)  NOT NULL            COMMENT 'why no further attempt is made, in one word',
  detail      varchar(250) NOT NULL DEFAULT '' COMMENT 'the last failure, for a person',
  attempts    int          NOT NULL            COMMENT 'deliveries that failed',
  dead_time   bigint       NOT NULL            COMMENT 'when it became a dead letter, epoch milliseconds',
  PRIMARY KEY (id),
  KEY idx_mykit_delay_dead_topic (topic, dead_time, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='dead letters: one row for each message with status 6';

INSERT INTO mykit_delay_queue_dead (id, topic, reason, attempts, dead_time)
  SELECT id, topic, 'ATTEMPTS', attempts, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', update_time) DIV 1000
  FROM mykit_delay_queue_job WHERE status = 6;
