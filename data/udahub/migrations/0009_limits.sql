ALTER TABLE `threads` ADD `scopes` text;--> statement-breakpoint
ALTER TABLE `threads` ADD `agent` text;