-- The embedded form of ../V10__limits.sql, which explains the columns.

ALTER TABLE mykit_delay_token ADD COLUMN push_rate INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_token ADD COLUMN pull_rate INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_namespace ADD COLUMN push_rate INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_namespace ADD COLUMN pull_rate INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_namespace ADD COLUMN max_delay INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_namespace ADD COLUMN max_body INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mykit_delay_namespace ADD COLUMN max_topics INTEGER NOT NULL DEFAULT 0;
