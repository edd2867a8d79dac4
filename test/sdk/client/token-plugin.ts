import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {fileTree} from '../../helpers/run-script.js';
import type {Teardown} from '../../helpers/temp-folder.js';

const sdk = new URL('../../../sdk/index.js', import.meta.url).href;

const manifest = {
  name: 'listed-tokens',
  version: '1.0.0',
  kernel: '*',
  entry: './index.mjs',
  contributes: {authenticators: ['ListedTokens']},
};

/** Knows callers by tokens that stand in a file, which is read for each request. */
const code = (file: string) => `
import {readFileSync} from 'node:fs';
import {authenticator, unauthorized} from ${JSON.stringify(sdk)};

export class ListedTokens {
  authenticate(request) {
    const [header] = request.header('authorization');
    if (!header?.startsWith('Bearer ')) return undefined;
    const listed = readFileSync(${JSON.stringify(file)}, 'utf8').split('\\n');
    if (!listed.includes(header.slice(7))) throw unauthorized();
    return {username: header.slice(7), groups: ['system:masters', 'system:authenticated']};
  }
}
authenticator()(ListedTokens);
`;

/** A server that accepts bearer tokens. */
export interface TokenServer {
  readonly server: TestServer;
  /** From now on just these tokens are valid. */
  accept(...tokens: string[]): void;
}

export async function tokenServer(t: Teardown): Promise<TokenServer> {
  const folder = fileTree(t, {'plugin.json': JSON.stringify(manifest), tokens: ''});
  const file = join(folder, 'tokens');
  writeFileSync(join(folder, 'index.mjs'), code(file));
  const server = await startTestServer({plugins: [folder]});
  t.teardown(() => server.stop());
  return {server, accept: (...tokens) => writeFileSync(file, tokens.join('\n'))};
}
