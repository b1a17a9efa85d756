-- The calls of operators and administrators that act, and failed logins. A row is written before its call acts, and gets its outcome after it.
--
-- Applied like V1 (mykit.delay.datasource.schema). Nodes of older versions do not write it.

CREATE TABLE IF NOT EXISTS mykit_delay_audit (
  id      varchar(24)  NOT NULL COMMENT 'thirteen digits of the time in milliseconds, and a random part',
  at      datetime(3)  NOT NULL COMMENT 'begin of the call, in UTC whatever the time zone of the session',
  actor   varchar(64)  NOT NULL COMMENT 'name of the caller, empty = not known',
  address varchar(64)  NOT NULL COMMENT 'address of the client',
  action  varchar(40)  NOT NULL COMMENT 'name of the call',
  object  varchar(193) NOT NULL COMMENT 'topic, id of a message or a token, or namespace, empty = none or said in detail',
  detail  varchar(500) NOT NULL COMMENT 'parameters of the call',
  outcome varchar(40)  NOT NULL COMMENT 'BEGUN, DONE, RUNNING, or the word of the error',
  PRIMARY KEY (id),
  KEY idx_mykit_delay_audit_action (action, id),
  KEY idx_mykit_delay_audit_actor (actor, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='calls of operators that act';
