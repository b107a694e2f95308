ALTER TABLE `a2a_push_configs` ADD `told` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `a2a_push_configs` SET `told` = coalesce((SELECT version FROM a2a_tasks t WHERE t.task_id = a2a_push_configs.task_id), 0);
