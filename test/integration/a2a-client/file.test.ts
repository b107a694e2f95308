import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openRemoteAgents } from '../../../src/adapters/a2a/remote-agents.js';
import { parseConfig } from '../../../src/config/config.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { agentFile } from './partner.js';

const parts = { clock: createFixedClock(), ids: createSequentialIds(), log: createRecordingLog() };
const ROSTER = ['knowledge', 'account', 'action', 'investigation', 'supervisor'];

function open(content: unknown, env: Record<string, string> = {}, publicUrl?: string) {
  const { remoteAgents } = parseConfig({ HUB_REMOTE_AGENTS: agentFile(content), ...env });
  return openRemoteAgents({ config: remoteAgents, roster: ROSTER, publicUrl, ...parts });
}

const agent = (more: Record<string, unknown>) => ({
  agents: [{ name: 'parking', card: 'https://parking.example.com', ...more }],
});

describe('the file of other agents', () => {
  it('[RMA-01] is not needed, and the one that ships is right', () => {
    const none = openRemoteAgents({ config: parseConfig({}).remoteAgents, roster: ROSTER, ...parts });
    expect(none.list()).toEqual([]);
    const file = fileURLToPath(new URL('../../../data/remote-agents.example.yaml', import.meta.url));
    const config = parseConfig({ HUB_REMOTE_AGENTS: file }).remoteAgents;
    const [first, second] = openRemoteAgents({ config, roster: ROSTER, ...parts }).list();
    expect(first).toMatchObject({ name: 'partner_parking', share: ['language'], card: null });
    expect(first?.keywords).toContain('estacionamento');
    expect(second?.name).toBe('lost_and_found');
  });

  it.each([
    ['no YAML', 'agents: [', /cannot be read/],
    ['another shape', { agent: [] }, /agents/],
    ['an unknown field', agent({ tokens: 'x' }), /parking.*tokens/],
    ['a name in capitals', agent({ name: 'Parking' }), /Parking\.name/],
    ['a name of the roster', agent({ name: 'account' }), /account\.name.*own agents/],
    ['the name of a part of the hub', agent({ name: 'supervisor' }), /supervisor\.name/],
    ['no address', agent({ card: 'parking' }), /parking\.card/],
    ['another scheme', agent({ card: 'file:///etc/passwd' }), /parking\.card/],
    ['http', agent({ card: 'http://parking.example.com' }), /parking\.card.*allow_http/],
    ['a password', agent({ card: 'https://me:secret@parking.example.com' }), /parking\.card.*token_env/],
    ['the internal network', agent({ card: 'https://10.0.0.7' }), /parking\.card.*allow_private/],
    ['this machine', agent({ card: 'https://localhost:3000' }), /parking\.card.*allow_private/],
    ['this machine as one number', agent({ card: 'https://2130706433' }), /parking\.card.*internal/],
    ['a metadata service', agent({ card: 'https://169.254.169.254', allow_private: true }), /parking\.card/],
    ['too long a wait', agent({ timeout_ms: 1e9 }), /parking\.timeout_ms/],
    ['a share of secrets', agent({ share: ['email'] }), /parking\.share/],
    ['a token that is not there', agent({ token_env: 'PARKING_TOKEN' }), /parking\.token_env.*not set/],
    ["the hub's own secret", agent({ token_env: 'HUB_AUTH_SECRET' }), /parking\.token_env/],
    ['two of one name', { agents: [...agent({}).agents, ...agent({}).agents] }, /parking\.name.*two/],
  ])('[RMA-01] with %s stops the program with one line that says where', (_what, content, message) => {
    const failed = () => open(content, { HUB_AUTH_SECRET: 'a secret that is long enough to sign' });
    expect(failed).toThrow(message);
    expect(failed).toThrow(expect.objectContaining({ code: 'config_invalid' }));
    expect(failed).toThrow(/^The file of other agents \S+agents-\d+\.yaml [^\n]+$/);
  });

  it('[RMA-01] never shows a token, nor takes one that would forge a header', () => {
    const failed = () => open(agent({ token_env: 'T' }), { T: 'abc\r\nx-forged: 1' });
    expect(failed).toThrow(/parking\.token_env: names T,/);
    expect(failed).not.toThrow(/abc/);
  });

  it('[RMA-01] [RMA-09] cannot name this hub itself', () => {
    const own = agent({ card: 'https://hub.example.com/agents/knowledge' });
    expect(() => open(own, {}, 'https://hub.example.com')).toThrow(/parking\.card: is this hub itself/);
    expect(open(own, {}, 'https://hub.example.com/elsewhere').list()).toHaveLength(1);
  });
});
