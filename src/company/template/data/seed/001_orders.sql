-- Demo rows, once, where HUB_DEMO allows them; now() is the time of the first start.
INSERT INTO orders VALUES
  ('ord_001', 'c_01', 'Blue backpack', 'placed', 4900, strftime('%Y-%m-%d', now(), '+2 days')),
  ('ord_002', 'c_01', 'Walking boots', 'placed', 15900, strftime('%Y-%m-%d', now(), '+5 days')),
  ('ord_003', 'c_01', 'Rain jacket', 'delivered', 8900, strftime('%Y-%m-%d', now(), '-9 days')),
  ('ord_004', 'c_02', 'Camping stove', 'placed', 6500, strftime('%Y-%m-%d', now(), '+3 days'));
