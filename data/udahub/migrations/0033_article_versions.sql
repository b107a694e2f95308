CREATE TABLE `knowledge_versions` (
	`article_id` text NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`tags` text NOT NULL,
	`language` text NOT NULL,
	`published_by` text,
	`published_at` text NOT NULL,
	PRIMARY KEY(`article_id`, `version`)
);
--> statement-breakpoint
CREATE INDEX `ticket_messages_cited` ON `ticket_messages` (`ticket_id`,`citations`) WHERE citations <> '[]';