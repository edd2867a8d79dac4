import {spawn} from 'node:child_process';
import {join, resolve} from 'node:path';
import {Client} from '../../sdk/client/client.js';
import {loadConnection} from '../../sdk/client/config/load-connection.js';
import {shownText} from '../../sdk/values/shown-text.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {flagHelp, helpText} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const ownFlags: readonly FlagDefinition[] = [
  {
    name: 'kubeconfig',
    type: 'string',
    value: 'FILE',
    description: "Client configuration of the user that the link signs in as; by default the administrator's, in the data directory",
  },
  {name: 'data-dir', type: 'string', value: 'DIR', description: 'Data directory of the server', default: './.orch'},
  {name: 'context', type: 'string', value: 'NAME', description: 'Context of the client configuration in place of the current one'},
  {name: 'open', type: 'boolean', description: 'Open the link in the browser, too', default: 'false'},
];

export function help(): string {
  return helpText(
    'orch console [FLAGS]',
    [
      'Prints a link that signs a browser in to the console of a running server, which has to be started with --enable-console. The link works once, for two',
      'minutes, and the browser then stays signed in for eight hours. It signs in as the user of the client configuration, who has to be allowed to POST to',
      '/console/links, as administrators are.',
    ],
    flagHelp(ownFlags),
    'orch console',
    'orch console --open --data-dir /var/lib/orch',
    'orch console --kubeconfig ~/.kube/config --context staging',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, ownFlags);
  if (positionals.length > 0) throw new UsageError(`orch console takes flags only, and ${JSON.stringify(positionals[0])} is none`);
  const text = (name: string) => flags.get(name) as string | undefined;
  const kubeconfig = resolve(terminal.cwd, text('kubeconfig') ?? join(text('data-dir') ?? '.orch', 'admin.kubeconfig'));
  const context = text('context');
  using client = new Client(await loadConnection({kubeconfig, ...(context === undefined ? {} : {context})}));
  const link = await linkOf(client);
  terminal.out.write(`${link}\n`);
  if (flags.get('open') === true) openInBrowser(link);
  return 0;
}

/** @throws Error in one sentence, ConnectionError */
async function linkOf(client: Client): Promise<string> {
  const {server} = client.connection;
  const {status, body} = await client.request({method: 'POST', path: '/console/links'});
  if (status === 404) throw new Error(`${server} has no console: it has to be started with --enable-console`);
  const answer = readAnswer(body);
  if (status !== 201 || answer?.path === undefined)
    throw new Error(`${server} gave no link (${status}): ${shownText(answer?.message ?? 'the answer is not that of a console')}`);
  return new URL(answer.path, server).href;
}

function readAnswer(body: Buffer): {readonly path?: string; readonly message?: string} | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as {path?: string; message?: string};
  } catch {
    return undefined;
  }
}

/** The program that opens addresses goes on by itself. Where there is none the link has been printed. */
function openInBrowser(link: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(program, [link], {stdio: 'ignore', detached: true})
    .on('error', () => {})
    .unref();
}
