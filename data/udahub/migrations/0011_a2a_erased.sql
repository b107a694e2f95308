CREATE TRIGGER `a2a_tasks_erased_insert` BEFORE INSERT ON `a2a_tasks`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id, new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_tasks_erased_update` BEFORE UPDATE ON `a2a_tasks`
WHEN EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = new.customer_id)
	OR EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id, new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_messages_erased_insert` BEFORE INSERT ON `a2a_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_messages_erased_update` BEFORE UPDATE ON `a2a_messages`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_contexts_erased_insert` BEFORE INSERT ON `a2a_contexts`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_contexts_erased_update` BEFORE UPDATE ON `a2a_contexts`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.thread_id))
	OR (substr(new.owner, 1, 9) = 'customer:' AND EXISTS (SELECT 1 FROM erased_customers WHERE customer_id = substr(new.owner, 10))) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_push_configs_erased_insert` BEFORE INSERT ON `a2a_push_configs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_push_configs_erased_update` BEFORE UPDATE ON `a2a_push_configs`
WHEN EXISTS (SELECT 1 FROM erased_refs WHERE ref IN (new.task_id)) BEGIN
	SELECT RAISE(ABORT, 'customer_erased');
END;
