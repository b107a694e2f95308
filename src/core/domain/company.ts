import type { Translated } from './taxonomy.js';

/** Who the hub answers for: what every surface, prompt and card says of the company. */
export interface CompanyProfile {
  /** As customers know it. */
  readonly name: string;
  /** What it is, after its name and a comma: "a Brazilian subscription for museums". */
  readonly about: Translated;
  /** IANA name; what "today" and "Thursday" mean. */
  readonly timeZone: string;
  /** How people call that zone: "Brasília time". */
  readonly timeZoneName: Translated;
  /** ISO 4217. */
  readonly currency: string;
}
