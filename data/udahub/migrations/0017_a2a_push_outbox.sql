CREATE TABLE `a2a_push_outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` text NOT NULL,
	`task_id` text NOT NULL,
	`config_id` text NOT NULL,
	`owner` text NOT NULL,
	`content_type` text NOT NULL,
	`body` text NOT NULL,
	`bytes` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` text,
	`holder` text,
	`why` text,
	`since` text NOT NULL,
	`created_at` text NOT NULL,
	`settled_at` text,
	FOREIGN KEY (`task_id`,`config_id`) REFERENCES `a2a_push_configs`(`task_id`,`config_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "a2a_push_outbox_status_known" CHECK(status in ('waiting', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `a2a_push_outbox_webhook_id_unique` ON `a2a_push_outbox` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `a2a_push_outbox_due` ON `a2a_push_outbox` (`next_at`) WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX `a2a_push_outbox_room` ON `a2a_push_outbox` (`owner`,`bytes`) WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX `a2a_push_outbox_order` ON `a2a_push_outbox` (`task_id`,`config_id`,`status`,`seq`);--> statement-breakpoint
CREATE INDEX `a2a_push_outbox_settled` ON `a2a_push_outbox` (`settled_at`);--> statement-breakpoint
CREATE INDEX `a2a_push_outbox_failed` ON `a2a_push_outbox` (`status`) WHERE status = 'failed';--> statement-breakpoint
ALTER TABLE `a2a_push_configs` DROP COLUMN `told`;