import { readFileSync } from 'node:fs';
import { openHub } from './test/support/hub.js';
const lines = readFileSync(process.argv[2]!, 'utf8').split('\n').filter((l) => l.trim() && !l.startsWith('#'));
let n = 0;
for (const line of lines) {
  const [who, rest] = [line.slice(0, line.indexOf('|')).trim(), line.slice(line.indexOf('|') + 1)];
  const hub = await openHub();
  const email = who === 'visitor' ? null : who.includes('@') ? who : `${who}@example.com`;
  let thread: string | undefined;
  console.log(`\n### ${++n} ${who}`);
  for (const text of rest.split('=>').map((t) => t.trim())) {
    try {
      const at = (hub.log as any).entries?.length ?? 0;
      const r: any = await hub.say(email, text, thread);
      thread = r.threadId ?? thread;
      const said = r.text ?? r.reply ?? r.answer ?? JSON.stringify(r).slice(0, 400);
      const log = ((hub.log as any).entries ?? []).slice(at).filter((e: any) => e.action === 'routed').map((e: any) => `${e.details.rule}${e.details.agent ? '>' + e.details.agent : ''}${e.details.reader ? ':' + e.details.reader : ''}`).join(' ');
      console.log(`> ${text}   {${log}}\n  ${String(said).replace(/\n+/g, ' / ')}${r.escalated || r.escalation ? '  [ESC]' : ''}${r.pending || r.interrupt ? ' [ASK]' : ''}`);
    } catch (e) { console.log(`> ${text}\n  !! ${(e as Error).message}`); }
  }
  await hub.close();
}
