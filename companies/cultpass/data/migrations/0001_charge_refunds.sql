PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_refunds` (
	`refund_id` text PRIMARY KEY NOT NULL,
	`reservation_id` text,
	`payment_id` text,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`reservation_id`) REFERENCES `reservations`(`reservation_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`payment_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_status" CHECK(status in ('processing', 'completed', 'failed')),
	CONSTRAINT "refunds_amount" CHECK(amount_cents > 0),
	CONSTRAINT "refunds_of" CHECK((reservation_id is null) <> (payment_id is null))
);
--> statement-breakpoint
INSERT INTO `__new_refunds`("refund_id", "reservation_id", "payment_id", "amount_cents", "status", "idempotency_key", "created_at") SELECT "refund_id", "reservation_id", NULL, "amount_cents", "status", "idempotency_key", "created_at" FROM `refunds`;--> statement-breakpoint
DROP TABLE `refunds`;--> statement-breakpoint
ALTER TABLE `__new_refunds` RENAME TO `refunds`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_reservation` ON `refunds` (`reservation_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_idempotency_key` ON `refunds` (`idempotency_key`);