ALTER TABLE `threads` ADD `visitor_id` text;--> statement-breakpoint
CREATE INDEX `threads_visitor` ON `threads` (`visitor_id`) WHERE visitor_id IS NOT NULL;