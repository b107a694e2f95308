-- What the full-text indexes of SQLite hold. The stores write it, because only the program cuts a text into words.

CREATE TABLE knowledge_fts (
	term text COLLATE "C" NOT NULL,
	row_no bigint NOT NULL REFERENCES knowledge (row_no) ON DELETE CASCADE,
	weight double precision NOT NULL,
	PRIMARY KEY (term, row_no)
);
CREATE INDEX knowledge_fts_row_no ON knowledge_fts (row_no);
CREATE TABLE knowledge_lengths_fts (
	row_no bigint PRIMARY KEY REFERENCES knowledge (row_no) ON DELETE CASCADE,
	length bigint NOT NULL
);
CREATE TABLE ticket_messages_fts (
	seq bigint PRIMARY KEY REFERENCES ticket_messages (seq) ON DELETE CASCADE,
	words tsvector NOT NULL
);
CREATE INDEX ticket_messages_fts_words ON ticket_messages_fts USING gin (words);
CREATE TABLE ticket_summaries_fts (
	ticket_id text COLLATE "C" PRIMARY KEY REFERENCES tickets (ticket_id) ON DELETE CASCADE,
	words tsvector NOT NULL
);
CREATE INDEX ticket_summaries_fts_words ON ticket_summaries_fts USING gin (words);
