CREATE TABLE `skill_cache` (
	`key` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `skill_cache_expires` ON `skill_cache` (`expires_at`);