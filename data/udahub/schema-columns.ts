import { integer, text } from 'drizzle-orm/sqlite-core';

export const strings = (name: string) => text(name, { mode: 'json' }).$type<readonly string[]>().notNull();

export const object = (name: string) =>
  text(name, { mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull();

/** Insertion order; times may be equal, this is not. */
export const sequence = () => integer('seq').primaryKey({ autoIncrement: true });
