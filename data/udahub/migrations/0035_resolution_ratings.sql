PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_ratings` (
	`ticket_id` text NOT NULL,
	`about` text NOT NULL,
	`thread_id` text NOT NULL,
	`customer_id` text,
	`helpful` integer NOT NULL,
	`comment` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`ticket_id`, `about`),
	CONSTRAINT "ratings_about" CHECK(about in ('answer', 'resolution'))
);
--> statement-breakpoint
INSERT OR IGNORE INTO `__new_ratings`("ticket_id", "about", "thread_id", "customer_id", "helpful", "comment", "created_at")
SELECT t.ticket_id, iif(t.owner = 'operator' AND r.created_at >= t.resolved_at, 'resolution', 'answer'),
	r.thread_id, r.customer_id, r.helpful, r.comment, r.created_at
FROM `ratings` r JOIN `tickets` t ON t.ticket_id = coalesce(r.ticket_id,
	(SELECT l.ticket_id FROM `tickets` l WHERE l.thread_id = r.thread_id ORDER BY l.seq DESC LIMIT 1));--> statement-breakpoint
DROP TABLE `ratings`;--> statement-breakpoint
ALTER TABLE `__new_ratings` RENAME TO `ratings`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `ratings_thread` ON `ratings` (`thread_id`);--> statement-breakpoint
CREATE INDEX `ratings_created` ON `ratings` (`created_at`);