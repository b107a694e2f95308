CREATE TABLE `program_tokens` (
	`token_id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`holder_id` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	`revoked_at` text
);
--> statement-breakpoint
CREATE INDEX `program_tokens_holder` ON `program_tokens` (`role`,`holder_id`);--> statement-breakpoint
CREATE INDEX `program_tokens_ends` ON `program_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `program_tokens_revoked` ON `program_tokens` (`revoked_at`);--> statement-breakpoint
CREATE TRIGGER `program_tokens_erased_insert` BEFORE INSERT ON `program_tokens`
WHEN new.role = 'customer' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.holder_id) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
