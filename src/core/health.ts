/** One thing the hub needs. `degraded`: it answers without it, but worse. */
export interface HealthPart {
  /** `NAME_db` of a database, `checkpoints`, `signing`, `chroma`, `model_provider`. */
  readonly name: string;
  readonly status: 'ok' | 'degraded' | 'failed';
  /** One sentence where something is wrong; no secrets, no paths. */
  readonly detail: string | null;
  readonly ms: number;
}

/** How the hub is. Ready unless a part has failed. */
export interface Health {
  readonly ready: boolean;
  readonly parts: readonly HealthPart[];
}
