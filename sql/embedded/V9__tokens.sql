-- The embedded form of ../V9__tokens.sql, which explains the columns.

CREATE TABLE IF NOT EXISTS mykit_delay_token (
  hash        TEXT    NOT NULL PRIMARY KEY CHECK (length(hash) = 64),
  token_id    TEXT    NOT NULL UNIQUE      CHECK (length(token_id) = 12),
  namespace   TEXT    NOT NULL             CHECK (length(namespace) <= 64),
  roles       TEXT    NOT NULL             CHECK (length(roles) <= 60),
  description TEXT    NOT NULL             CHECK (length(description) <= 200),
  created_at  INTEGER NOT NULL,
  created_by  TEXT    NOT NULL             CHECK (length(created_by) <= 64),
  expires_at  INTEGER NULL,
  disabled    INTEGER NOT NULL DEFAULT 0,
  last_used   TEXT    NULL                 CHECK (length(last_used) = 10)
) STRICT;

CREATE TABLE IF NOT EXISTS mykit_delay_namespace (
  name        TEXT    NOT NULL PRIMARY KEY CHECK (length(name) <= 64),
  description TEXT    NOT NULL             CHECK (length(description) <= 200),
  created_at  INTEGER NOT NULL,
  created_by  TEXT    NOT NULL             CHECK (length(created_by) <= 64)
) STRICT;
