import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --config drizzle.cultpass.config.ts` writes the next migration from the schema. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './companies/cultpass/data/schema.ts',
  out: './companies/cultpass/data/migrations',
});
