CREATE TABLE `mail_messages` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`mail_id` text NOT NULL,
	`thread_id` text,
	`direction` text NOT NULL,
	`message_id` text NOT NULL,
	`ticket_message_id` text,
	`address` text,
	`proven` integer,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`unless_seen` integer NOT NULL,
	`attempts` integer NOT NULL,
	`holder` text,
	`next_at` text,
	`why` text,
	`up_to` text NOT NULL,
	`created_at` text NOT NULL,
	`settled_at` text,
	CONSTRAINT "mail_messages_direction" CHECK(direction in ('in', 'out')),
	CONSTRAINT "mail_messages_reason" CHECK(reason in ('reply', 'preference', 'unread', 'incoming')),
	CONSTRAINT "mail_messages_status" CHECK(status in ('waiting', 'sent', 'joined', 'cancelled', 'failed', 'bounced', 'receiving', 'received', 'ignored'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_messages_mail_id_unique` ON `mail_messages` (`mail_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `mail_messages_id` ON `mail_messages` (`direction`,`message_id`);--> statement-breakpoint
CREATE INDEX `mail_messages_thread` ON `mail_messages` (`thread_id`,`seq`);--> statement-breakpoint
CREATE INDEX `mail_messages_due` ON `mail_messages` (`status`,`next_at`);--> statement-breakpoint
CREATE INDEX `mail_messages_address` ON `mail_messages` (`direction`,`address`,`created_at`);--> statement-breakpoint
CREATE TABLE `mail_threads` (
	`thread_id` text PRIMARY KEY NOT NULL,
	`address` text,
	`subject` text,
	`by_mail` integer NOT NULL,
	`seen_at` text
);
--> statement-breakpoint
CREATE INDEX `mail_threads_address` ON `mail_threads` (`address`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_tickets` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ticket_id` text NOT NULL,
	`customer_id` text,
	`thread_id` text NOT NULL,
	`channel` text NOT NULL,
	`status` text NOT NULL,
	`owner` text NOT NULL,
	`operator_id` text,
	`operator_name` text,
	`claimed_at` text,
	`resolved_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	CONSTRAINT "tickets_channel" CHECK(channel in ('chat', 'batch', 'http', 'studio', 'mcp', 'a2a', 'email')),
	CONSTRAINT "tickets_status" CHECK(status in ('open', 'waiting_customer', 'waiting_operator', 'resolved')),
	CONSTRAINT "tickets_owner" CHECK(owner in ('hub', 'operator'))
);
--> statement-breakpoint
INSERT INTO `__new_tickets`("seq", "ticket_id", "customer_id", "thread_id", "channel", "status", "owner", "operator_id", "operator_name", "claimed_at", "resolved_at", "created_at", "updated_at") SELECT "seq", "ticket_id", "customer_id", "thread_id", "channel", "status", "owner", "operator_id", "operator_name", "claimed_at", "resolved_at", "created_at", "updated_at" FROM `tickets`;--> statement-breakpoint
DROP TABLE `tickets`;--> statement-breakpoint
ALTER TABLE `__new_tickets` RENAME TO `tickets`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_ticket_id_unique` ON `tickets` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `tickets_thread` ON `tickets` (`thread_id`);--> statement-breakpoint
CREATE INDEX `tickets_queue` ON `tickets` (`owner`,`status`);--> statement-breakpoint
CREATE INDEX `tickets_customer` ON `tickets` (`customer_id`);--> statement-breakpoint
CREATE INDEX `tickets_created` ON `tickets` (`created_at`);--> statement-breakpoint
CREATE INDEX `tickets_operator` ON `tickets` (`operator_id`) WHERE "tickets"."operator_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tickets_resolved` ON `tickets` (`resolved_at`) WHERE "tickets"."status" = 'resolved';