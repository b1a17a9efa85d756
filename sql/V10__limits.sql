-- The limits of tokens and namespaces. 0 means no limit, also in rows that nodes of older versions insert.
--
-- Applied like V1 (mykit.delay.datasource.schema). New columns at the end are instant in MySQL 8.0.12 and MariaDB 10.3.

ALTER TABLE mykit_delay_token
  ADD COLUMN push_rate int NOT NULL DEFAULT 0
    COMMENT 'pushes a second, 0 = no limit',
  ADD COLUMN pull_rate int NOT NULL DEFAULT 0
    COMMENT 'pulled messages a second, 0 = no limit';

ALTER TABLE mykit_delay_namespace
  ADD COLUMN push_rate int NOT NULL DEFAULT 0
    COMMENT 'pushes a second of all its tokens, 0 = no limit',
  ADD COLUMN pull_rate int NOT NULL DEFAULT 0
    COMMENT 'pulled messages a second of all its tokens, 0 = no limit',
  ADD COLUMN max_delay bigint NOT NULL DEFAULT 0
    COMMENT 'the longest delay of a push in milliseconds, 0 = no limit',
  ADD COLUMN max_body int NOT NULL DEFAULT 0
    COMMENT 'the largest body of a push in bytes, 0 = no limit',
  ADD COLUMN max_topics int NOT NULL DEFAULT 0
    COMMENT 'topics that its tokens push to within a day, 0 = no limit';
