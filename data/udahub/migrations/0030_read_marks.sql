ALTER TABLE `threads` ADD `operator_read_id` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `operator_read_at` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `customer_read_id` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `customer_read_at` text;