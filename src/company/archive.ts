import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { HubError } from '../core/errors.js';

/** What an archive may hold: a company is text, and a model of a few megabytes. */
const LIMITS = { files: 5_000, bytes: 200_000_000 } as const;
/** Run by whoever opens the company. */
const CODE = new Set(['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts', '.node', '.sh']);

/**
 * Writes a company's folder to one archive (tar, gzip). Hidden files and databases stay behind.
 * @param folder absolute path
 * @returns how many files it holds
 * @throws HubError `usage` where a file is none, such as a link
 */
export async function packCompany(folder: string, file: string): Promise<number> {
  const files = filesIn(folder).map((path) => relative(folder, path));
  const { create } = await import('tar');
  await create({ file, cwd: folder, gzip: true, portable: true, noMtime: true, strict: true }, files);
  return files.length;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules' && !/\.db(?:-\w+)?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      if (entry.isFile()) return [path];
      throw new HubError('usage', `${path} is a link or a device; an archive holds files.`, { path });
    });
}

/**
 * Writes the files of an archive to a new folder: all of them, or none.
 * @param withCode whether it may bring programs, which run with the rights of the hub
 * @returns how many files were written
 * @throws HubError `usage` where there is something already, or the archive is broken, too large, leads out of the folder or
 * brings what it may not
 */
export async function unpackCompany(file: string, folder: string, withCode = false): Promise<number> {
  if (existsSync(folder)) throw new HubError('usage', `There is something at ${folder} already.`, { folder });
  const refuse = (why: string): HubError => new HubError('usage', `${file} ${why}`, { file });
  const faults: string[] = [];
  let [files, bytes] = [0, 0];
  const onReadEntry = ({ path, type, size }: { path: string; type: string; size: number }): void => {
    bytes += size;
    if (type === 'Directory') return;
    files += 1;
    if (type !== 'File') faults.push(`holds ${path}, which is no file`);
    if (!isWithin(folder, path)) faults.push(`holds ${path}, which leads out of its folder`);
    if (!withCode && CODE.has(extname(path).toLowerCase()))
      faults.push(`holds ${path}, a program; --with-code takes it from somebody you trust`);
  };
  const room = `${folder}.${process.pid}.new`;
  const { extract, list } = await import('tar');
  try {
    await list({ file, strict: true, onReadEntry });
    if (files > LIMITS.files || bytes > LIMITS.bytes) faults.push('is too large for a company');
    if (faults[0] !== undefined) throw refuse(`${faults[0]}.`);
    if (files === 0) throw refuse('is empty.');
    mkdirSync(room, { recursive: true });
    await extract({ file, cwd: room, strict: true, preserveOwner: false, noChmod: true });
    if (!existsSync(join(room, 'company.yaml'))) throw refuse('is no company: it has no company.yaml.');
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(room, folder);
  } catch (error) {
    rmSync(room, { recursive: true, force: true });
    if (error instanceof HubError) throw error;
    throw refuse(`cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  return files;
}

function isWithin(folder: string, path: string): boolean {
  if (path.startsWith('/') || path.includes('\\') || path.includes('\0') || /^[a-z]:/i.test(path))
    return false;
  return resolve(folder, path).startsWith(`${resolve(folder)}/`) && !path.split('/').includes('..');
}
