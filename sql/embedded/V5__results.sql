-- The embedded form of ../V5__results.sql, which explains the columns.

CREATE TABLE mykit_delay_queue_result (
  id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) <= 193),
  encoding    INTEGER NOT NULL DEFAULT 0,
  update_time TEXT    NOT NULL             CHECK (length(update_time) = 23),
  result      TEXT    NOT NULL
) STRICT;
