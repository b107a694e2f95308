import { z } from 'zod';

/** Level 0: what the model says about which skills are needed. */
export const routeAnswerSchema = z.object({
  skills: z.array(z.string().max(64)).max(50),
  mode: z.enum(['parallel', 'sequential']).default('sequential'),
  complexity: z.number().min(1).max(10).transform(Math.round).default(1),
  reason: z.string().max(2_000).default(''),
  confidence: z.number().min(0).max(1),
});
export type RouteAnswer = z.infer<typeof routeAnswerSchema>;

/** Below this a model's choice is not taken as it is. */
export const CERTAIN = 0.7;

/** The names that exist, each once, in the model's order; what it invented is dropped. */
export function knownNames(names: readonly string[], known: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => known.includes(name));
}
