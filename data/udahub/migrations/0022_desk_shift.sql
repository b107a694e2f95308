CREATE TABLE `operator_presence` (
	`operator_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`ticket_id` text,
	`typing` integer NOT NULL,
	`seen_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_presence_seen` ON `operator_presence` (`seen_at`);--> statement-breakpoint
CREATE TABLE `macros` (
	`macro_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`texts` text NOT NULL,
	`updated_by` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ticket_desk` (
	`ticket_id` text PRIMARY KEY NOT NULL,
	`seen_at` text,
	`snoozed_until` text,
	`tags` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ticket_desk_snoozed` ON `ticket_desk` (`snoozed_until`);