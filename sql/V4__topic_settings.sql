-- The settings of topics that operators change while the queue runs. All nodes read this small table every few seconds.
--
-- Applied like V1 (mykit.delay.datasource.schema).

CREATE TABLE IF NOT EXISTS mykit_delay_queue_topic (
  topic        varchar(193) NOT NULL COMMENT 'topic on the message queue, its exact name',
  paused_until bigint       NULL     COMMENT 'until when nothing of it is delivered, epoch milliseconds, 9223372036854775807 = until it is resumed, null = not paused',
  update_time  datetime(3)  NOT NULL COMMENT 'last change, in UTC whatever the time zone of the session',
  PRIMARY KEY (topic),
  KEY idx_mykit_delay_topic_paused (paused_until, topic)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='settings of topics, made by operators';
