-- One transaction at a time from its first event to its end, so that their numbers ascend as commits do: a server that reads on
-- after a number has seen all that came before it. The database takes the lock, with no way to a server and back between lock,
-- events and commit. The key is that of "oneAtATime" in data/postgres/postgres-database.ts.
CREATE FUNCTION events_one_at_a_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('thread_events', 0));
	RETURN NULL;
END $$;

CREATE TRIGGER events_one_at_a_time BEFORE INSERT ON thread_events
	FOR EACH STATEMENT EXECUTE FUNCTION events_one_at_a_time();
