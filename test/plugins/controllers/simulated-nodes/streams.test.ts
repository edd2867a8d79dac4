import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {testOnCluster} from './cluster.js';

const clusterTest = testOnCluster(1);

const logs = (name: string, query = '') => `/api/v1/namespaces/default/pods/${name}/log${query}`;

clusterTest('the log of a simulated container is what is said of it, else a line about its start', async (t, cluster) => {
  await cluster.pod('plain');
  await cluster.pod('wordy', {log: 'one\ntwo\nthree'});
  await cluster.pod('waiting', {pull: '1h'});
  await cluster.server.settled();
  const read = async (path: string) => (await cluster.server.client.get(path)).body.toString();
  t.is(await read(logs('plain')), 'simulated container main of pod default/plain has started with image registry.example.com/app:1\n');
  t.is(await read(logs('wordy')), 'one\ntwo\nthree\n');
  t.is(await read(logs('wordy', '?tailLines=1')), 'three\n');
  t.is(await read(logs('wordy', '?limitBytes=5')), 'one\nt');
  t.regex(await read(logs('wordy', '?timestamps=true')), /^(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{9}Z (one|two|three)\n){3}$/);
  const early = await cluster.server.client.get(logs('waiting'));
  t.is(early.status, 400);
  t.like(early.json(), {message: 'container "main" in pod "waiting" is waiting to start: ContainerCreating'});
  const none = await cluster.server.client.get(logs('plain', '?previous=true'));
  t.like(none.json(), {message: 'previous terminated container "main" in pod "plain" not found'});
});

// Older ones know SPDY only for exec and attach.
const binary = findKubectls().find(({minor}) => minor === undefined || minor >= 31);
const kubectlTest: typeof clusterTest = (title, run) => (binary ? clusterTest(title, run) : test.skip(title, () => undefined));

kubectlTest('kubectl follows a log until its container ends', async (t, cluster) => {
  const kubectl = kubectlFor(t, binary!, cluster.server.kubeconfig);
  await cluster.pod('ending', {log: 'begun', after: '60s'}, {restartPolicy: 'Never'});
  await cluster.server.settled();
  const following = kubectl.start(['logs', '--follow', 'ending']);
  await following.until(/begun/);
  const closed = once(following.child, 'close');
  await cluster.server.advance(61_000);
  await closed;
  t.is(following.output(), 'begun\n');
  t.is(following.child.exitCode, 0);
});

kubectlTest('exec and attach answer what is said of the container, with its code', async (t, cluster) => {
  const kubectl = kubectlFor(t, binary!, cluster.server.kubeconfig);
  await cluster.pod('shell', {'exec-output': 'hello', 'exec-code': '7', log: 'begun', after: '60s'}, {restartPolicy: 'Never'});
  await cluster.server.settled();
  const failed = await kubectl.run(['exec', 'shell', '--', 'ls', '-l']);
  t.is(failed.code, 7, failed.stderr);
  t.is(failed.stdout, 'hello\n');
  const passed = await kubectl.run(['exec', 'plain', '--', 'ls', '-l']);
  t.is(passed.code, 0, passed.stderr);
  t.regex(passed.stderr, /pod default\/plain is simulated: "ls -l" was not run/);
  const attached = kubectl.start(['attach', 'shell']);
  await attached.until(/begun/);
  const closed = once(attached.child, 'close');
  await cluster.server.advance(61_000);
  await closed;
  t.is(attached.child.exitCode, 0);
});

/** With these, newer clients speak SPDY, as older ones do anyway. */
const withoutWebSockets = {KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false', KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false'};
const protocols = {WebSockets: {}, SPDY: withoutWebSockets};
const clients = findKubectls().flatMap((each) => Object.entries(protocols).map(([protocol, variables]) => ({each, protocol, variables})));

for (const {each, protocol, variables} of clients) {
  const client = `${each.minor === undefined ? 'kubectl' : `kubectl 1.${each.minor}`} with ${protocol}`;
  const suffix = `${each.minor ?? 0}-${protocol.toLowerCase()}`;

  clusterTest(`${client} forwards ports to a simulated pod, which answers what is said of it`, async (t, cluster) => {
    const kubectl = kubectlFor(t, each, cluster.server.kubeconfig, variables);
    const name = `ports-${suffix}`;
    await cluster.pod(name);
    await cluster.pod(`${name}-said`, {serve: 'welcome'});
    await cluster.server.settled();
    const forwarded = async (pod: string) => {
      const forwarding = kubectl.start(['port-forward', `pod/${pod}`, ':80']);
      const [, port] = await forwarding.until(/Forwarding from 127\.0\.0\.1:(\d+) -> 80/);
      const ask = async () => (await fetch(`http://127.0.0.1:${port}/page`)).text();
      // One connection after the other, over one to the server.
      const answers = [await ask(), await ask()];
      forwarding.child.kill();
      return answers;
    };
    const nothing = `pod default/${name} is simulated: nothing listens on its port 80\n`;
    t.deepEqual(await forwarded(name), [nothing, nothing]);
    t.deepEqual(await forwarded(`${name}-said`), ['welcome\n', 'welcome\n']);
  });

  clusterTest(`${client} runs a command in a simulated pod and attaches to it`, async (t, cluster) => {
    const kubectl = kubectlFor(t, each, cluster.server.kubeconfig, variables);
    const name = `command-${suffix}`;
    await cluster.pod(name, {'exec-output': 'hello', 'exec-code': '3', log: 'begun', after: '60s'}, {restartPolicy: 'Never'});
    await cluster.server.settled();
    const {code, stdout, stderr} = await kubectl.run(['exec', name, '--', 'ls']);
    t.deepEqual([code, stdout], [3, 'hello\n'], stderr);
    const withInput = await kubectl.run(['exec', '--stdin', name, '--', 'cat'], {input: 'something'});
    t.deepEqual([withInput.code, withInput.stdout], [3, 'hello\n']);
    const attached = kubectl.start(['attach', name]);
    await attached.until(/begun/);
    const closed = once(attached.child, 'close');
    await cluster.server.advance(61_000);
    await closed;
    t.is(attached.child.exitCode, 0);
  });

  clusterTest(`${client} copies a file from a simulated pod, and to one`, async (t, cluster) => {
    const kubectl = kubectlFor(t, each, cluster.server.kubeconfig, variables);
    const name = `copies-${suffix}`;
    await cluster.pod(name, {'exec-output': archive('notes.txt', 'from the pod\n')});
    await cluster.server.settled();
    const file = join(tempFolder(t), 'notes.txt');
    await kubectl.ok(['cp', `${name}:notes.txt`, file]);
    t.is(readFileSync(file, 'utf8'), 'from the pod\n');
    await kubectl.ok(['cp', file, `${name}:/notes.txt`]);
  });
}

/** What `tar` writes of one file. */
function archive(name: string, text: string): string {
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const head = [name.padEnd(100, '\0'), octal(0o644, 8), octal(0, 8), octal(0, 8), octal(text.length, 12), octal(0, 12)].join('');
  const rest = `${'0'}${'\0'.repeat(100)}ustar\x0000`.padEnd(512 - 156, '\0');
  const sum = [...`${head}${' '.repeat(8)}${rest}`].reduce((total, character) => total + character.charCodeAt(0), 0);
  return `${head}${octal(sum, 7)} ${rest}${text.padEnd(512, '\0')}${'\0'.repeat(1024)}`;
}
