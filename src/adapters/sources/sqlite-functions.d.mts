import type { Database } from 'better-sqlite3';

/** Gives a connection the functions that statements may use beside those of SQLite. @param now ISO 8601; the real time where absent */
export declare function addFunctions(db: Database, options: { readonly now?: string }): void;
