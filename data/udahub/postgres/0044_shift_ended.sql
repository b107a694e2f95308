ALTER TABLE operator_presence ADD shift_ended_at text COLLATE "C";
