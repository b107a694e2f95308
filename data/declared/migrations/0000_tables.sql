CREATE TABLE `action_ledger` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`idempotency_key` text NOT NULL,
	`customer_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`tool` text NOT NULL,
	`args_hash` text NOT NULL,
	`released_by` text NOT NULL,
	`outcome` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `action_ledger_key` ON `action_ledger` (`idempotency_key`);--> statement-breakpoint
CREATE INDEX `action_ledger_created_at` ON `action_ledger` (`created_at`);--> statement-breakpoint
CREATE TABLE `effect_attempts` (
	`idempotency_key` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`attempt` text NOT NULL,
	`created_at` text NOT NULL
);
