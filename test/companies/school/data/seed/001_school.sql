-- now() is Wednesday 11 March 2026, 16:00 in Madrid.
INSERT INTO customers VALUES
  ('c_01', 'Ana Reed', 'ana@example.com', 'en', 0, now()),
  ('c_02', 'Eva Soto', 'eva@example.com', 'es', 0, now());
INSERT INTO pupils VALUES
  ('pup_1', 'c_01', 'Mara', 'piano', 'grade 3'), ('pup_2', 'c_01', 'Otto', 'violin', 'grade 1'),
  ('pup_3', 'c_02', 'Lupe', 'canto', 'nivel 2'), ('pup_4', 'c_02', 'Tilo', 'guitarra', 'nivel 5');
INSERT INTO lessons VALUES
  ('les_101', 'c_01', 'Mara', 'piano', 'Mr. Falk', strftime('%Y-%m-%dT16:00:00Z', now(), '+2 days'), 4000, 'booked'),
  ('les_102', 'c_01', 'Mara', 'theory', 'Ms. Ruiz', strftime('%Y-%m-%dT15:00:00Z', now(), '+5 days'), 2500, 'booked'),
  ('les_103', 'c_01', 'Otto', 'violin', 'Ms. Ruiz', strftime('%Y-%m-%dT17:00:00Z', now(), '+6 days'), 4500, 'booked'),
  ('les_109', 'c_01', 'Otto', 'violin', 'Ms. Ruiz', strftime('%Y-%m-%dT17:00:00Z', now(), '-9 days'), 4500, 'held'),
  ('les_201', 'c_02', 'Lupe', 'canto', 'Ms. Ruiz', strftime('%Y-%m-%dT15:00:00Z', now(), '+5 days'), 3500, 'booked'),
  ('les_202', 'c_02', 'Tilo', 'guitarra', 'Mr. Falk', strftime('%Y-%m-%dT16:00:00Z', now(), '+7 days'), 4000, 'booked'),
  ('les_203', 'c_02', 'Lupe', 'tango', 'Mr. Falk', strftime('%Y-%m-%dT16:00:00Z', now(), '+9 days'), 3000, 'booked'),
  ('les_209', 'c_02', 'Tilo', 'guitarra', 'Mr. Falk', strftime('%Y-%m-%dT16:00:00Z', now(), '-7 days'), 4000, 'held');
INSERT INTO hours VALUES
  ('hrs_01', 'Mr. Falk', strftime('%Y-%m-%dT09:00:00Z', now(), '+8 days'), 0),
  ('hrs_02', 'Ms. Ruiz', strftime('%Y-%m-%dT14:00:00Z', now(), '+8 days'), 0),
  ('hrs_03', 'Ms. Ruiz', strftime('%Y-%m-%dT10:00:00Z', now(), '+9 days'), 0),
  ('hrs_04', 'Mr. Falk', strftime('%Y-%m-%dT10:00:00Z', now(), '+12 days'), 0),
  ('hrs_05', 'Mr. Falk', strftime('%Y-%m-%dT16:00:00Z', now(), '+12 days'), 0);
INSERT INTO levels VALUES ('light', 9000), ('full', 18000), ('gold', 27000);
INSERT INTO memberships VALUES
  ('mem_11', 'c_01', 'Mara', 'light', 9000, strftime('%Y-%m-%dT11:00:00Z', now(), '+40 days'), 2),
  ('mem_12', 'c_01', 'Otto', 'full', 18000, strftime('%Y-%m-%dT11:00:00Z', now(), '+90 days'), 5),
  ('mem_21', 'c_02', 'Lupe', 'light', 9000, strftime('%Y-%m-%dT11:00:00Z', now(), '+60 days'), 3);
