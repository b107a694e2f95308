CREATE TABLE `skill_packs` (
	`hash` text PRIMARY KEY NOT NULL,
	`files` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `skill_runs` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` text NOT NULL,
	`parent_run_id` text,
	`skill_id` text NOT NULL,
	`skill_version` text NOT NULL,
	`pack_hash` text NOT NULL,
	`caller` text NOT NULL,
	`ticket_id` text,
	`status` text NOT NULL,
	`input` text NOT NULL,
	`result` text,
	`handoff` text,
	`error` text,
	`journal` text NOT NULL,
	`usage` text NOT NULL,
	`duration_ms` real NOT NULL,
	`handoffs` integer NOT NULL,
	`correct` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	CONSTRAINT "skill_runs_status" CHECK(status in ('running', 'waiting', 'done', 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `skill_runs_run_id_unique` ON `skill_runs` (`run_id`);--> statement-breakpoint
CREATE INDEX `skill_runs_skill` ON `skill_runs` (`skill_id`,`skill_version`);--> statement-breakpoint
CREATE INDEX `skill_runs_ticket` ON `skill_runs` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `skill_runs_waiting` ON `skill_runs` (`status`,`parent_run_id`);