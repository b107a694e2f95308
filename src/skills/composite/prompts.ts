/** The prompts of the levels: `route`, `decompose`, `resolve`, `synthesize`. A pack's own of the same name replaces one. */
export const COMPOSITE_PROMPTS = new URL('./prompts/', import.meta.url);
