-- What statements of the hub call on PostgreSQL beside data/postgres/functions.sql. Made anew at every migration.

-- Refuses what is written under a lease that was taken by another server, and keeps it from being taken until the end of
-- the transaction; a renewal goes on beside it. See src/core/held-lease.ts.
CREATE OR REPLACE FUNCTION demand_lease(thread text, named text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM 1 FROM thread_leases WHERE thread_id = thread AND holder = named FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'lease_lost' USING ERRCODE = 'HB001'; END IF;
  RETURN TRUE;
END $$;
