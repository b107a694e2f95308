CREATE TABLE `action_ledger` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`idempotency_key` text NOT NULL,
	`customer_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`tool` text NOT NULL,
	`args_hash` text NOT NULL,
	`released_by` text NOT NULL,
	`outcome` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `action_ledger_key` ON `action_ledger` (`idempotency_key`);--> statement-breakpoint
CREATE INDEX `action_ledger_created_at` ON `action_ledger` (`created_at`);--> statement-breakpoint
CREATE TABLE `experiences` (
	`experience_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`location` text NOT NULL,
	`starts_at` text NOT NULL,
	`slots_available` integer NOT NULL,
	`is_premium` integer DEFAULT false NOT NULL,
	`price_cents` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "experiences_slots" CHECK(slots_available >= 0),
	CONSTRAINT "experiences_price" CHECK(price_cents >= 0),
	CONSTRAINT "experiences_is_premium" CHECK(is_premium in (0, 1))
);
--> statement-breakpoint
CREATE INDEX `experiences_starts_at` ON `experiences` (`starts_at`);--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payments` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`reservation_id` text,
	`amount_cents` integer NOT NULL,
	`currency` text DEFAULT 'BRL' NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reservation_id`) REFERENCES `reservations`(`reservation_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_status" CHECK(status in ('paid', 'failed', 'pending')),
	CONSTRAINT "payments_amount" CHECK(amount_cents >= 0),
	CONSTRAINT "payments_currency" CHECK(currency in ('BRL'))
);
--> statement-breakpoint
CREATE INDEX `payments_user` ON `payments` (`user_id`);--> statement-breakpoint
CREATE INDEX `payments_reservation` ON `payments` (`reservation_id`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`refund_id` text PRIMARY KEY NOT NULL,
	`reservation_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`reservation_id`) REFERENCES `reservations`(`reservation_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_status" CHECK(status in ('processing', 'completed', 'failed')),
	CONSTRAINT "refunds_amount" CHECK(amount_cents > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_reservation` ON `refunds` (`reservation_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_idempotency_key` ON `refunds` (`idempotency_key`);--> statement-breakpoint
CREATE TABLE `reservations` (
	`reservation_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`experience_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`experience_id`) REFERENCES `experiences`(`experience_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "reservations_status" CHECK(status in ('reserved', 'attended', 'cancelled', 'refunded'))
);
--> statement-breakpoint
CREATE INDEX `reservations_user` ON `reservations` (`user_id`);--> statement-breakpoint
CREATE INDEX `reservations_experience` ON `reservations` (`experience_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`tier` text NOT NULL,
	`monthly_quota` integer NOT NULL,
	`started_at` text NOT NULL,
	`ended_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_status" CHECK(status in ('active', 'paused', 'cancelled')),
	CONSTRAINT "subscriptions_tier" CHECK(tier in ('basic', 'premium')),
	CONSTRAINT "subscriptions_quota" CHECK(monthly_quota >= 0)
);
--> statement-breakpoint
CREATE INDEX `subscriptions_user` ON `subscriptions` (`user_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`user_id` text PRIMARY KEY NOT NULL,
	`full_name` text NOT NULL,
	`email` text NOT NULL,
	`is_blocked` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	CONSTRAINT "users_is_blocked" CHECK(is_blocked in (0, 1))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (lower("email"));