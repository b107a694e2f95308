CREATE TABLE `operator_views` (
	`operator_id` text NOT NULL,
	`name` text NOT NULL,
	`choice` text NOT NULL,
	`saved_at` text NOT NULL,
	PRIMARY KEY(`operator_id`, `name`)
);
