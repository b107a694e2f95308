-- The company's own database. Each file runs once; a change is a new file.
CREATE TABLE customers (
  customer_id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  is_blocked integer NOT NULL DEFAULT 0,
  created_at text NOT NULL
);
