CREATE TABLE `erased_customers` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`erased_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `knowledge_drafts` (
	`article_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`tags` text NOT NULL,
	`language` text NOT NULL,
	`updated_by` text NOT NULL,
	`updated_at` text NOT NULL,
	CONSTRAINT "knowledge_drafts_language" CHECK(language in ('en', 'pt-BR'))
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`caller` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`holder` text,
	`status` integer,
	`content_type` text,
	`body` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_keys_key` ON `idempotency_keys` (`caller`,`key`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `ratings` (
	`thread_id` text PRIMARY KEY NOT NULL,
	`ticket_id` text,
	`customer_id` text,
	`helpful` integer NOT NULL,
	`comment` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ratings_created` ON `ratings` (`created_at`);--> statement-breakpoint
CREATE TABLE `thread_events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`thread_id` text NOT NULL,
	`ticket_id` text,
	`audience` text NOT NULL,
	`type` text NOT NULL,
	`data` text NOT NULL,
	`created_at` text NOT NULL,
	CONSTRAINT "thread_events_audience" CHECK(audience in ('customer', 'desk'))
);
--> statement-breakpoint
CREATE INDEX `thread_events_thread` ON `thread_events` (`thread_id`,`seq`);--> statement-breakpoint
CREATE TABLE `thread_inbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` text NOT NULL,
	`thread_id` text NOT NULL,
	`customer_id` text,
	`client_message_id` text NOT NULL,
	`kind` text NOT NULL,
	`content` text NOT NULL,
	`channel` text NOT NULL,
	`status` text NOT NULL,
	`holder` text,
	`outcome` text,
	`received_at` text NOT NULL,
	`started_at` text,
	`answered_at` text,
	CONSTRAINT "thread_inbox_kind" CHECK(kind in ('text', 'answer')),
	CONSTRAINT "thread_inbox_status_known" CHECK(status in ('queued', 'running', 'answered'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `thread_inbox_item_id_unique` ON `thread_inbox` (`item_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `thread_inbox_client` ON `thread_inbox` (`thread_id`,`client_message_id`);--> statement-breakpoint
CREATE INDEX `thread_inbox_status` ON `thread_inbox` (`status`,`thread_id`);--> statement-breakpoint
ALTER TABLE `threads` ADD `operator_id` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `operator_name` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `claim` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `threads` ADD `unheard_since` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `created_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `threads` ADD `updated_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `threads_customer` ON `threads` (`customer_id`,`updated_at`);--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `audience` text DEFAULT 'customer' NOT NULL;--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `author` text;--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `citations` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `client_message_id` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `operator_id` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `operator_name` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `claimed_at` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `resolved_at` text;--> statement-breakpoint
CREATE INDEX `ticket_turns_created` ON `ticket_turns` (`created_at`);--> statement-breakpoint
UPDATE `ticket_messages` SET `audience` = 'desk' WHERE `role` = 'system';--> statement-breakpoint
UPDATE `threads` SET
	`created_at` = coalesce((SELECT min(`t`.`created_at`) FROM `tickets` `t` WHERE `t`.`thread_id` = `threads`.`thread_id`), ''),
	`updated_at` = coalesce((SELECT max(`t`.`updated_at`) FROM `tickets` `t` WHERE `t`.`thread_id` = `threads`.`thread_id`), '');
