/** The clauses that attacks and suites of others have found wanting. Part of `requirements.ts`. */
export const ATTACK_REQUIREMENTS = {} as const;
