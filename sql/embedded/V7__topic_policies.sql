-- The embedded form of ../V7__topic_policies.sql, which explains the columns.

CREATE TABLE IF NOT EXISTS mykit_delay_queue_topic_policy (
  topic       TEXT    NOT NULL CHECK (length(topic) <= 193),
  name        TEXT    NOT NULL CHECK (length(name) <= 40),
  value       TEXT    NOT NULL CHECK (length(value) <= 500),
  update_time TEXT    NOT NULL CHECK (length(update_time) = 23),
  PRIMARY KEY (topic, name)
) STRICT;
