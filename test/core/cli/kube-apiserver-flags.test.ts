import test from 'ava';
import {helpText} from '../../../core/cli/kube-apiserver/flag-text.js';
import {kubeApiserverFlags} from '../../../core/cli/kube-apiserver/flag-table.js';
import {readKubeApiserverFlags} from '../../../core/cli/kube-apiserver/read-flags.js';
import {allPluginFlags, readPlugins} from '../../../core/cli/server-arguments.js';
import {coreFlags} from '../../../core/options/flags/server-flags.js';
import {limitFlags} from '../../../core/options/flags/limit-flags.js';

test('every flag of kube-apiserver that is said to do the same is a flag of Orch, with as many values', async (t) => {
  const {catalogue} = await readPlugins([], {out: {write: () => true}, err: {write: () => true}, cwd: process.cwd()});
  const own = new Map([...coreFlags, ...limitFlags, ...allPluginFlags(catalogue)].map((flag) => [flag.name, flag]));
  for (const {name, type, support} of kubeApiserverFlags) {
    if (support !== 'same') continue;
    t.truthy(own.get(name), name);
    t.is(own.get(name)?.type === 'boolean', type === 'bool', name);
  }
});

test('every flag is in the table once, says what becomes of it, and is in the help', (t) => {
  const names = kubeApiserverFlags.map(({name}) => name);
  t.deepEqual(names, [...new Set(names)].toSorted());
  const help = helpText();
  for (const {name, text} of kubeApiserverFlags) {
    t.regex(help, new RegExp(name === 'v' ? '-v, --v ' : `^ {6}--${name}\\b`, 'm'));
    t.not(text, '');
  }
});

test('arguments are read as kube-apiserver reads them', (t) => {
  const read = (...args: string[]) => readKubeApiserverFlags(args, '/here');
  t.deepEqual(read('--secure_port', '1', '--anonymous-auth', '--token-auth-file=tokens.csv', '-v5').args, [
    '--secure-port=1',
    '--anonymous-auth=true',
    '--token-auth-file=/here/tokens.csv',
    '--log-format=text',
    '--log-level=debug',
  ]);
  t.deepEqual(read('--logging-format=json', '--v', '6').args, ['--log-format=json', '--log-level=trace']);
  t.deepEqual(read('--audit-webhook-batch-initial-backoff=3s').args.slice(0, 1), ['--audit-webhook-initial-backoff=3s']);
  for (const [argument, release] of [
    ['--release=1.30', '1.30'],
    ['--emulated-version=1.31', '1.31'],
    ['--emulated-version=wardle=1.2,kube=1.32', '1.32'],
  ] as const)
    t.deepEqual(read(argument, '--v=0').args.slice(0, 1), [`--release=${release}`]);
  t.is(read('--emulated-version=kube=1.31', '--release=1.34').release, '1.31', 'what a suite asks for counts');
  t.deepEqual(read('--emulated-version=wardle=1.2').release, undefined);
  t.deepEqual(read('--etcd-servers=http://a,http://b', '--etcd-prefix=/x').etcdServers, ['http://a', 'http://b']);
  t.true(read('--version').showVersion);
  t.false(read('--version=false').showVersion);
  t.throws(() => read('--secure-port'), {message: 'flag needs an argument: --secure-port'});
  t.throws(() => read('serve'), {message: /takes flags only/});
  t.throws(() => read('--no-anonymous-auth'), {message: /unknown flag/});
});
