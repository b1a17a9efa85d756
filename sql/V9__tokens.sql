-- The tokens that administrators make, and the namespaces of teams. All nodes read these small tables every few seconds.
--
-- Applied like V1 (mykit.delay.datasource.schema).

CREATE TABLE IF NOT EXISTS mykit_delay_token (
  hash        char(64)     NOT NULL           COMMENT 'SHA-256 of the token in hexadecimal digits, and the token itself is stored nowhere',
  token_id    char(12)     NOT NULL           COMMENT 'the part of the token that may be shown',
  namespace   varchar(64)  NOT NULL           COMMENT 'the namespace that the token is confined to, * = none',
  roles       varchar(60)  NOT NULL           COMMENT 'producer, consumer, viewer, operator, admin, separated by commas',
  description varchar(200) NOT NULL           COMMENT 'for people',
  created_at  bigint       NOT NULL           COMMENT 'epoch milliseconds',
  created_by  varchar(64)  NOT NULL           COMMENT 'the name of the caller that made it',
  expires_at  bigint       NULL               COMMENT 'epoch milliseconds, null = never',
  disabled    tinyint      NOT NULL DEFAULT 0 COMMENT '1 = it is refused, until it is enabled again',
  last_used   char(10)     NULL               COMMENT 'the last day on which it was used, in UTC, as 2027-01-15',
  PRIMARY KEY (hash),
  UNIQUE KEY idx_mykit_delay_token_id (token_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='tokens, made by administrators';

CREATE TABLE IF NOT EXISTS mykit_delay_namespace (
  name        varchar(64)  NOT NULL COMMENT 'the part before the first slash of its topics and ids',
  description varchar(200) NOT NULL COMMENT 'for people',
  created_at  bigint       NOT NULL COMMENT 'epoch milliseconds',
  created_by  varchar(64)  NOT NULL COMMENT 'the name of the caller that made it',
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='namespaces, made by administrators';
