-- Which server has pages that follow which conversation. Nothing of it outlives the server, so that it need not be logged.
CREATE UNLOGGED TABLE thread_followers (
	thread_id text NOT NULL COLLATE "C",
	holder text NOT NULL COLLATE "C",
	PRIMARY KEY (thread_id, holder)
);

-- Every server hears of new events by the number of the last one, and reads on from where it is.
CREATE FUNCTION announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('udahub_events', max(seq)::text) FROM added HAVING max(seq) IS NOT NULL;
	RETURN NULL;
END $$;

CREATE TRIGGER announce_events AFTER INSERT ON thread_events
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_events();
