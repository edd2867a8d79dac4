import {existsSync} from 'node:fs';
import {parseArgs} from 'node:util';
import type {ServerPrograms} from '../kubernetes/kubernetes-server.js';

/** What can be measured: a store, two servers on one Redis, kube-apiserver, or the floor alone. */
export const subjectNames = ['memory', 'embedded', 'redis', 'redis-pair', 'kube-apiserver', 'floor'] as const;
export type SubjectName = (typeof subjectNames)[number];
/** One server on a store. */
export type StoreName = Exclude<SubjectName, 'redis-pair' | 'kube-apiserver' | 'floor'>;

export const isStore = (name: SubjectName): name is StoreName => name !== 'redis-pair' && name !== 'kube-apiserver' && name !== 'floor';

/** The parts of the benchmark: all kinds of work on each store, and what has servers of its own. */
const partNames = [
  'comparison',
  'work',
  'definitions',
  'fairness',
  'bounds',
  'admission',
  'audit',
  'hooks',
  'http2',
  'releases',
  'scrape',
  'gc',
  'controllers',
  'idle',
  'workers',
  'start',
  'cluster',
] as const;
export type BenchPart = (typeof partNames)[number];

export interface BenchOptions {
  readonly subjects: readonly SubjectName[];
  /** Of the subject `kube-apiserver`. */
  readonly peer: ServerPrograms | undefined;
  /** How often all subjects are measured, one after the other. */
  readonly turns: number;
  readonly quick: boolean;
  /** Names of rows of the comparison begin so; all where there are none. */
  readonly rows: readonly string[];
  /** Whether the comparison profiles what it measures. */
  readonly profile: boolean;
  /** Pages of Markdown that get tables of the comparison. */
  readonly pages: readonly string[];
  /** Where the figures go as JSON. */
  readonly json: string;
  readonly objects: number;
  readonly watchers: number;
  readonly concurrency: number;
  /** CustomResourceDefinitions; 0 leaves them out. */
  readonly definitions: number;
  /** Of one owner, in the part about garbage collection. */
  readonly dependents: number;
  /** What is measured. */
  readonly parts: ReadonlySet<BenchPart>;
  /** How often each kind of start is measured. */
  readonly starts: number;
  /** Command line of another build, with which the newest release is compared in place of the oldest, and which the comparison measures too. */
  readonly otherProgram: string | undefined;
  /** Longest time for one kind of work, in seconds. */
  readonly maxSeconds: number;
  /** `appendfsync` of the Redis servers that are started. */
  readonly redisFsync: 'always' | 'everysec';
}

export const help = `Measures Orch over HTTPS as clients see it, on each store, beside a bare https server that answers the same bytes.

  npm run bench -- [options]

  --store NAMES     what to measure, separated by commas: ${subjectNames.filter((name) => name !== 'kube-apiserver').join(', ')} (all by default)
                    redis-pair: two servers on one Redis; writes go to one, the watchers watch the other
                    floor: the bare https server; always measured, alone when nothing else is named
  --kube-apiserver FILE
                    measures this kube-apiserver with its etcd too, in place of figures that are known from elsewhere
  --etcd FILE       what that stores in (etcd)
  --comparison-only nothing but a comparison of all stores, the floor and, where it is given, kube-apiserver: all run at the same time, and each row is
                    measured in turns of a second; with 1, 16 and 200 connections, objects of 1 and 100 KB, a user whom RBAC allows and flow
                    control limits, Secrets that are encrypted at rest, and a webhook
  --rows NAMES      only rows of the comparison whose names begin so, separated by semicolons
  --pages FILES     pages of Markdown, with commas, that get tables of the comparison between <!-- figures: comparison --> (or: comparison in
                    short) and <!-- end of figures -->
  --profile         writes for each row of the comparison, and each store, what takes time and what allocates, by file and function, to
                    bench-results/profiles
  --turns N         how often all of these are measured, one after the other (1; the comparison 5): figures are medians, and the spread is shown
  --quick           a fifth of the operations: a first impression within two minutes
  --objects N       ConfigMaps of about 1 KB (5000; goals and established figures are for that many)
  --watchers N      watches of the fan-outs, but for that to 1,000 (200)
  --concurrency N   connections that send requests (16)
  --definitions N   CustomResourceDefinitions of real size (1000; 0 leaves them out)
  --definitions-only
                    nothing but these: how long until all are established, their memory, and how long other requests wait meanwhile
  --no-fairness     leaves out how much one user at full speed slows another: the busy client gets only the processor time that server and
                    measured client leave (SCHED_IDLE), because on a real system it runs elsewhere; beside it what the same client
                    does when it competes with them
  --fairness-only   nothing but that
  --no-bounds       leaves out what the bounds of requests cost
  --bounds-only     nothing but that
  --no-admission    leaves out what webhooks, policies, quotas and limits cost
  --admission-only  nothing but that
  --no-audit        leaves out what recording requests costs, and whether any is lost
  --audit-only      nothing but that
  --no-hooks        leaves out what metrics, audit and traces cost while they are not used
  --hooks-only      nothing but that
  --no-http2        leaves out what HTTP/2 costs on one connection, beside HTTP/1.1
  --http2-only      nothing but that
  --no-releases     leaves out what the newest release costs requests that use nothing of it, beside a server of the oldest one
  --releases-only   nothing but that
  --other-program FILE
                    the command line of another build (dist/bundle/core/cli/main.js) to compare with beside this one, or in place of the
                    oldest release, and then in more kinds of requests
  --no-scrape       leaves out what a scrape of a full server costs
  --scrape-only     nothing but that
  --no-gc           leaves out how long the dependents of one owner take to go, and how long other requests wait meanwhile
  --gc-only         nothing but that
  --dependents N    of that owner (50000)
  --no-controllers  leaves out what the controllers cost a creation
  --controllers-only
                    nothing but that
  --no-idle         leaves out what a server costs that has nothing to do
  --idle-only       nothing but that
  --no-workers      leaves out what several processes gain
  --workers-only    nothing but that
  --no-start        leaves out how long the assets of orch envtest take to start and stop, and their memory
  --start-only      nothing but that
  --no-cluster      leaves out how fast pods become available on simulated nodes, and what these cost
  --cluster-only    nothing but that; 100,000 pods on 1,000 nodes, with --quick 10,000
  --redis-fsync F   always (what is answered is on disk, as with the embedded store) or everysec (always)
  --json FILE       where the figures go as JSON (bench-results/latest.json)
  --help            this text

Examples
  npm run bench -- --quick
  npm run bench -- --store embedded
  npm run bench -- --store memory,redis --objects 2000 --json figures.json
  npm run bench -- --store embedded,memory --kube-apiserver k8s/kube-apiserver --turns 3
  npm run bench -- --comparison-only --kube-apiserver k8s/kube-apiserver --etcd k8s/etcd
  npm run bench -- --comparison-only --kube-apiserver k8s/kube-apiserver --etcd k8s/etcd --pages README.md,docs/comparison.md
  npm run bench -- --comparison-only --store memory --rows "create;apply" --profile
  npm run bench -- --store embedded --definitions-only
  npm run bench -- --store embedded --fairness-only
  npm run bench -- --store memory --admission-only
  npm run bench -- --bounds-only
  npm run bench -- --start-only
  npm run bench -- --store embedded,redis --gc-only

CPU is seconds of all server processes (user and system) per 1,000 operations; for watches per 1,000 events delivered.
It is the steadier figure, because the client shares the machine with the server.
`;

class BenchUsageError extends Error {}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new BenchUsageError(`--${name} takes a whole number above 0, not ${text}`);
  return value;
}

function partsOf(values: Readonly<Record<string, unknown>>): ReadonlySet<BenchPart> {
  const only = partNames.filter((name) => values[`${name}-only`]);
  return new Set(only.length > 0 ? only : partNames.filter((name) => name !== 'comparison' && !values[`no-${name}`]));
}

/** Reads the command line. Answers undefined when help is asked for; throws an error with one clear sentence for a bad one. */
export function readOptions(argv: readonly string[]): BenchOptions | undefined {
  const {values} = parseArgs({
    args: [...argv],
    options: {
      store: {type: 'string', default: subjectNames.filter((name) => name !== 'kube-apiserver').join(',')},
      'kube-apiserver': {type: 'string'},
      etcd: {type: 'string', default: 'etcd'},
      turns: {type: 'string'},
      'comparison-only': {type: 'boolean', default: false},
      pages: {type: 'string', default: ''},
      rows: {type: 'string', default: ''},
      profile: {type: 'boolean', default: false},
      quick: {type: 'boolean', default: false},
      objects: {type: 'string', default: '5000'},
      watchers: {type: 'string', default: '200'},
      concurrency: {type: 'string', default: '16'},
      definitions: {type: 'string', default: '1000'},
      'definitions-only': {type: 'boolean', default: false},
      'no-fairness': {type: 'boolean', default: false},
      'fairness-only': {type: 'boolean', default: false},
      'no-bounds': {type: 'boolean', default: false},
      'bounds-only': {type: 'boolean', default: false},
      'no-admission': {type: 'boolean', default: false},
      'admission-only': {type: 'boolean', default: false},
      'no-audit': {type: 'boolean', default: false},
      'audit-only': {type: 'boolean', default: false},
      'no-hooks': {type: 'boolean', default: false},
      'hooks-only': {type: 'boolean', default: false},
      'no-http2': {type: 'boolean', default: false},
      'http2-only': {type: 'boolean', default: false},
      'no-releases': {type: 'boolean', default: false},
      'releases-only': {type: 'boolean', default: false},
      'other-program': {type: 'string'},
      'no-scrape': {type: 'boolean', default: false},
      'scrape-only': {type: 'boolean', default: false},
      'no-gc': {type: 'boolean', default: false},
      'gc-only': {type: 'boolean', default: false},
      dependents: {type: 'string', default: '50000'},
      'no-controllers': {type: 'boolean', default: false},
      'controllers-only': {type: 'boolean', default: false},
      'no-idle': {type: 'boolean', default: false},
      'idle-only': {type: 'boolean', default: false},
      'no-workers': {type: 'boolean', default: false},
      'workers-only': {type: 'boolean', default: false},
      'no-start': {type: 'boolean', default: false},
      'start-only': {type: 'boolean', default: false},
      'no-cluster': {type: 'boolean', default: false},
      'cluster-only': {type: 'boolean', default: false},
      'redis-fsync': {type: 'string', default: 'always'},
      json: {type: 'string', default: 'bench-results/latest.json'},
      help: {type: 'boolean', default: false},
    },
  });
  if (values.help) return undefined;
  const named = values.store.split(',').map((name) => name.trim());
  const stores = subjectNames.filter((name) => name !== 'kube-apiserver');
  const unknown = named.filter((name) => !stores.some((known) => known === name));
  if (unknown.length > 0) throw new BenchUsageError(`--store does not know ${unknown.join(', ')}: ${stores.join(', ')}`);
  const kubeApiserver = values['kube-apiserver'];
  if (kubeApiserver !== undefined && !existsSync(kubeApiserver))
    throw new BenchUsageError(`--kube-apiserver: there is no ${kubeApiserver}`);
  const otherProgram = values['other-program'];
  if (otherProgram !== undefined && !existsSync(otherProgram)) throw new BenchUsageError(`--other-program: there is no ${otherProgram}`);
  const fsync = values['redis-fsync'];
  if (fsync !== 'always' && fsync !== 'everysec') throw new BenchUsageError(`--redis-fsync takes always or everysec, not ${fsync}`);
  return {
    subjects: subjectNames.filter(
      (name) => name === 'floor' || named.includes(name) || (name === 'kube-apiserver' && kubeApiserver !== undefined),
    ),
    peer: kubeApiserver === undefined ? undefined : {kubeApiserver, etcd: values.etcd},
    otherProgram,
    turns: wholeNumber('turns', values.turns ?? (values['comparison-only'] ? '5' : '1')),
    rows: values.rows
      .split(';')
      .map((name) => name.trim())
      .filter(Boolean),
    profile: values.profile,
    pages: values.pages.split(',').filter(Boolean),
    quick: values.quick,
    json: values.json,
    objects: wholeNumber('objects', values.objects),
    watchers: wholeNumber('watchers', values.watchers),
    concurrency: wholeNumber('concurrency', values.concurrency),
    definitions: values.definitions === '0' ? 0 : Math.round(wholeNumber('definitions', values.definitions) * (values.quick ? 0.2 : 1)),
    dependents: Math.round(wholeNumber('dependents', values.dependents) * (values.quick ? 0.2 : 1)),
    parts: partsOf(values),
    starts: values.quick ? 2 : 5,
    maxSeconds: values.quick ? 4 : 12,
    redisFsync: fsync,
  };
}
