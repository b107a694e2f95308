CREATE TABLE orders (
  order_id text PRIMARY KEY NOT NULL,
  customer_id text NOT NULL,
  title text NOT NULL,
  status text NOT NULL CHECK (status IN ('placed', 'delivered', 'cancelled')),
  total_cents integer NOT NULL CHECK (total_cents >= 0),
  arrives_at text NOT NULL
);
