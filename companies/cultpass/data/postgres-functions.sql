-- As `fold` in search-words.ts: lower case without accents, punctuation as spaces, one space before every word.
CREATE OR REPLACE FUNCTION fold(given text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT rtrim(regexp_replace(
    ' ' || lower(regexp_replace(normalize(given, NFD), '[{marks}]', '', 'g') COLLATE "default"),
    '[^[:alnum:]]+', ' ', 'g')) $$;
