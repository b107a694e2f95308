CREATE INDEX `tickets_created` ON `tickets` (`created_at`);--> statement-breakpoint
CREATE INDEX `tickets_operator` ON `tickets` (`operator_id`) WHERE `operator_id` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tickets_resolved` ON `tickets` (`resolved_at`) WHERE `status` = 'resolved';--> statement-breakpoint
CREATE INDEX `escalations_created` ON `escalations` (`created_at`);--> statement-breakpoint
CREATE INDEX `approvals_ticket` ON `approvals` (`ticket_id`);--> statement-breakpoint
CREATE VIRTUAL TABLE `ticket_messages_fts` USING fts5(
	content,
	content = 'ticket_messages', content_rowid = 'seq', detail = none, columnsize = 0,
	tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
INSERT INTO ticket_messages_fts(ticket_messages_fts, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO ticket_messages_fts(ticket_messages_fts) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_fts_insert` AFTER INSERT ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(rowid, content) VALUES (new.seq, new.content);
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_fts_delete` AFTER DELETE ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(ticket_messages_fts, rowid, content) VALUES ('delete', old.seq, old.content);
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_fts_update` AFTER UPDATE OF `content` ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(ticket_messages_fts, rowid, content) VALUES ('delete', old.seq, old.content);
	INSERT INTO ticket_messages_fts(rowid, content) VALUES (new.seq, new.content);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `ticket_summaries_fts` USING fts5(
	summary,
	content = '', detail = none,
	tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO ticket_summaries_fts(rowid, summary)
	SELECT `tickets`.`seq`, `ticket_metadata`.`summary` FROM `ticket_metadata` JOIN `tickets` USING (`ticket_id`);
--> statement-breakpoint
CREATE TRIGGER `ticket_summaries_fts_insert` AFTER INSERT ON `ticket_metadata` BEGIN
	INSERT INTO ticket_summaries_fts(rowid, summary) SELECT seq, new.summary FROM tickets WHERE ticket_id = new.ticket_id;
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_summaries_fts_delete` AFTER DELETE ON `ticket_metadata` BEGIN
	INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rowid, summary)
		SELECT 'delete', seq, old.summary FROM tickets WHERE ticket_id = old.ticket_id;
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_summaries_fts_update` AFTER UPDATE OF `summary` ON `ticket_metadata` WHEN old.summary <> new.summary BEGIN
	INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rowid, summary)
		SELECT 'delete', seq, old.summary FROM tickets WHERE ticket_id = old.ticket_id;
	INSERT INTO ticket_summaries_fts(rowid, summary) SELECT seq, new.summary FROM tickets WHERE ticket_id = new.ticket_id;
END;
