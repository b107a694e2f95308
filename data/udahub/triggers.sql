-- All triggers of udahub.db: this file is their single source. They are made anew after every migration and mended at
-- every start, because a table that a migration rebuilds loses its own. Change a trigger here; no migration is needed.

CREATE TRIGGER IF NOT EXISTS `knowledge_fts_insert` AFTER INSERT ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(rowid, title, tags, content)
		VALUES (new.row_no, search_words(new.title), search_words(new.tags), search_words(new.content));
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `audit_log_no_update` BEFORE UPDATE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `audit_log_no_delete` BEFORE DELETE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'audit_log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `approvals_erased_insert` BEFORE INSERT ON `approvals`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `approvals_erased_update` BEFORE UPDATE ON `approvals`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `audit_log_erased_insert` BEFORE INSERT ON `audit_log`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `customer_preferences_erased_insert` BEFORE INSERT ON `customer_preferences`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `customer_preferences_erased_update` BEFORE UPDATE ON `customer_preferences`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `escalations_erased_insert` BEFORE INSERT ON `escalations`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `escalations_erased_update` BEFORE UPDATE ON `escalations`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `idempotency_keys_erased_insert` BEFORE INSERT ON `idempotency_keys`
WHEN (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `idempotency_keys_erased_update` BEFORE UPDATE ON `idempotency_keys`
WHEN (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ratings_erased_insert` BEFORE INSERT ON `ratings`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ratings_erased_update` BEFORE UPDATE ON `ratings`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `skill_cache_erased_insert` BEFORE INSERT ON `skill_cache`
WHEN (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `skill_cache_erased_update` BEFORE UPDATE ON `skill_cache`
WHEN (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `skill_runs_erased_insert` BEFORE INSERT ON `skill_runs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.run_id, new.parent_run_id))
	OR (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `skill_runs_erased_update` BEFORE UPDATE ON `skill_runs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.run_id, new.parent_run_id))
	OR (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `thread_events_erased_insert` BEFORE INSERT ON `thread_events`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id, new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `thread_events_erased_update` BEFORE UPDATE ON `thread_events`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id, new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `thread_inbox_erased_insert` BEFORE INSERT ON `thread_inbox`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `thread_inbox_erased_update` BEFORE UPDATE ON `thread_inbox`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `threads_erased_insert` BEFORE INSERT ON `threads`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `threads_erased_update` BEFORE UPDATE ON `threads`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_messages_erased_insert` BEFORE INSERT ON `ticket_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_messages_erased_update` BEFORE UPDATE ON `ticket_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_metadata_erased_insert` BEFORE INSERT ON `ticket_metadata`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_metadata_erased_update` BEFORE UPDATE ON `ticket_metadata`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_resolutions_erased_insert` BEFORE INSERT ON `ticket_resolutions`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_resolutions_erased_update` BEFORE UPDATE ON `ticket_resolutions`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_turns_erased_insert` BEFORE INSERT ON `ticket_turns`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_turns_erased_update` BEFORE UPDATE ON `ticket_turns`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `tickets_erased_insert` BEFORE INSERT ON `tickets`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `tickets_erased_update` BEFORE UPDATE ON `tickets`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `users_erased_insert` BEFORE INSERT ON `users`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.external_user_id) BEGIN
	SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_tasks_erased_insert` BEFORE INSERT ON `a2a_tasks`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id, new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_tasks_erased_update` BEFORE UPDATE ON `a2a_tasks`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id, new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_messages_erased_insert` BEFORE INSERT ON `a2a_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_messages_erased_update` BEFORE UPDATE ON `a2a_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_contexts_erased_insert` BEFORE INSERT ON `a2a_contexts`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_contexts_erased_update` BEFORE UPDATE ON `a2a_contexts`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_push_configs_erased_insert` BEFORE INSERT ON `a2a_push_configs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_push_configs_erased_update` BEFORE UPDATE ON `a2a_push_configs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_push_outbox_erased_insert` BEFORE INSERT ON `a2a_push_outbox`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `a2a_push_outbox_erased_update` BEFORE UPDATE ON `a2a_push_outbox`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `program_tokens_erased_insert` BEFORE INSERT ON `program_tokens`
WHEN new.role = 'customer' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.holder_id) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `knowledge_fts_delete` AFTER DELETE ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(knowledge_fts, rowid, title, tags, content)
		VALUES ('delete', old.row_no, search_words(old.title), search_words(old.tags), search_words(old.content));
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `knowledge_fts_update` AFTER UPDATE ON `knowledge` BEGIN
	INSERT INTO knowledge_fts(knowledge_fts, rowid, title, tags, content)
		VALUES ('delete', old.row_no, search_words(old.title), search_words(old.tags), search_words(old.content));
	INSERT INTO knowledge_fts(rowid, title, tags, content)
		VALUES (new.row_no, search_words(new.title), search_words(new.tags), search_words(new.content));
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_messages_fts_insert` AFTER INSERT ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(rowid, content) VALUES (new.seq, search_words(new.content));
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_messages_fts_delete` AFTER DELETE ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(ticket_messages_fts, rowid, content)
		VALUES ('delete', old.seq, search_words(old.content));
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_messages_fts_update` AFTER UPDATE OF `content` ON `ticket_messages` BEGIN
	INSERT INTO ticket_messages_fts(ticket_messages_fts, rowid, content)
		VALUES ('delete', old.seq, search_words(old.content));
	INSERT INTO ticket_messages_fts(rowid, content) VALUES (new.seq, search_words(new.content));
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_summaries_fts_insert` AFTER INSERT ON `ticket_metadata` BEGIN
	INSERT INTO ticket_summaries_fts(rowid, summary)
		SELECT seq, search_words(new.summary) FROM tickets WHERE ticket_id = new.ticket_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_summaries_fts_delete` AFTER DELETE ON `ticket_metadata` BEGIN
	INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rowid, summary)
		SELECT 'delete', seq, search_words(old.summary) FROM tickets WHERE ticket_id = old.ticket_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `ticket_summaries_fts_update` AFTER UPDATE OF `summary` ON `ticket_metadata` WHEN old.summary <> new.summary BEGIN
	INSERT INTO ticket_summaries_fts(ticket_summaries_fts, rowid, summary)
		SELECT 'delete', seq, search_words(old.summary) FROM tickets WHERE ticket_id = old.ticket_id;
	INSERT INTO ticket_summaries_fts(rowid, summary)
		SELECT seq, search_words(new.summary) FROM tickets WHERE ticket_id = new.ticket_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `mail_threads_erased_insert` BEFORE INSERT ON `mail_threads`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `mail_threads_erased_update` BEFORE UPDATE ON `mail_threads`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `mail_messages_erased_insert` BEFORE INSERT ON `mail_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `mail_messages_erased_update` BEFORE UPDATE ON `mail_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `message_files_erased_insert` BEFORE INSERT ON `message_files`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `message_files_erased_update` BEFORE UPDATE ON `message_files`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
