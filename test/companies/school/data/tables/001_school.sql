CREATE TABLE customers (customer_id text PRIMARY KEY NOT NULL, name text NOT NULL, email text NOT NULL UNIQUE, language text NOT NULL, is_blocked integer NOT NULL DEFAULT 0, created_at text NOT NULL);
CREATE TABLE pupils (pupil_id text PRIMARY KEY NOT NULL, customer_id text NOT NULL, name text NOT NULL, instrument text NOT NULL, grade text NOT NULL);
CREATE TABLE lessons (lesson_id text PRIMARY KEY NOT NULL, customer_id text NOT NULL, pupil text NOT NULL, subject text NOT NULL, teacher text NOT NULL, starts_at text NOT NULL, price_cents integer NOT NULL, status text NOT NULL);
CREATE TABLE hours (hour_id text PRIMARY KEY NOT NULL, teacher text NOT NULL, starts_at text NOT NULL, taken integer NOT NULL DEFAULT 0);
CREATE TABLE memberships (membership_id text PRIMARY KEY NOT NULL, customer_id text NOT NULL, pupil text NOT NULL, level text NOT NULL, price_cents integer NOT NULL, renews_at text NOT NULL, lessons_left integer NOT NULL);
CREATE TABLE levels (level text PRIMARY KEY NOT NULL, price_cents integer NOT NULL);
