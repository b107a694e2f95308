CREATE INDEX `audit_log_created` ON `audit_log` (`created_at`);--> statement-breakpoint
CREATE INDEX `ticket_messages_desk` ON `ticket_messages` (`created_at`) WHERE audience = 'desk';