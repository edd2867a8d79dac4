import {writeFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {cpuSeconds, residentMegabytes} from '../../bench/process-usage.js';
import {spawnOrch, type OrchProcess} from '../../../test/helpers/orch-process.js';
import {tempFolder, type Teardown} from '../../../test/helpers/temp-folder.js';
import type {Attack} from '../attack.js';
import {Connection} from '../client/connection.js';
import {requestText} from '../client/request-text.js';
import {Tally} from '../client/tally.js';
import type {Besieged} from '../client/users.js';
import type {Authority} from './authority.js';
import {heapMegabytes} from './bounds.js';

const rbac = 'rbac.authorization.orch';

/** The object that is read while attacks go on. */
export const probedPath = '/api/v1/namespaces/probed/configmaps/probed';

/** A server that is attacked: a process of its own with a small heap. */
export class Victim {
  readonly besieged: Besieged;
  /** Resident memory before the first attack, in megabytes. */
  idleMegabytes = 0;
  #namespaces = 0;

  private constructor(
    readonly process: OrchProcess,
    authority: Authority,
    readonly cleanups: (() => void | Promise<void>)[],
  ) {
    this.besieged = {host: '127.0.0.1', port: Number(new URL(process.url).port), ca: authority.ca, users: authority.users};
  }

  /** @param store a Redis URL; the embedded store when absent */
  static async start(
    authority: Authority,
    store: string | undefined,
    {flags = [], around}: Pick<Attack, 'flags' | 'around'> = {},
  ): Promise<Victim> {
    const cleanups: (() => void | Promise<void>)[] = [];
    const t: Teardown = {teardown: (cleanup) => void cleanups.push(cleanup)};
    const dataDir = tempFolder(t, 'orch-attack-');
    authority.equip(dataDir);
    const process = await spawnOrch({
      dataDir,
      ...(store === undefined ? {} : {store}),
      extra: ['--log-format', 'json', ...flags, ...((await around?.start(t, dataDir)) ?? [])],
      env: {NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`},
    });
    const victim = new Victim(process, authority, cleanups);
    try {
      await victim.#furnish();
      await sleep(300);
      victim.idleMegabytes = residentMegabytes(process.pid).now;
      return victim;
    } catch (error) {
      await victim.end();
      throw error;
    }
  }

  get hasEnded(): boolean {
    const {exitCode, signalCode} = this.process.child;
    return exitCode !== null || signalCode !== null;
  }

  /** A namespace for the next attack, in which `tenant` is admin and the crowd may edit. */
  async newNamespace(): Promise<string> {
    const name = `attacked-${++this.#namespaces}`;
    const bind = (bound: string, role: string, subject: object) => ({
      metadata: {name: bound},
      roleRef: {apiGroup: rbac, kind: 'ClusterRole', name: role},
      subjects: [{apiGroup: rbac, ...subject}],
    });
    const bindings = `/apis/${rbac}/v1/namespaces/${name}/rolebindings`;
    await this.#make([
      ['/api/v1/namespaces', {metadata: {name}}],
      [bindings, bind('tenant', 'admin', {kind: 'User', name: 'tenant'})],
      [bindings, bind('crowd', 'edit', {kind: 'Group', name: 'crowd'})],
    ]);
    return name;
  }

  /** Seconds of processor time so far. */
  cpu(): number {
    return cpuSeconds([this.process.pid]);
  }

  resident(): {now: number; peak: number} {
    return residentMegabytes(this.process.pid);
  }

  /** The peak of resident memory is counted from here on. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.process.pid}/clear_refs`, '5');
  }

  /** Ends the process, in whatever state it is. */
  async end(): Promise<void> {
    await this.process.kill9();
    for (const cleanup of this.cleanups) await cleanup();
  }

  async #furnish(): Promise<void> {
    await this.#make([
      ['/api/v1/namespaces', {metadata: {name: 'probed'}}],
      ['/api/v1/namespaces/probed/configmaps', {metadata: {name: 'probed'}, data: {a: 'b'.repeat(500)}}],
      [
        `/apis/${rbac}/v1/clusterrolebindings`,
        {
          metadata: {name: 'builder'},
          roleRef: {apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin'},
          subjects: [{apiGroup: rbac, kind: 'User', name: 'builder'}],
        },
      ],
    ]);
  }

  async #make(objects: readonly (readonly [path: string, object: object])[]): Promise<void> {
    const connection = await Connection.open(this.besieged, new Tally(), {user: 'masters', from: '127.0.0.1'});
    if (!connection) throw new Error('the server refuses a connection before it is attacked');
    try {
      for (const [path, object] of objects) {
        const {status, body} = await connection.ask(requestText('POST', path, {body: JSON.stringify(object)}));
        if (status !== 201) throw new Error(`POST ${path}: ${status} ${body.toString().slice(0, 300)}`);
      }
    } finally {
      connection.close();
    }
  }
}
