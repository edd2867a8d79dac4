import {join} from 'node:path';
import {fileTree} from '../../helpers/run-script.js';
import type {Teardown} from '../../helpers/temp-folder.js';

const manifest = {
  name: 'writing',
  version: '1.0.0',
  kernel: '*',
  entry: './plugin.js',
  contributes: {
    controllers: [
      {class: 'Writer', name: 'writer', permissions: [{verbs: ['create', 'patch'], apiGroups: [''], resources: ['configmaps']}]},
    ],
  },
};

/** Writes all the time, without asking what is there: what it writes shows who is let. */
const code = `
import {controller, inject, Tokens} from '@orch-api/orch/sdk';
const ref = {group: '', version: 'v1', resource: 'configmaps'};
export class Writer {
  constructor(resources, logger) { this.resources = resources; this.logger = logger; }
  async start(signal) {
    let count = 0;
    this.running = (async () => {
      while (!signal.aborted) {
        const data = {pid: String(process.pid), count: String(++count)};
        try {
          await this.resources.patch(ref, 'default', 'written', {data});
        } catch (error) {
          if (error.code === 404) await this.resources.create(ref, 'default', {metadata: {name: 'written'}, data}).catch(() => undefined);
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    if (process.env.WRITER_FAILS === 'timer') setTimeout(() => { process.env.WRITER_FAILS = ''; throw new Error('a bug in a timer'); }, 50);
    if (process.env.WRITER_FAILS === 'promise') { process.env.WRITER_FAILS = ''; Promise.reject(new Error('a bug in a promise')); }
    if (process.env.WRITER_FAILS === 'start') { process.env.WRITER_FAILS = ''; throw new Error('a bug in start'); }
  }
  async stop() { await this.running; }
}
inject(Tokens.Resources)(Writer, undefined, 0);
inject(Tokens.Logger)(Writer, undefined, 1);
controller()(Writer);
`;

/** A plugin whose controller `writer` keeps writing the ConfigMap `written` in the namespace `default`; `data.pid` is the process that did. */
export function writingPlugin(t: Teardown): string {
  return join(fileTree(t, {'writing/plugin.json': JSON.stringify(manifest), 'writing/plugin.js': code}), 'writing');
}
