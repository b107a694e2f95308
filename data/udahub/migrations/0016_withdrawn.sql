PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_approvals` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pending_id` text NOT NULL,
	`kind` text NOT NULL,
	`thread_id` text NOT NULL,
	`graph_thread_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`tool` text NOT NULL,
	`args` text NOT NULL,
	`args_hash` text NOT NULL,
	`question` text NOT NULL,
	`needs_operator` integer DEFAULT false NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`decided_at` text,
	`decided_by` text,
	`reason` text,
	`released_at` text,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`ticket_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "approvals_kind" CHECK(kind in ('confirmation', 'approval')),
	CONSTRAINT "approvals_status" CHECK(status in ('pending', 'approved', 'rejected', 'withdrawn', 'expired', 'superseded', 'released'))
);
--> statement-breakpoint
INSERT INTO `__new_approvals`("seq", "pending_id", "kind", "thread_id", "graph_thread_id", "ticket_id", "customer_id", "tool", "args", "args_hash", "question", "needs_operator", "status", "created_at", "expires_at", "decided_at", "decided_by", "reason", "released_at") SELECT "seq", "pending_id", "kind", "thread_id", "graph_thread_id", "ticket_id", "customer_id", "tool", "args", "args_hash", "question", "needs_operator", "status", "created_at", "expires_at", "decided_at", "decided_by", "reason", "released_at" FROM `approvals`;--> statement-breakpoint
DROP TABLE `approvals`;--> statement-breakpoint
ALTER TABLE `__new_approvals` RENAME TO `approvals`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `approvals_pending_id_unique` ON `approvals` (`pending_id`);--> statement-breakpoint
CREATE INDEX `approvals_thread` ON `approvals` (`thread_id`,`status`);--> statement-breakpoint
CREATE INDEX `approvals_status` ON `approvals` (`status`,`kind`);--> statement-breakpoint
CREATE INDEX `approvals_ticket` ON `approvals` (`ticket_id`);