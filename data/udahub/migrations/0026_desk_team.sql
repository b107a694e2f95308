CREATE TABLE `macros` (
	`macro_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`text` text NOT NULL,
	`tags` text NOT NULL,
	`resolves` integer NOT NULL,
	`updated_by` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `macros_name_unique` ON `macros` (`name`);--> statement-breakpoint
ALTER TABLE `approvals` ADD `answers` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `stops` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ticket_desk` ADD `team` text;--> statement-breakpoint
ALTER TABLE `ticket_desk` ADD `merged_into` text;--> statement-breakpoint
ALTER TABLE `ticket_desk` ADD `gap` text;--> statement-breakpoint
CREATE INDEX `ticket_desk_merged` ON `ticket_desk` (`merged_into`) WHERE "ticket_desk"."merged_into" IS NOT NULL;