PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_knowledge` (
	`row_no` integer PRIMARY KEY NOT NULL,
	`article_id` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`tags` text NOT NULL,
	`language` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_knowledge`("row_no", "article_id", "title", "content", "tags", "language", "updated_at") SELECT "row_no", "article_id", "title", "content", "tags", "language", "updated_at" FROM `knowledge`;--> statement-breakpoint
DROP TABLE `knowledge`;--> statement-breakpoint
ALTER TABLE `__new_knowledge` RENAME TO `knowledge`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `knowledge_article_id_unique` ON `knowledge` (`article_id`);--> statement-breakpoint
CREATE TABLE `__new_knowledge_drafts` (
	`article_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`tags` text NOT NULL,
	`language` text NOT NULL,
	`updated_by` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_knowledge_drafts`("article_id", "title", "content", "tags", "language", "updated_by", "updated_at") SELECT "article_id", "title", "content", "tags", "language", "updated_by", "updated_at" FROM `knowledge_drafts`;--> statement-breakpoint
DROP TABLE `knowledge_drafts`;--> statement-breakpoint
ALTER TABLE `__new_knowledge_drafts` RENAME TO `knowledge_drafts`;--> statement-breakpoint
CREATE TABLE `__new_ticket_metadata` (
	`ticket_id` text PRIMARY KEY NOT NULL,
	`issue_type` text NOT NULL,
	`priority` text NOT NULL,
	`sentiment` text NOT NULL,
	`requires_human` integer NOT NULL,
	`summary` text NOT NULL,
	`language` text NOT NULL,
	`confidence` real NOT NULL,
	`route` text NOT NULL,
	`human_reason` text,
	`requests` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ticket_metadata_priority" CHECK(priority in ('low', 'medium', 'high', 'urgent')),
	CONSTRAINT "ticket_metadata_sentiment" CHECK(sentiment in ('positive', 'neutral', 'negative', 'frustrated')),
	CONSTRAINT "ticket_metadata_requires_human" CHECK(requires_human in (0, 1))
);
--> statement-breakpoint
INSERT INTO `__new_ticket_metadata`("ticket_id", "issue_type", "priority", "sentiment", "requires_human", "summary", "language", "confidence", "route", "human_reason", "requests", "updated_at") SELECT "ticket_id", "issue_type", "priority", "sentiment", "requires_human", "summary", "language", "confidence", "route", "human_reason", "requests", "updated_at" FROM `ticket_metadata`;--> statement-breakpoint
DROP TABLE `ticket_metadata`;--> statement-breakpoint
ALTER TABLE `__new_ticket_metadata` RENAME TO `ticket_metadata`;