CREATE TABLE `customers` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`is_blocked` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_email` ON `customers` (lower("email"));--> statement-breakpoint
CREATE TABLE `rentals` (
	`rental_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL REFERENCES `customers`(`customer_id`),
	`title` text NOT NULL,
	`shop` text NOT NULL,
	`starts_at` text NOT NULL,
	`status` text NOT NULL CHECK(`status` in ('booked', 'returned', 'cancelled')),
	`paid_pence` integer NOT NULL CHECK(`paid_pence` >= 0),
	`refunded_pence` integer DEFAULT 0 NOT NULL CHECK(`refunded_pence` between 0 and `paid_pence`)
);
--> statement-breakpoint
CREATE TABLE `repairs` (
	`repair_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL REFERENCES `customers`(`customer_id`),
	`title` text NOT NULL,
	`shop` text NOT NULL,
	`ready_at` text NOT NULL,
	`status` text NOT NULL CHECK(`status` in ('in_work', 'ready'))
);
--> statement-breakpoint
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
CREATE INDEX `action_ledger_created_at` ON `action_ledger` (`created_at`);
