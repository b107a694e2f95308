import { expect } from 'vitest';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import type { Hub } from '../../support/hub.js';

/** What a reply must be like; only what is given is looked at. */
export interface Expected {
  /** All of these are in the reply. */
  readonly says?: readonly (string | RegExp)[];
  readonly saysNot?: readonly (string | RegExp)[];
  readonly agents?: readonly string[];
  readonly tool?: string;
  readonly code?: string;
  readonly pending?: 'confirmation' | 'approval' | null;
  readonly escalated?: string | null;
  readonly language?: 'en' | 'pt-BR';
  readonly cites?: string | null;
  readonly rule?: string;
}

export type Line = readonly [said: string, expected: Expected];

/** Says the lines in one thread and checks each reply. @returns the replies */
export async function converse(
  hub: Hub,
  email: string | null,
  lines: readonly Line[],
): Promise<readonly TurnReply[]> {
  const replies: TurnReply[] = [];
  for (const [said, expected] of lines) {
    const reply = await hub.say(email, said, replies[0]?.threadId);
    replies.push(reply);
    check(said, reply, expected);
  }
  return replies;
}

function check(said: string, reply: TurnReply, expected: Expected): void {
  const about = `"${said}" was answered "${reply.reply}"`;
  expect(reply.reply.trim(), about).not.toBe('');
  for (const part of expected.says ?? []) expect(reply.reply, about).toMatch(asPattern(part));
  for (const part of expected.saysNot ?? []) expect(reply.reply, about).not.toMatch(asPattern(part));
  if (expected.agents) expect(reply.agents, about).toEqual(['triage', ...expected.agents]);
  if (expected.tool)
    expect(
      reply.toolCalls.map((call) => call.tool),
      about,
    ).toContain(expected.tool);
  if (expected.code)
    expect(
      reply.toolCalls.map((call) => call.code),
      about,
    ).toContain(expected.code);
  if (expected.pending !== undefined) expect(reply.pending?.kind ?? null, about).toBe(expected.pending);
  if (expected.escalated !== undefined)
    expect(reply.escalation?.reason ?? null, about).toBe(expected.escalated);
  if (expected.language) expect(reply.language, about).toBe(expected.language);
  if (expected.cites !== undefined) expect(reply.citations[0]?.articleId ?? null, about).toBe(expected.cites);
  if (expected.rule)
    expect(
      reply.route.map((step) => step.by),
      about,
    ).toContain(`rule:${expected.rule}`);
}

function asPattern(part: string | RegExp): RegExp {
  return typeof part === 'string' ? new RegExp(part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i') : part;
}
