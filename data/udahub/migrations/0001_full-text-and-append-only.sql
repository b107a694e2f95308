CREATE VIRTUAL TABLE `knowledge_fts` USING fts5(
	title, tags, content,
	content = 'knowledge', content_rowid = 'row_no',
	tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE TRIGGER `knowledge_fts_insert` AFTER INSERT ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(rowid, title, tags, content) VALUES (new.row_no, new.title, new.tags, new.content);
END;
--> statement-breakpoint
CREATE TRIGGER `knowledge_fts_delete` AFTER DELETE ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(knowledge_fts, rowid, title, tags, content) VALUES ('delete', old.row_no, old.title, old.tags, old.content);
END;
--> statement-breakpoint
CREATE TRIGGER `knowledge_fts_update` AFTER UPDATE ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(knowledge_fts, rowid, title, tags, content) VALUES ('delete', old.row_no, old.title, old.tags, old.content);
	INSERT INTO knowledge_fts(rowid, title, tags, content) VALUES (new.row_no, new.title, new.tags, new.content);
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_update` BEFORE UPDATE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_no_delete` BEFORE DELETE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'audit_log is append-only');
END;
