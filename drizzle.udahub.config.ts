import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --config drizzle.udahub.config.ts` writes the next migration from the schema. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './data/udahub/schema.ts',
  out: './data/udahub/migrations',
});
