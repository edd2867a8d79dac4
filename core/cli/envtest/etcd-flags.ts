import {UsageError} from '../usage-error.js';

/** A command line of etcd, as far as it has an effect here. */
export interface EtcdArguments {
  /** Undefined: a temporary folder. */
  readonly dataDir: string | undefined;
  readonly listenClientUrls: readonly URL[];
  readonly sync: boolean;
  /** Names of flags that were accepted without effect. */
  readonly withoutEffect: readonly string[];
}

const texts = {
  'data-dir': 'Folder of the data; a temporary one, removed at the end, without it.',
  'listen-client-urls': 'URLs to listen on (default http://127.0.0.1:2379).',
  'unsafe-no-fsync': 'Whether answered writes may be lost when the machine crashes.',
} as const;
/** There is one member, and its clients are API servers of Orch. */
const switchesWithoutEffect = ['enable-pprof', 'enable-v2', 'force-new-cluster', 'pre-vote', 'strict-reconfig-check'];
const valuesWithoutEffect = [
  'advertise-client-urls',
  'auto-compaction-mode',
  'auto-compaction-retention',
  'election-timeout',
  'heartbeat-interval',
  'initial-advertise-peer-urls',
  'initial-cluster',
  'initial-cluster-state',
  'initial-cluster-token',
  'listen-metrics-urls',
  'listen-peer-urls',
  'log-level',
  'log-outputs',
  'logger',
  'max-request-bytes',
  'max-txn-ops',
  'metrics',
  'name',
  'quota-backend-bytes',
  'snapshot-count',
  'wal-dir',
];
const booleans = new Set(['unsafe-no-fsync', ...switchesWithoutEffect]);

/** Help in etcd's form: a flag on each line, after blanks. */
export function etcdHelp(): string {
  const line = (name: string, text: string) => `  --${name}${booleans.has(name) ? '' : " ''"}\n    ${text}`;
  return [
    'Usage:',
    '',
    '  etcd [flags]',
    "    Holds the data of Orch's kube-apiserver (orch envtest). It is no etcd: clients get /health and /version only.",
    '',
    'Flags:',
    ...Object.entries(texts).map(([name, text]) => line(name, text)),
    ...[...switchesWithoutEffect, ...valuesWithoutEffect].toSorted().map((name) => line(name, 'Accepted without effect.')),
    '',
  ].join('\n');
}

/** @throws UsageError */
export function readEtcdFlags(args: readonly string[]): EtcdArguments {
  const values = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const match = /^--?([a-z][\w-]*)(?:=(.*))?$/s.exec(args[index]!);
    const name = match?.[1] ?? '';
    if (!(name in texts) && !switchesWithoutEffect.includes(name) && !valuesWithoutEffect.includes(name)) {
      throw new UsageError(`flag provided but not defined: ${args[index]} (see: etcd --help)`);
    }
    const value = match?.[2] ?? (booleans.has(name) ? 'true' : args[++index]);
    if (value === undefined) throw new UsageError(`flag needs an argument: --${name}`);
    if (booleans.has(name) && value !== 'true' && value !== 'false')
      throw new UsageError(`--${name} must be true or false, not ${JSON.stringify(value)}`);
    values.set(name, value);
  }
  const dataDir = values.get('data-dir');
  return {
    dataDir: dataDir === '' ? undefined : dataDir,
    listenClientUrls: (values.get('listen-client-urls') ?? 'http://127.0.0.1:2379').split(',').map(clientUrl),
    sync: values.get('unsafe-no-fsync') !== 'true',
    withoutEffect: [...values.keys()].filter((name) => !(name in texts)),
  };
}

function clientUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:')
    throw new UsageError(`--listen-client-urls must be URLs such as http://127.0.0.1:2379, and ${JSON.stringify(text)} is none`);
  return url;
}
