-- The company's own database. Each file runs once; a change is a new file.
CREATE TABLE customers (
  customer_id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  is_blocked integer NOT NULL DEFAULT 0,
  created_at text NOT NULL
);
CREATE TABLE orders (
  order_id text PRIMARY KEY NOT NULL,
  customer_id text NOT NULL REFERENCES customers (customer_id),
  title text NOT NULL,
  status text NOT NULL CHECK (status IN ('placed', 'delivered', 'cancelled')),
  total_cents integer NOT NULL CHECK (total_cents >= 0),
  arrives_at text NOT NULL
);
