/** The only source of time. Tests give a fixed one. */
export interface Clock {
  now(): Date;
}
