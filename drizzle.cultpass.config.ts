import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --config drizzle.cultpass.config.ts` writes the next migration from the schema. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './data/cultpass/schema.ts',
  out: './data/cultpass/migrations',
});
