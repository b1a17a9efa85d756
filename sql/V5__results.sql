-- A consumer may give a result with its ack, and the answer of a webhook may be kept as one.
--
-- Applied like V1 (mykit.delay.datasource.schema).

CREATE TABLE IF NOT EXISTS mykit_delay_queue_result (
  id          varchar(193) NOT NULL           COMMENT 'message id, as in mykit_delay_queue_job',
  encoding    tinyint      NOT NULL DEFAULT 0 COMMENT '0 if result is a text, 1 if it is the Base64 of bytes',
  result      mediumtext   NOT NULL           COMMENT 'at most 64 KiB of text or of bytes',
  update_time datetime(3)  NOT NULL           COMMENT 'when it was stored, UTC',
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='results: at most one row for each message with status 3';
