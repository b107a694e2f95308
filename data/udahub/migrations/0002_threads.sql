CREATE TABLE `threads` (
	`thread_id` text PRIMARY KEY NOT NULL,
	`customer_id` text,
	`graph_thread_id` text NOT NULL
);
