import { relative } from 'node:path';
import { checkCompany, type Finding } from '../../../app/company-check.js';
import { type ConfigContext, EXIT } from '../../command.js';

/** One line a finding: where, what, and what to do. */
function lineOf({ severity, file, line, problem, remedy }: Finding): string {
  const path = relative('', file);
  const where = path.startsWith('..') ? file : path;
  return `${where}${line === null ? '' : `:${line}`} ${severity}: ${problem} ${remedy}`;
}

/** Says what is wrong with the company of the configuration. @returns exit code 1 where there is a fault */
export async function checkCommand(
  { config, io }: ConfigContext,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const findings = await checkCompany(config);
  const faults = findings.filter(({ severity }) => severity === 'fault').length;
  const sorted = [...findings].sort((a, b) => a.severity.localeCompare(b.severity));
  if (json) io.out.write(`${JSON.stringify({ company: config.company.folder, findings: sorted })}\n`);
  else {
    for (const finding of sorted) io.out.write(`${lineOf(finding)}\n`);
    io.err.write(`${count(faults, 'fault')}, ${count(findings.length - faults, 'warning')}\n`);
  }
  return faults > 0 ? EXIT.failed : EXIT.done;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
