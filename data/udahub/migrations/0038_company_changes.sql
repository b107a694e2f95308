CREATE TABLE `company_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`change_id` text NOT NULL,
	`path` text NOT NULL,
	`before_text` text NOT NULL,
	`after_text` text NOT NULL,
	`note` text NOT NULL,
	`author_id` text NOT NULL,
	`author` text NOT NULL,
	`created_at` text NOT NULL,
	`status` text NOT NULL,
	`decider` text,
	`decided_at` text,
	`check_result` text,
	`evaluation` text,
	CONSTRAINT "company_changes_status" CHECK(status in ('open', 'approved', 'declined', 'withdrawn'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `company_changes_change_id_unique` ON `company_changes` (`change_id`);