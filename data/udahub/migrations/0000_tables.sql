CREATE TABLE `accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `approvals` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pending_id` text NOT NULL,
	`kind` text NOT NULL,
	`thread_id` text NOT NULL,
	`graph_thread_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`tool` text NOT NULL,
	`args` text NOT NULL,
	`args_hash` text NOT NULL,
	`question` text NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`decided_at` text,
	`decided_by` text,
	`reason` text,
	`released_at` text,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "approvals_kind" CHECK(kind in ('confirmation', 'approval')),
	CONSTRAINT "approvals_status" CHECK(status in ('pending', 'approved', 'rejected', 'expired', 'superseded', 'released'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `approvals_pending_id_unique` ON `approvals` (`pending_id`);--> statement-breakpoint
CREATE INDEX `approvals_thread` ON `approvals` (`thread_id`,`status`);--> statement-breakpoint
CREATE INDEX `approvals_status` ON `approvals` (`status`,`kind`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`audit_key` text NOT NULL,
	`ticket_id` text,
	`customer_id` text,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`outcome` text NOT NULL,
	`details` text NOT NULL,
	`created_at` text NOT NULL,
	CONSTRAINT "audit_log_outcome" CHECK(outcome in ('done', 'refused', 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_audit_key_unique` ON `audit_log` (`audit_key`);--> statement-breakpoint
CREATE INDEX `audit_log_ticket` ON `audit_log` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `audit_log_customer` ON `audit_log` (`customer_id`);--> statement-breakpoint
CREATE TABLE `customer_preferences` (
	`customer_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`customer_id`, `key`)
);
--> statement-breakpoint
CREATE TABLE `embeddings` (
	`model` text NOT NULL,
	`content_hash` text NOT NULL,
	`vector` blob NOT NULL,
	PRIMARY KEY(`model`, `content_hash`)
);
--> statement-breakpoint
CREATE TABLE `escalations` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`escalation_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`reason` text NOT NULL,
	`summary` text NOT NULL,
	`found` text NOT NULL,
	`tried` text NOT NULL,
	`options` text NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`resolved_at` text,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "escalations_reason" CHECK(reason in ('requires_human', 'low_confidence', 'customer_request', 'sentiment_priority', 'legal', 'fault', 'hop_limit')),
	CONSTRAINT "escalations_status" CHECK(status in ('open', 'resolved'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `escalations_escalation_id_unique` ON `escalations` (`escalation_id`);--> statement-breakpoint
CREATE INDEX `escalations_ticket` ON `escalations` (`ticket_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`user_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`external_user_id` text NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_external` ON `users` (`account_id`,`external_user_id`);--> statement-breakpoint
CREATE TABLE `knowledge` (
	`row_no` integer PRIMARY KEY NOT NULL,
	`article_id` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`tags` text NOT NULL,
	`language` text NOT NULL,
	`updated_at` text NOT NULL,
	CONSTRAINT "knowledge_language" CHECK(language in ('en', 'pt-BR'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `knowledge_article_id_unique` ON `knowledge` (`article_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `thread_leases` (
	`thread_id` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ticket_messages` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ticket_messages_role" CHECK(role in ('customer', 'hub', 'operator', 'system'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_messages_message_id_unique` ON `ticket_messages` (`message_id`);--> statement-breakpoint
CREATE INDEX `ticket_messages_ticket` ON `ticket_messages` (`ticket_id`);--> statement-breakpoint
CREATE TABLE `ticket_metadata` (
	`ticket_id` text PRIMARY KEY NOT NULL,
	`issue_type` text NOT NULL,
	`priority` text NOT NULL,
	`sentiment` text NOT NULL,
	`requires_human` integer NOT NULL,
	`summary` text NOT NULL,
	`language` text NOT NULL,
	`confidence` real NOT NULL,
	`route` text NOT NULL,
	`human_reason` text,
	`requests` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ticket_metadata_issue_type" CHECK(issue_type in ('account_access', 'billing', 'subscription', 'reservation', 'refund', 'experience', 'technical', 'feedback', 'legal', 'general')),
	CONSTRAINT "ticket_metadata_priority" CHECK(priority in ('low', 'medium', 'high', 'urgent')),
	CONSTRAINT "ticket_metadata_sentiment" CHECK(sentiment in ('positive', 'neutral', 'negative', 'frustrated')),
	CONSTRAINT "ticket_metadata_requires_human" CHECK(requires_human in (0, 1)),
	CONSTRAINT "ticket_metadata_language" CHECK(language in ('en', 'pt-BR')),
	CONSTRAINT "ticket_metadata_route" CHECK(route in ('knowledge', 'account', 'action', 'investigation', 'escalation'))
);
--> statement-breakpoint
CREATE TABLE `ticket_resolutions` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`resolution_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`customer_id` text,
	`resolution_type` text NOT NULL,
	`summary` text NOT NULL,
	`agent` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_resolutions_resolution_id_unique` ON `ticket_resolutions` (`resolution_id`);--> statement-breakpoint
CREATE INDEX `ticket_resolutions_customer` ON `ticket_resolutions` (`customer_id`);--> statement-breakpoint
CREATE INDEX `ticket_resolutions_ticket` ON `ticket_resolutions` (`ticket_id`);--> statement-breakpoint
CREATE TABLE `ticket_turns` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`turn_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`provider` text NOT NULL,
	`route` text NOT NULL,
	`tool_calls` text NOT NULL,
	`llm_calls` integer NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`completion_tokens` integer NOT NULL,
	`cost_usd` real NOT NULL,
	`total_ms` real NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_turns_turn_id_unique` ON `ticket_turns` (`turn_id`);--> statement-breakpoint
CREATE INDEX `ticket_turns_ticket` ON `ticket_turns` (`ticket_id`);--> statement-breakpoint
CREATE TABLE `tickets` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ticket_id` text NOT NULL,
	`customer_id` text,
	`thread_id` text NOT NULL,
	`channel` text NOT NULL,
	`status` text NOT NULL,
	`owner` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	CONSTRAINT "tickets_channel" CHECK(channel in ('chat', 'batch', 'http', 'studio', 'mcp', 'a2a')),
	CONSTRAINT "tickets_status" CHECK(status in ('open', 'waiting_customer', 'waiting_operator', 'resolved')),
	CONSTRAINT "tickets_owner" CHECK(owner in ('hub', 'operator'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_ticket_id_unique` ON `tickets` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `tickets_thread` ON `tickets` (`thread_id`);--> statement-breakpoint
CREATE INDEX `tickets_queue` ON `tickets` (`owner`,`status`);--> statement-breakpoint
CREATE INDEX `tickets_customer` ON `tickets` (`customer_id`);