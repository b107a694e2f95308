export { askRemoteAgent } from './ask-remote-agent.js';
export type { RemoteAccess } from './remote-access.js';
export { ASK_REMOTE_AGENT, type RemoteOutcome, remoteShape } from './remote-shape.js';
export { whoFits } from './who-fits.js';
export { keywordIn } from './words.js';
