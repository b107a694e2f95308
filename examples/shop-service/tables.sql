CREATE TABLE customers (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  blocked integer NOT NULL DEFAULT 0,
  since text NOT NULL
);
CREATE TABLE addresses (
  id text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers (id),
  label text NOT NULL,
  street text NOT NULL,
  city text NOT NULL,
  postal_code text NOT NULL
);
CREATE TABLE products (
  sku text PRIMARY KEY,
  name text NOT NULL,
  variant text NOT NULL,
  price_cents integer NOT NULL,
  stock integer NOT NULL
);
CREATE TABLE orders (
  id text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers (id),
  address_id text NOT NULL REFERENCES addresses (id),
  status text NOT NULL CHECK (status IN ('processing', 'shipped', 'delivered', 'cancelled')),
  placed_at text NOT NULL,
  arrives_at text NOT NULL,
  paid_with text NOT NULL
);
CREATE TABLE items (
  id text PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders (id),
  sku text NOT NULL REFERENCES products (sku),
  quantity integer NOT NULL,
  unit_cents integer NOT NULL,
  returned integer NOT NULL DEFAULT 0 CHECK (returned BETWEEN 0 AND quantity)
);
CREATE TABLE payment_methods (
  id text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers (id),
  kind text NOT NULL CHECK (kind IN ('card', 'gift card')),
  label text NOT NULL,
  balance_cents integer CHECK (balance_cents >= 0)
);
CREATE TABLE charges (
  id integer PRIMARY KEY AUTOINCREMENT,
  order_id text NOT NULL REFERENCES orders (id),
  payment_method_id text NOT NULL REFERENCES payment_methods (id),
  amount_cents integer NOT NULL,
  made_at text NOT NULL
);
CREATE TABLE refunds (
  id integer PRIMARY KEY AUTOINCREMENT,
  order_id text NOT NULL REFERENCES orders (id),
  reason text NOT NULL,
  amount_cents integer NOT NULL,
  made_at text NOT NULL
);
CREATE TABLE operations (
  key text PRIMARY KEY,
  request text NOT NULL,
  answer text NOT NULL
);
INSERT INTO customers VALUES
  ('cu_1', 'Mia Torres', 'mia@example.com', 0, datetime(moment(), '-400 days')),
  ('cu_2', 'Leo Brandt', 'leo@example.com', 0, datetime(moment(), '-90 days')),
  ('cu_3', 'Noor Haddad', 'noor@example.com', 1, datetime(moment(), '-30 days')),
  ('cu_4', 'Ada Okafor', 'ada@example.com', 0, datetime(moment(), '-200 days'));
INSERT INTO addresses VALUES
  ('ad_11', 'cu_1', 'home', '12 Cedar Lane', 'Portland', '97205'),
  ('ad_12', 'cu_1', 'office', '800 River Street', 'Portland', '97209'),
  ('ad_21', 'cu_2', 'home', '5 Hill Road', 'Salem', '97301'),
  ('ad_31', 'cu_3', 'home', '77 Lake View', 'Bend', '97701'),
  ('ad_41', 'cu_4', 'home', '3 Mill Street', 'Eugene', '97401');
INSERT INTO products VALUES
  ('lamp-oak', 'Desk lamp', 'oak', 4500, 12),
  ('lamp-black', 'Desk lamp', 'black', 4900, 3),
  ('mug-blue', 'Coffee mug', 'blue', 1400, 80),
  ('mug-red', 'Coffee mug', 'red', 1600, 24),
  ('mug-white', 'Coffee mug', 'white', 1200, 0),
  ('chair-grey', 'Reading chair', 'grey', 32000, 2),
  ('rug-small', 'Wool rug', 'small', 11900, 0);
INSERT INTO orders VALUES
  ('so_1001', 'cu_1', 'ad_11', 'processing', datetime(moment(), '-1 day'), datetime(moment(), '+3 days'), 'card'),
  ('so_1002', 'cu_1', 'ad_11', 'shipped', datetime(moment(), '-4 days'), datetime(moment(), '+1 day'), 'card'),
  ('so_1003', 'cu_1', 'ad_12', 'delivered', datetime(moment(), '-12 days'), datetime(moment(), '-8 days'), 'gift card'),
  ('so_1004', 'cu_1', 'ad_11', 'processing', datetime(moment(), '-1 day'), datetime(moment(), '+6 days'), 'card'),
  ('so_2001', 'cu_2', 'ad_21', 'processing', datetime(moment(), '-2 days'), datetime(moment(), '+2 days'), 'card'),
  ('so_3001', 'cu_3', 'ad_31', 'processing', datetime(moment(), '-2 days'), datetime(moment(), '+2 days'), 'card'),
  ('so_4001', 'cu_4', 'ad_41', 'delivered', datetime(moment(), '-9 days'), datetime(moment(), '-5 days'), 'card');
INSERT INTO items (id, order_id, sku, quantity, unit_cents) VALUES
  ('it_1', 'so_1001', 'lamp-oak', 1, 4500),
  ('it_2', 'so_1001', 'mug-blue', 2, 1400),
  ('it_3', 'so_1002', 'rug-small', 1, 11900),
  ('it_4', 'so_1003', 'mug-blue', 4, 1400),
  ('it_5', 'so_1004', 'chair-grey', 1, 32000),
  ('it_6', 'so_2001', 'lamp-black', 1, 4900),
  ('it_7', 'so_3001', 'mug-blue', 1, 1400),
  ('it_8', 'so_4001', 'lamp-oak', 1, 4500),
  ('it_9', 'so_4001', 'mug-blue', 2, 1400);
INSERT INTO payment_methods VALUES
  ('pm_11', 'cu_1', 'card', 'Visa 4242', NULL),
  ('pm_12', 'cu_1', 'gift card', 'GIFT-7731', 2500),
  ('pm_21', 'cu_2', 'card', 'Mastercard 5100', NULL),
  ('pm_31', 'cu_3', 'card', 'Visa 1881', NULL),
  ('pm_41', 'cu_4', 'card', 'Visa 0077', NULL),
  ('pm_42', 'cu_4', 'gift card', 'GIFT-1200', 600),
  ('pm_43', 'cu_4', 'gift card', 'GIFT-9000', 5000);
