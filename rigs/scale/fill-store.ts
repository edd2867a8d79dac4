import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createWriteStream, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {LoadProcess} from '../bench/load-process.js';
import {objectName} from '../bench/work.js';
import {commandLine, spawnOrch} from '../../test/helpers/orch-process.js';

/** What a store is filled with. */
export interface Filling {
  readonly namespace: string;
  readonly objects: number;
  readonly platform?: 'kubernetes';
}

/** Puts ConfigMaps of about 1 KB, named as the load names them, into an embedded store. By a file for `orch store import`: as many creates would take ten times as long. @param folder for files on the way */
export async function fillStore(folder: string, dataDir: string, {namespace, objects, platform}: Filling): Promise<void> {
  const [sample, whole] = [join(folder, 'sample.jsonl'), join(folder, 'all.jsonl')];
  const server = await spawnOrch({dataDir, ...(platform ? {platform} : {})});
  const load = new LoadProcess();
  try {
    await load.run({kind: 'connect', targets: [server], concurrency: 1});
    await load.run({kind: 'namespace', name: namespace});
    await load.run({kind: 'requests', work: 'create', namespace, count: 1, maxSeconds: 10, objects: 1});
  } finally {
    await load.close();
    await server.stop();
  }
  await runStore('export', dataDir, sample);
  const lines = readFileSync(sample, 'utf8').trim().split('\n').slice(0, -1);
  const others = lines.filter((line) => !line.includes(`"${namespace}/item-`) && !line.includes('"~leader'));
  const made = JSON.parse(lines.find((line) => line.includes(`"${namespace}/item-`))!) as {key: string; value: string};
  const text = Buffer.from(made.value, 'base64').toString('latin1');
  const out = createWriteStream(whole);
  for (const line of others) out.write(`${line}\n`);
  for (let index = 0; index < objects; index += 1) {
    const name = objectName(index);
    const own = text
      .replace(/"name":"item-\d+"/, `"name":"${name}"`)
      .replace(/"shard":"s\d"/, `"shard":"s${index % 10}"`)
      .replace(/"uid":"[0-9a-f]{8}/, `"uid":"${index.toString(16).padStart(8, '0')}`);
    const line = JSON.stringify({...made, key: `${namespace}/${name}`, value: Buffer.from(own, 'latin1').toString('base64')});
    if (!out.write(`${line}\n`)) await once(out, 'drain');
  }
  out.end(`${JSON.stringify({records: others.length - 1 + objects})}\n`);
  await once(out, 'close');
  rmSync(dataDir, {recursive: true, force: true});
  await runStore('import', dataDir, whole);
  rmSync(whole);
  // What has just been written is history too, which a server reads as well: not what is measured here.
  await runStore('compact', dataDir);
}

async function runStore(verb: string, dataDir: string, file?: string): Promise<void> {
  const argv = ['store', verb, '--data-dir', dataDir, ...(file === undefined ? [] : ['--file', file])];
  const child = spawn(process.execPath, [commandLine, ...argv], {stdio: ['ignore', 'ignore', 'pipe']});
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`orch store ${verb} ended with ${code}: ${said}`);
}
