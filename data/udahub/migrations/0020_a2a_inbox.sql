PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_a2a_messages` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task_id` text NOT NULL,
	`owner` text NOT NULL,
	`agent` text NOT NULL,
	`message_id` text NOT NULL,
	`client_message_id` text NOT NULL,
	`digest` text NOT NULL,
	`settled` integer NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `a2a_tasks`(`task_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_a2a_messages`("seq", "task_id", "owner", "agent", "message_id", "client_message_id", "digest", "settled") SELECT "seq", "task_id", "owner", "agent", "message_id", 'a2a-' || sha256(json_array("owner", "agent", "message_id")), sha256("content"), "status" = 'answered' FROM `a2a_messages`;--> statement-breakpoint
INSERT INTO `thread_inbox`("item_id", "thread_id", "customer_id", "client_message_id", "kind", "content", "channel", "status", "holder", "received_at") SELECT 'inb_a2a_' || m."seq", t."thread_id", t."customer_id", 'a2a-' || sha256(json_array(m."owner", m."agent", m."message_id")), json_extract(m."content", '$.kind'), json_remove(m."content", '$.kind'), 'a2a', 'queued', '', m."created_at" FROM `a2a_messages` m JOIN `a2a_tasks` t ON t."task_id" = m."task_id" WHERE m."status" <> 'answered' AND t."thread_id" IS NOT NULL ON CONFLICT DO NOTHING;--> statement-breakpoint
DROP TABLE `a2a_messages`;--> statement-breakpoint
ALTER TABLE `__new_a2a_messages` RENAME TO `a2a_messages`;--> statement-breakpoint
CREATE UNIQUE INDEX `a2a_messages_id` ON `a2a_messages` (`owner`,`agent`,`message_id`);--> statement-breakpoint
CREATE INDEX `a2a_messages_task` ON `a2a_messages` (`task_id`,`settled`);--> statement-breakpoint
PRAGMA foreign_keys=ON;
