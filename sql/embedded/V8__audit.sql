-- The embedded form of ../V8__audit.sql, which explains the columns.

CREATE TABLE IF NOT EXISTS mykit_delay_audit (
  id      TEXT NOT NULL PRIMARY KEY CHECK (length(id) <= 24),
  at      TEXT NOT NULL             CHECK (length(at) = 23),
  actor   TEXT NOT NULL             CHECK (length(actor) <= 64),
  address TEXT NOT NULL             CHECK (length(address) <= 64),
  action  TEXT NOT NULL             CHECK (length(action) <= 40),
  object  TEXT NOT NULL             CHECK (length(object) <= 193),
  detail  TEXT NOT NULL             CHECK (length(detail) <= 500),
  outcome TEXT NOT NULL             CHECK (length(outcome) <= 40)
) STRICT;

CREATE INDEX IF NOT EXISTS idx_mykit_delay_audit_action ON mykit_delay_audit (action, id);
CREATE INDEX IF NOT EXISTS idx_mykit_delay_audit_actor ON mykit_delay_audit (actor, id);
