-- The words of texts are cut by the hub itself (`search_words`, data/udahub/full-text.ts), in every script.
DROP TRIGGER `knowledge_fts_insert`;
--> statement-breakpoint
DROP TRIGGER `knowledge_fts_delete`;
--> statement-breakpoint
DROP TRIGGER `knowledge_fts_update`;
--> statement-breakpoint
DROP TABLE `knowledge_fts`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `knowledge_fts` USING fts5(title, tags, content, content = '', tokenize = 'ascii');
--> statement-breakpoint
INSERT INTO knowledge_fts(rowid, title, tags, content)
	SELECT row_no, search_words(title), search_words(tags), search_words(content) FROM knowledge;
--> statement-breakpoint
CREATE TRIGGER `knowledge_fts_insert` AFTER INSERT ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(rowid, title, tags, content)
		VALUES (new.row_no, search_words(new.title), search_words(new.tags), search_words(new.content));
END;
--> statement-breakpoint
CREATE TRIGGER `knowledge_fts_delete` AFTER DELETE ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(knowledge_fts, rowid, title, tags, content)
		VALUES ('delete', old.row_no, search_words(old.title), search_words(old.tags), search_words(old.content));
END;
--> statement-breakpoint
CREATE TRIGGER `knowledge_fts_update` AFTER UPDATE ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(knowledge_fts, rowid, title, tags, content)
		VALUES ('delete', old.row_no, search_words(old.title), search_words(old.tags), search_words(old.content));
	INSERT INTO knowledge_fts(rowid, title, tags, content)
		VALUES (new.row_no, search_words(new.title), search_words(new.tags), search_words(new.content));
END;
--> statement-breakpoint
DROP TRIGGER `ticket_messages_fts_insert`;
--> statement-breakpoint
DROP TRIGGER `ticket_messages_fts_delete`;
--> statement-breakpoint
DROP TRIGGER `ticket_messages_fts_update`;
--> statement-breakpoint
DROP TABLE `ticket_messages_fts`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `ticket_messages_fts` USING fts5(
	content, content = '', detail = none, tokenize = 'ascii'
);
--> statement-breakpoint
INSERT INTO ticket_messages_fts(ticket_messages_fts, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO ticket_messages_fts(rowid, content) SELECT seq, search_words(content) FROM ticket_messages;
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_fts_insert` AFTER INSERT ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(rowid, content) VALUES (new.seq, search_words(new.content));
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_fts_delete` AFTER DELETE ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(ticket_messages_fts, rowid, content)
		VALUES ('delete', old.seq, search_words(old.content));
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_fts_update` AFTER UPDATE OF `content` ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(ticket_messages_fts, rowid, content)
		VALUES ('delete', old.seq, search_words(old.content));
	INSERT INTO ticket_messages_fts(rowid, content) VALUES (new.seq, search_words(new.content));
END;
--> statement-breakpoint
DROP TRIGGER `ticket_summaries_fts_insert`;
--> statement-breakpoint
DROP TRIGGER `ticket_summaries_fts_delete`;
--> statement-breakpoint
DROP TRIGGER `ticket_summaries_fts_update`;
--> statement-breakpoint
DROP TABLE `ticket_summaries_fts`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `ticket_summaries_fts` USING fts5(
	summary, content = '', detail = none, tokenize = 'ascii'
);
--> statement-breakpoint
INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO ticket_summaries_fts(rowid, summary)
	SELECT `tickets`.`seq`, search_words(`ticket_metadata`.`summary`) FROM `ticket_metadata` JOIN `tickets` USING (`ticket_id`);
--> statement-breakpoint
CREATE TRIGGER `ticket_summaries_fts_insert` AFTER INSERT ON `ticket_metadata` BEGIN
	INSERT INTO ticket_summaries_fts(rowid, summary)
		SELECT seq, search_words(new.summary) FROM tickets WHERE ticket_id = new.ticket_id;
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_summaries_fts_delete` AFTER DELETE ON `ticket_metadata` BEGIN
	INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rowid, summary)
		SELECT 'delete', seq, search_words(old.summary) FROM tickets WHERE ticket_id = old.ticket_id;
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_summaries_fts_update` AFTER UPDATE OF `summary` ON `ticket_metadata` WHEN old.summary <> new.summary BEGIN
	INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rowid, summary)
		SELECT 'delete', seq, search_words(old.summary) FROM tickets WHERE ticket_id = old.ticket_id;
	INSERT INTO ticket_summaries_fts(rowid, summary)
		SELECT seq, search_words(new.summary) FROM tickets WHERE ticket_id = new.ticket_id;
END;
