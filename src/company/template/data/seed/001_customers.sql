-- Demo rows, once, where HUB_DEMO allows them; now() is the time of the first start.
INSERT INTO customers VALUES
  ('c_01', 'Ana Demo', 'ana@example.com', 0, now()),
  ('c_02', 'Ben Demo', 'ben@example.com', 0, now());
