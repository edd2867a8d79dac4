import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createWriteStream, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isFlaky, isSerial, specsOf, type Spec} from './specs.js';

/** The binary of a suite, and what it is told. */
export interface Suite {
  readonly program: string;
  readonly kubectl: string;
  /** Folder of its logs and reports. */
  readonly folder: string;
}

/** Specs that one regular expression of Go names and another does not, without running them. @throws Error with the end of what the suite says */
export async function listSpecs(suite: Suite, focus: string, skip?: string): Promise<Spec[]> {
  const chosen = [`--ginkgo.focus=${focus}`, ...(skip === undefined ? [] : [`--ginkgo.skip=${skip}`])];
  // It must have a server's address, and does not use it.
  const report = await start(suite, 'list', ['--host=https://127.0.0.1:1', ...chosen, '--ginkgo.dry-run']);
  return specsOf(report).filter(({outcome}) => outcome === 'passed');
}

/**
 * Runs specs: some at a time those that may run beside others, then the others, and each of those that are flaky in a process of its own.
 *
 * @param jobs processes at a time
 * @param name of this run, for its files
 */
export async function runSpecs(suite: Suite, name: string, kubeconfig: string, specs: readonly Spec[], jobs: number): Promise<Spec[]> {
  const flaky = specs.filter(({text}) => isFlaky(text));
  const steady = specs.filter(({text}) => !isFlaky(text));
  const beside = steady.filter(({text}) => !isSerial(text));
  const shares = Array.from({length: jobs}, (_, job) => beside.filter((_spec, index) => index % jobs === job));
  const run = async (part: string, some: readonly Spec[]) =>
    some.length === 0 ? [] : runShare(suite, `${name}-${part}`, kubeconfig, some);
  const parallel = await Promise.all(shares.map((share, job) => run(String(job), share)));
  const done = [
    ...parallel.flat(),
    ...(await run(
      'serial',
      steady.filter(({text}) => isSerial(text)),
    )),
  ];
  for (const [index, spec] of flaky.entries()) done.push(...(await run(`flaky-${index}`, [spec])));
  return done;
}

async function runShare(suite: Suite, name: string, kubeconfig: string, specs: readonly Spec[]): Promise<Spec[]> {
  const wanted = new Set(specs.map(({text}) => text));
  // The end of a text may be the beginning of another one.
  const focus = `(?:${[...wanted].map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
  const report = await start(suite, name, [`--kubeconfig=${kubeconfig}`, `--ginkgo.focus=${focus}`]);
  return specsOf(report).filter(({text}) => wanted.has(text));
}

/** Runs the binary to its end. Its exit code says whether specs failed, which its report says too. */
async function start({program, kubectl, folder}: Suite, name: string, args: readonly string[]): Promise<string> {
  const report = join(folder, `${name}.json`);
  const log = join(folder, `${name}.log`);
  const child = spawn(
    program,
    [
      '--provider=skeleton',
      `--kubectl-path=${kubectl}`,
      '--allowed-not-ready-nodes=-1',
      '--minStartupPods=0',
      '--disable-log-dump',
      '--dump-logs-on-failure=false',
      '--ginkgo.no-color',
      '--ginkgo.v',
      '--ginkgo.timeout=6h',
      `--ginkgo.json-report=${report}`,
      ...args,
    ],
    {stdio: ['ignore', 'pipe', 'pipe'], cwd: folder, env: {...process.env, KUBECACHEDIR: join(folder, `${name}-kubectl`)}},
  );
  const output = createWriteStream(log);
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, {end: false});
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  await once(child, 'close');
  process.removeListener('exit', end);
  output.end();
  if (existsSync(report)) return readFileSync(report, 'utf8');
  throw new Error(`${program} made no report:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}
