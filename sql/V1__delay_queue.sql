-- The tables of mykit-delay. One script for MySQL 8, MariaDB 10.6+ and H2 (MODE=MySQL).
--
-- The server applies it at start (mykit.delay.datasource.schema=apply). Where its account may not create tables, run it
-- by hand and set mykit.delay.datasource.schema=check. A released script is never changed; the next change is V2.
--
-- utf8mb4_bin: ids that differ only in case or accent are different ids. It ignores spaces at the end; the server
-- refuses ids that begin or end with white space.

CREATE TABLE IF NOT EXISTS mykit_delay_queue_job (
  id          varchar(128) NOT NULL            COMMENT 'message id, given by the producer or generated',
  bizkey      varchar(128) NOT NULL DEFAULT '' COMMENT 'business key of the producer',
  topic       varchar(128) NOT NULL            COMMENT 'topic on the message queue',
  subtopic    varchar(250) NOT NULL DEFAULT '' COMMENT 'tag or sub-address inside the topic',
  delay       bigint       NOT NULL            COMMENT 'milliseconds between create_time and due_time',
  create_time bigint       NOT NULL            COMMENT 'when it was pushed, epoch milliseconds',
  due_time    bigint       NOT NULL            COMMENT 'when it is to arrive, epoch milliseconds',
  body        mediumtext   NOT NULL            COMMENT 'what the consumer gets',
  status      int          NOT NULL            COMMENT '0 WAIT_PUT, 1 DELAY, 2 READY, 3 FINISH, 4 DELETE, 5 RESTORE, 6 FAILED, 7 EXPIRED',
  ttl         int          NOT NULL DEFAULT 0  COMMENT 'seconds after due_time during which delivery is worth while, 0 = for ever',
  priority    int          NOT NULL DEFAULT 0  COMMENT '0 low to 9 high, breaks ties inside one millisecond',
  attempts    int          NOT NULL DEFAULT 0  COMMENT 'deliveries that failed so far',
  update_time datetime(3)  NOT NULL            COMMENT 'last change, in UTC whatever the time zone of the session',
  PRIMARY KEY (id),
  KEY idx_mykit_delay_job_status_due (status, due_time, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='messages with a delay, and where each of them is';

CREATE TABLE IF NOT EXISTS mykit_delay_queue_job_log (
  log_id      bigint       NOT NULL AUTO_INCREMENT COMMENT 'order of the moves',
  id          varchar(128) NOT NULL                COMMENT 'message id',
  from_status int          NULL                    COMMENT 'status before the move, null for the first row of a message',
  status      int          NOT NULL                COMMENT 'status after the move, codes as in mykit_delay_queue_job',
  attempt     int          NOT NULL DEFAULT 0      COMMENT 'deliveries that failed so far',
  thread      varchar(60)  NOT NULL DEFAULT ''     COMMENT 'the loop or room that moved it',
  host        varchar(128) NOT NULL DEFAULT ''     COMMENT 'the node that moved it',
  detail      varchar(250) NOT NULL DEFAULT ''     COMMENT 'why, for a person',
  update_time datetime(3)  NOT NULL                COMMENT 'when it moved, in UTC whatever the time zone of the session',
  PRIMARY KEY (log_id),
  KEY idx_mykit_delay_job_log_id (id, log_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='status flow: one row for each move of a message';

CREATE TABLE IF NOT EXISTS mykit_delay_queue_epoch (
  name        varchar(128) NOT NULL COMMENT 'which queue',
  epoch       bigint       NOT NULL COMMENT 'fencing number of its latest standalone leader, only ever grows',
  update_time datetime(3)  NOT NULL COMMENT 'when it was taken, in UTC whatever the time zone of the session',
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='fencing numbers of standalone leaders';
