-- The keys of the policies of single topics that operators set while the queue runs. All nodes read this small table every few seconds.
--
-- Applied like V1 (mykit.delay.datasource.schema). Nodes of older versions do not read it.

CREATE TABLE IF NOT EXISTS mykit_delay_queue_topic_policy (
  topic       varchar(193) NOT NULL COMMENT 'topic on the message queue, its exact name',
  name        varchar(40)  NOT NULL COMMENT 'of the value, as POST /topics/policy has it: maxAttempts, rate, ...',
  value       varchar(500) NOT NULL COMMENT 'its value, as in the configuration',
  update_time datetime(3)  NOT NULL COMMENT 'last change, in UTC whatever the time zone of the session',
  PRIMARY KEY (topic, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='policies of topics, made by operators';
