CREATE TABLE `a2a_contexts` (
	`owner` text NOT NULL,
	`agent` text NOT NULL,
	`context_id` text NOT NULL,
	`thread_id` text NOT NULL,
	`used_at` text NOT NULL,
	PRIMARY KEY(`owner`, `agent`, `context_id`)
);
--> statement-breakpoint
CREATE INDEX `a2a_contexts_thread` ON `a2a_contexts` (`thread_id`);--> statement-breakpoint
CREATE INDEX `a2a_contexts_used` ON `a2a_contexts` (`used_at`);--> statement-breakpoint
CREATE TABLE `a2a_messages` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task_id` text NOT NULL,
	`owner` text NOT NULL,
	`agent` text NOT NULL,
	`message_id` text NOT NULL,
	`content` text NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `a2a_tasks`(`task_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "a2a_messages_status_known" CHECK(status in ('held', 'sent', 'answered'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `a2a_messages_id` ON `a2a_messages` (`owner`,`agent`,`message_id`);--> statement-breakpoint
CREATE INDEX `a2a_messages_task` ON `a2a_messages` (`task_id`,`status`);--> statement-breakpoint
CREATE TABLE `a2a_push_configs` (
	`task_id` text NOT NULL,
	`config_id` text NOT NULL,
	`url` text NOT NULL,
	`token` text NOT NULL,
	`scheme` text NOT NULL,
	`credentials` text NOT NULL,
	`protocol` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`task_id`, `config_id`),
	FOREIGN KEY (`task_id`) REFERENCES `a2a_tasks`(`task_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "a2a_push_configs_protocol" CHECK(protocol in ('0.3', '1.0'))
);
--> statement-breakpoint
CREATE TABLE `a2a_tasks` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task_id` text NOT NULL,
	`owner` text NOT NULL,
	`customer_id` text,
	`agent` text NOT NULL,
	`context_id` text NOT NULL,
	`thread_id` text,
	`scopes` text NOT NULL,
	`state` text NOT NULL,
	`wait` text,
	`told` text NOT NULL,
	`cancel_asked` integer DEFAULT false NOT NULL,
	`document` text NOT NULL,
	`version` integer NOT NULL,
	`changed_at` text NOT NULL,
	`created_at` text NOT NULL,
	CONSTRAINT "a2a_tasks_state_known" CHECK(state in ('submitted', 'working', 'input_required', 'completed', 'failed', 'canceled', 'rejected'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `a2a_tasks_task_id_unique` ON `a2a_tasks` (`task_id`);--> statement-breakpoint
CREATE INDEX `a2a_tasks_owner` ON `a2a_tasks` (`owner`,`agent`,`changed_at`,`seq`);--> statement-breakpoint
CREATE INDEX `a2a_tasks_state` ON `a2a_tasks` (`state`,`thread_id`);--> statement-breakpoint
CREATE INDEX `a2a_tasks_customer` ON `a2a_tasks` (`customer_id`);