import BetterSqlite3 from 'better-sqlite3';

/** The database that the clinic of `test/companies/clinic` had before the hub: numbers as keys, and names of its own. */
const CLINIC = `
  CREATE TABLE tutors (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, email TEXT UNIQUE NOT NULL, locale TEXT,
    blocked INTEGER NOT NULL DEFAULT 0, created_on TEXT NOT NULL);
  CREATE TABLE pets (id INTEGER PRIMARY KEY, tutor_id INTEGER NOT NULL, name TEXT NOT NULL, breed TEXT, born_on TEXT, weight_kg REAL);
  CREATE TABLE visits (id INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL, vet TEXT NOT NULL, reason TEXT NOT NULL,
    starts_at TEXT NOT NULL, room TEXT, state TEXT NOT NULL, fee_cents INTEGER NOT NULL);
  CREATE TABLE vaccinations (id INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL, vaccine TEXT NOT NULL, due_on TEXT);
  CREATE TABLE bills (id INTEGER PRIMARY KEY, tutor_id INTEGER NOT NULL, what TEXT NOT NULL, cents INTEGER NOT NULL,
    due_on TEXT NOT NULL, state TEXT NOT NULL);
  INSERT INTO tutors VALUES (1, 'Marina Alves', 'marina@example.com', 'pt-BR', 0, '2025-02-01'),
    (2, 'Tom Baker', 'tom@example.com', 'en', 0, '2025-02-01'), (4, 'Sofia Klein', 'sofia@example.com', 'en', 0, '2025-02-01');
  INSERT INTO pets VALUES (11, 1, 'Thor', 'Labrador', '2020-05-04', 31.5), (12, 1, 'Mel', NULL, '2022-01-15', 4.2),
    (21, 2, 'Biscuit', 'Beagle', '2021-07-07', 12.0), (41, 4, 'Pepper', NULL, '2024-04-01', 2.0);
  INSERT INTO visits VALUES (101, 11, 'Dra. Lia', 'Consulta de rotina', '2026-03-13T10:30:00-03:00', '1', 'booked', 18000),
    (102, 12, 'Dr. Paulo', 'Limpeza de dentes', '2026-03-17T15:00:00-03:00', '2', 'booked', 42000),
    (104, 21, 'Dra. Lia', 'Check-up', '2026-03-13T09:00:00-03:00', '1', 'booked', 18000),
    (105, 21, 'Dr. Paulo', 'Ear infection', '2026-02-27T16:00:00-03:00', '2', 'done', 22000),
    (109, 41, 'Dra. Lia', 'Check-up', '2026-03-25T14:00:00-03:00', '1', 'booked', 18000);
  INSERT INTO vaccinations VALUES (1, 11, 'V10', '2026-02-24'), (2, 21, 'V10', '2026-03-26');
  INSERT INTO bills VALUES (902, 1, 'Ração hipoalergênica 10 kg', 31990, '2026-03-16', 'open'),
    (903, 2, 'Ear infection, Biscuit', 22000, '2026-03-09', 'overdue');`;

/** Writes it to a file that there is not yet. */
export function writeClinic(file: string): void {
  const db = new BetterSqlite3(file);
  db.exec(CLINIC);
  db.close();
}
