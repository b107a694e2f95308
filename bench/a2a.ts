import { randomUUID } from 'node:crypto';
import { barred, type Measure, plain, spread } from './report.js';
import { withServer } from './server.js';
import type { ServerProcess } from './server-process.js';

const QUESTION = 'How many visits does the basic plan include?';
const WARM_UP = 20;
const AT_ONCE = 20;

/** What another agent waits for: a question to the hub that is answered before the call returns, and a task that is read. */
export function a2a(quick: boolean): Promise<readonly Measure[]> {
  return withServer((hub) => questions(hub, quick ? 20 : 200));
}

async function questions(hub: ServerProcess, count: number): Promise<readonly Measure[]> {
  for (let number = 0; number < WARM_UP; number += 1) await ask(hub.url);
  const asked: number[] = [];
  const read: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const began = performance.now();
    const id = await ask(hub.url);
    asked.push(performance.now() - began);
    const reading = performance.now();
    await call(hub.url, 'GetTask', { id });
    read.push(performance.now() - reading);
  }
  const began = performance.now();
  for (let number = 0; number < count; number += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => ask(hub.url)));
  const seconds = (performance.now() - began) / 1_000;
  const one = spread(asked);
  return [
    barred(
      'A2A: a question answered offline, median',
      one.median,
      'ms',
      { atMost: 40 },
      `p95 ${Math.round(one.p95)} ms`,
    ),
    plain('A2A: a task read, median', spread(read).median, 'ms'),
    plain(`A2A: questions, ${AT_ONCE} at once`, (Math.ceil(count / AT_ONCE) * AT_ONCE) / seconds, 'tasks/s'),
  ];
}

async function ask(url: string): Promise<string> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: QUESTION }] };
  const { task } = await call<{ task: { id: string; status: { state: string } } }>(url, 'SendMessage', {
    message,
  });
  if (task.status.state !== 'TASK_STATE_COMPLETED') throw new Error(`the task is ${task.status.state}`);
  return task.id;
}

async function call<T>(url: string, method: string, params: unknown): Promise<T> {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: T; error?: unknown };
  if (result === undefined) throw new Error(`${method} was answered ${JSON.stringify(error)}`);
  return result;
}
