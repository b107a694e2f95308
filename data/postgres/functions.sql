-- What statements call that SQLite has and PostgreSQL has not. Made anew at every migration; text may be NULL.

CREATE OR REPLACE FUNCTION json_each(list text) RETURNS TABLE (key text, value text)
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (at - 1)::text COLLATE "C", item COLLATE "C"
  FROM pg_catalog.json_array_elements_text(list::json) WITH ORDINALITY AS items (item, at) $$;

CREATE OR REPLACE FUNCTION json_extract(document text, path text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (document::json #>> string_to_array(substr(path, 3), '.')) COLLATE "C" $$;

-- The document with a value, given as JSON, under a key.
CREATE OR REPLACE FUNCTION json_with(document text, name text, content text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT json_object_agg(key, value)::text COLLATE "C" FROM (
    SELECT key, value FROM pg_catalog.json_each(document::json) WHERE key <> name
    UNION ALL SELECT name, content::json) AS entries $$;

CREATE OR REPLACE FUNCTION instr(hay text, needle text) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT strpos(hay, needle) $$;

CREATE OR REPLACE FUNCTION instr(hay bytea, needle bytea) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT position(needle IN hay) $$;

-- The greater and the lesser of two; NULL where one is.
CREATE OR REPLACE FUNCTION max(one anycompatible, other anycompatible) RETURNS anycompatible
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT greatest(one, other) $$;
CREATE OR REPLACE FUNCTION min(one anycompatible, other anycompatible) RETURNS anycompatible
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT least(one, other) $$;

-- As fold in src/core/fold.ts. A text of plain signs only has no other form.
CREATE OR REPLACE FUNCTION folded(given text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(CASE WHEN given ~ '^[\x01-\x7f]*$' THEN given
    ELSE regexp_replace(normalize(given, NFKD), '[{marks}]', '', 'g') END) $$;

-- A moment some days later, in the one form that times have here.
CREATE OR REPLACE FUNCTION strftime(form text, moment text, later text) RETURNS text
  LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE form WHEN '%Y-%m-%dT%H:%M:%fZ'
    THEN to_char((moment::timestamptz + later::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C"
  END $$;
