CREATE TABLE `erased_refs` (
	`ref` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `erased_addresses` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`erased_at` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `model_spend` (
	`scope` text NOT NULL,
	`name` text NOT NULL,
	`cost_usd` real NOT NULL,
	PRIMARY KEY(`scope`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `approvals_erased_insert` BEFORE INSERT ON `approvals`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `approvals_erased_update` BEFORE UPDATE ON `approvals`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_erased_insert` BEFORE INSERT ON `audit_log`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `customer_preferences_erased_insert` BEFORE INSERT ON `customer_preferences`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `customer_preferences_erased_update` BEFORE UPDATE ON `customer_preferences`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `escalations_erased_insert` BEFORE INSERT ON `escalations`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `escalations_erased_update` BEFORE UPDATE ON `escalations`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_erased_insert` BEFORE INSERT ON `idempotency_keys`
WHEN (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_erased_update` BEFORE UPDATE ON `idempotency_keys`
WHEN (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ratings_erased_insert` BEFORE INSERT ON `ratings`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ratings_erased_update` BEFORE UPDATE ON `ratings`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `skill_runs_erased_insert` BEFORE INSERT ON `skill_runs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.run_id, new.parent_run_id))
	OR (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `skill_runs_erased_update` BEFORE UPDATE ON `skill_runs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.run_id, new.parent_run_id))
	OR (substr(new.caller, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.caller, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `thread_events_erased_insert` BEFORE INSERT ON `thread_events`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id, new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `thread_events_erased_update` BEFORE UPDATE ON `thread_events`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id, new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `thread_inbox_erased_insert` BEFORE INSERT ON `thread_inbox`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `thread_inbox_erased_update` BEFORE UPDATE ON `thread_inbox`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `threads_erased_insert` BEFORE INSERT ON `threads`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `threads_erased_update` BEFORE UPDATE ON `threads`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_erased_insert` BEFORE INSERT ON `ticket_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_messages_erased_update` BEFORE UPDATE ON `ticket_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_metadata_erased_insert` BEFORE INSERT ON `ticket_metadata`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_metadata_erased_update` BEFORE UPDATE ON `ticket_metadata`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_resolutions_erased_insert` BEFORE INSERT ON `ticket_resolutions`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_resolutions_erased_update` BEFORE UPDATE ON `ticket_resolutions`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_turns_erased_insert` BEFORE INSERT ON `ticket_turns`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `ticket_turns_erased_update` BEFORE UPDATE ON `ticket_turns`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `tickets_erased_insert` BEFORE INSERT ON `tickets`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `tickets_erased_update` BEFORE UPDATE ON `tickets`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.ticket_id, new.thread_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `users_erased_insert` BEFORE INSERT ON `users`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.external_user_id) BEGIN
	SELECT RAISE(IGNORE);
END;
