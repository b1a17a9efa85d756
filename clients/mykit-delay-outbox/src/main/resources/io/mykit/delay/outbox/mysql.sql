-- The outbox of mykit-delay, version 1: MySQL 5.7 and newer, MariaDB 10.3 and newer. Times are epoch milliseconds of the database's clock.
CREATE TABLE mykit_delay_outbox (
  row_id         BIGINT       NOT NULL AUTO_INCREMENT,
  operation      VARCHAR(20)  NOT NULL,
  message_id     VARCHAR(128) NULL,
  topic          VARCHAR(128) NULL,
  biz_key        VARCHAR(128) NULL,
  content        LONGTEXT     NULL,
  content_length INT          NOT NULL,
  due_at         BIGINT       NULL,
  created_at     BIGINT       NOT NULL,
  not_before     BIGINT       NOT NULL DEFAULT 0,
  taken_by       VARCHAR(40)  NULL,
  tries          INT          NOT NULL DEFAULT 0,
  set_aside      SMALLINT     NOT NULL DEFAULT 0,
  reason         VARCHAR(500) NULL,
  PRIMARY KEY (row_id),
  KEY mykit_delay_outbox_next (set_aside, row_id),
  KEY mykit_delay_outbox_message (message_id, row_id),
  KEY mykit_delay_outbox_key (biz_key, operation, row_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
