import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { companyChangeSchema, companyFilesSchema } from '../../../src/surfaces/http/desk/company-routes.js';
import { companyWithFewConversations, FEW_CONVERSATIONS } from '../../support/company.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { fits } from './desk-world.js';

type Change = z.infer<typeof companyChangeSchema>;

const POLICY = 'policy.yaml';
const AT = '/api/desk/company';
let folder: string;
let at: TestServer;
let [olga, rui] = ['', ''];

beforeAll(async () => {
  folder = companyWithFewConversations();
  at = await openServer({ env: { HUB_COMPANY: folder } });
  [olga, rui] = [await at.operator('Olga'), await at.operator('Rui')];
});
afterAll(async () => {
  await at.close();
  rmSync(folder, { recursive: true, force: true });
});

const onDisk = (path = POLICY): string => readFileSync(join(folder, path), 'utf8');
const overview = async () => fits(companyFilesSchema, (await at.get(AT, olga)).body);
const propose = async (text: string, path = POLICY): Promise<Change> => {
  const { text: before } = (await at.get(`${AT}/file?path=${path}`, olga)).body as { text: string };
  const { body, status } = await at.post(`${AT}/changes`, olga, {
    path,
    before,
    text,
    note: 'Two hours more.',
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return fits(companyChangeSchema, body);
};
const show = async (id: string) => fits(companyChangeSchema, (await at.get(`${AT}/changes/${id}`, rui)).body);
const ended = async (id: string): Promise<Change> => {
  let change = await show(id);
  await until(async () => {
    change = await show(id);
    return change.running === null;
  });
  return change;
};
const decide = (id: string, token: string, decision: 'approve' | 'decline') =>
  at.post(`${AT}/changes/${id}`, token, { decision });
const codeOf = async (answer: ReturnType<typeof decide>) => (await answer).body.code;
const trials = () => readdirSync(tmpdir()).filter((name) => name.startsWith('hub-company-trial-'));

it('[COF-01] lists what a company says and allows, and nothing that holds addresses, people or code', async () => {
  const { files, locked, outdated, reloads } = await overview();
  expect({ locked, outdated, reloads }).toEqual({ locked: null, outdated: false, reloads: false });
  expect(files).toEqual(expect.arrayContaining(['company.yaml', POLICY, 'intents/intents.yaml']));
  writeFileSync(join(folder, 'sources.yaml'), 'sources: {}\n');
  writeFileSync(join(folder, 'customers.yaml'), 'a: 1\n');
  for (const path of ['sources.yaml', 'customers.yaml', 'company.ts', '../policy.yaml', 'texts', ''])
    expect([path, (await at.get(`${AT}/file?path=${encodeURIComponent(path)}`, olga)).status]).toEqual([
      path,
      path === '' ? 422 : 404,
    ]);
  for (const name of ['sources.yaml', 'customers.yaml']) rmSync(join(folder, name));
  expect((await at.get(AT, await at.token('ana.souza@example.com'))).status).toBe(403);
});

it('[COF-01 COF-02 COF-04] checks a change on a copy, evaluates it, writes it on a second yes, and goes back the same way', async () => {
  const [before, seen] = [onDisk(), trials()];
  const { change_id: id, running } = await propose(`${before}# Two hours more.\n`);
  expect(running).toBe('check');
  const checked = await ended(id);
  expect(checked.check).toMatchObject({ findings: [], failed: null });
  expect((await at.post(`${AT}/changes/${id}/trials`, olga, { what: 'evaluation' })).status).toBe(202);
  const { evaluation } = await ended(id);
  expect(evaluation).toMatchObject({ failed: null, worse: [] });
  expect(evaluation?.figures[0]).toMatchObject({
    group: 'all',
    scenarios: FEW_CONVERSATIONS,
    standing: 1,
    passed: 1,
  });
  expect(onDisk()).toBe(before);
  // Those of another test beside this one end too.
  await until(() => trials().every((name) => seen.includes(name)));

  expect(await codeOf(decide(id, olga, 'approve'))).toBe('forbidden');
  expect(onDisk()).toBe(before);
  const approved = fits(companyChangeSchema, (await decide(id, rui, 'approve')).body);
  expect(approved).toMatchObject({ status: 'approved', decider: 'Rui', author: 'Olga' });
  expect(onDisk()).toBe(`${before}# Two hours more.\n`);
  expect((await overview()).outdated).toBe(true);
  expect(await codeOf(decide(id, rui, 'approve'))).toBe('wrong_status');

  const back = await propose(before);
  await ended(back.change_id);
  expect((await decide(back.change_id, rui, 'approve')).status).toBe(200);
  expect(onDisk()).toBe(before);
  const day = at.hub.clock.now().toISOString().slice(0, 10);
  const { deeds } = (await at.get(`/api/desk/history?from=${day}&to=${day}`, olga)).body as {
    deeds: { about: string; article: string }[];
  };
  const told = deeds.map(({ about, article }) => [about, article]);
  for (const what of ['propose', 'approve']) expect(told).toContainEqual([`${what}_company_change`, POLICY]);
});

it('[COF-02 COF-03] says by file and line what is wrong with a change, and does not let it through', async () => {
  const before = onDisk();
  const { change_id: id } = await propose(before.replace(/^support:/m, 'suport:'));
  expect(await codeOf(decide(id, rui, 'approve'))).toBe('wrong_status');
  const { check } = await ended(id);
  expect(check?.findings).toContainEqual(expect.objectContaining({ severity: 'fault', file: POLICY }));
  const refused = await decide(id, rui, 'approve');
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'The check found a fault: the hub would not start with this change.',
  ]);
  expect(onDisk()).toBe(before);
  expect((await decide(id, rui, 'decline')).body.status).toBe('declined');
});

it('[COF-03] refuses an approval where the file, or another one, has changed since', async () => {
  const [before, profile] = [onDisk(), onDisk('company.yaml')];
  const { change_id: id } = await propose(`${before}# More.\n`);
  await ended(id);
  writeFileSync(join(folder, 'company.yaml'), `${profile}# By hand.\n`);
  expect((await decide(id, rui, 'approve')).body.detail).toMatch(/^Other files of the company have changed/);
  writeFileSync(join(folder, 'company.yaml'), profile);
  writeFileSync(join(folder, POLICY), `${before}# By hand.\n`);
  expect((await show(id)).hindrance).toBe('file_changed');
  expect((await decide(id, rui, 'approve')).body.detail).toMatch(/^policy\.yaml has changed meanwhile/);
  expect(onDisk()).toBe(`${before}# By hand.\n`);
  const stale = { path: POLICY, before, text: `${before}# Late.\n` };
  expect((await at.post(`${AT}/changes`, olga, stale)).body.code).toBe('wrong_status');
  writeFileSync(join(folder, POLICY), before);
  expect((await decide(id, olga, 'decline')).body.status).toBe('withdrawn');
  const same = { path: POLICY, before, text: before };
  expect((await at.post(`${AT}/changes`, olga, same)).body.code).toBe('input_invalid');
});

it('[COF-03] is locked where anybody can sign in twice, or where the files cannot be written', async () => {
  const open = await openServer({ env: { HUB_HOST: '0.0.0.0', HUB_DEMO: '1' } });
  const token = await open.operator('Olga');
  expect((await open.get(AT, token)).body.locked).toBe('others_may_sign_in');
  const text = String((await open.get(`${AT}/file?path=${POLICY}`, token)).body.text);
  const change = { path: POLICY, before: text, text: `${text}#\n` };
  expect((await open.post(`${AT}/changes`, token, change)).status).toBe(403);
  await open.close();
  // Whoever runs as root may write anywhere.
  if (process.getuid?.() === 0) return;
  chmodSync(folder, 0o500);
  expect((await overview()).locked).toBe('read_only');
  chmodSync(folder, 0o700);
});

it('[COF-08] lets a prompt of the engine be said in words of the company, and leaves the engine as it is', async () => {
  const path = 'prompts/knowledge.md';
  expect((await overview()).files).toEqual(expect.arrayContaining([path, 'prompts/supervisor.md']));
  const { text } = (await at.get(`${AT}/file?path=${path}`, olga)).body as { text: string };
  expect(text).toContain('You are the knowledge agent of {{company}} support.');
  const wrong = await ended((await propose(`${text}By {{moon}}.\n`, path)).change_id);
  expect(wrong.check?.findings).toMatchObject([{ severity: 'fault', file: path }]);
  expect(await codeOf(decide(wrong.change_id, rui, 'approve'))).toBe('wrong_status');
  const { change_id: id } = await propose(`${text}Be warm.\n`, path);
  expect((await ended(id)).check).toMatchObject({ findings: [], failed: null });
  expect((await decide(id, rui, 'approve')).status).toBe(200);
  expect(onDisk(path)).toBe(`${text}Be warm.\n`);
});
