ALTER TABLE ticket_messages ADD counts_as text COLLATE "C";
