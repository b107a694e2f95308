CREATE TABLE `token_customers` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customer_id` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`claims` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `token_customers_id` ON `token_customers` (`customer_id`);--> statement-breakpoint
CREATE INDEX `token_customers_email` ON `token_customers` (lower(`email`));
