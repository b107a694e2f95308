CREATE TABLE `message_files` (
	`file_id` text PRIMARY KEY NOT NULL,
	`thread_id` text NOT NULL,
	`uploader` text NOT NULL,
	`client_message_id` text,
	`message_id` text,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` text NOT NULL,
	`content` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_files_thread` ON `message_files` (`thread_id`);--> statement-breakpoint
CREATE INDEX `message_files_unsent` ON `message_files` (`created_at`) WHERE "message_files"."message_id" IS NULL;--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `files` text DEFAULT '[]' NOT NULL;