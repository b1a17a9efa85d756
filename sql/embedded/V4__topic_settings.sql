-- The embedded form of ../V4__topic_settings.sql, which explains the columns.

CREATE TABLE IF NOT EXISTS mykit_delay_queue_topic (
  topic        TEXT    NOT NULL PRIMARY KEY CHECK (length(topic) <= 193),
  paused_until INTEGER NULL,
  update_time  TEXT    NOT NULL             CHECK (length(update_time) = 23)
) STRICT;

CREATE INDEX IF NOT EXISTS idx_mykit_delay_topic_paused ON mykit_delay_queue_topic (paused_until, topic);
