-- The words of texts are cut by the hub itself (`search_words`, data/udahub/full-text.ts), in every script.
-- Their triggers are in data/udahub/triggers.sql.
DROP TABLE `knowledge_fts`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `knowledge_fts` USING fts5(title, tags, content, content = '', tokenize = 'ascii');
--> statement-breakpoint
INSERT INTO knowledge_fts(rowid, title, tags, content)
	SELECT row_no, search_words(title), search_words(tags), search_words(content) FROM knowledge;
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
