CREATE TABLE `push_subscriptions` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`customer_id` text,
	`visitor_id` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_customer` ON `push_subscriptions` (`customer_id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_visitor` ON `push_subscriptions` (`visitor_id`);--> statement-breakpoint
ALTER TABLE `threads` ADD `time_zone` text;--> statement-breakpoint
UPDATE `ticket_messages` SET `files` = '[]' WHERE `files` = 'null';