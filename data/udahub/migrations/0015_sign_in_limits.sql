CREATE TABLE `sign_in_limits` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`last_at` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_limits_expires` ON `sign_in_limits` (`expires_at`);--> statement-breakpoint
DROP TABLE `sign_in_codes`;--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`challenge_hash` text PRIMARY KEY NOT NULL,
	`address_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`asker_guesses` integer NOT NULL,
	`other_guesses` integer NOT NULL,
	`expires_at` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_codes_address` ON `sign_in_codes` (`address_hash`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_expires` ON `sign_in_codes` (`expires_at`);
