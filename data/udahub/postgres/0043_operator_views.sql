CREATE TABLE operator_views (
	operator_id text COLLATE "C" NOT NULL,
	name text COLLATE "C" NOT NULL,
	choice text COLLATE "C" NOT NULL,
	saved_at text COLLATE "C" NOT NULL,
	PRIMARY KEY (operator_id, name)
);
