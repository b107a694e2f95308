import process from 'node:process';

/**
 * Thousands of times what the work takes that it is asked of: only work that explodes with what a stranger wrote gets
 * here. Time of the processor and not of the clock, so that what else the machine does counts for nothing.
 */
export const EXPLOSION_S = 30;

/** The processor time that work takes in this process, in seconds. */
export function processorSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}
