import {once} from 'node:events';
import {createServer as createHttpServer} from 'node:http';
import {createServer, request} from 'node:https';
import type {AddressInfo} from 'node:net';
import {networkInterfaces} from 'node:os';
import test from 'ava';
import {Kubelet} from '../../../../plugins/resources/core-pods/kubelet.js';
import type {NamingProfile, ResourceClient, ResourceRef, ServerEndpoint} from '@orch-api/orch/sdk';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {userClient} from '../../../helpers/user-client.js';

interface Message {
  message: string;
}

const path = '/api/v1/namespaces/default/pods';
let server: TestServer;
/** What the agent of the machine was asked. */
const asked: string[] = [];
let agentPort = 0;
/** Another server on this machine, which is none of a node's. */
let neighbour: ReturnType<typeof createHttpServer> | undefined;
let neighbourPort = 0;
const neighbourAsked: string[] = [];

test.before(async () => {
  // The agent of the machine is on loopback.
  server = await startTestServer({configuration: {plugins: {'core-pods': {config: {proxyToLoopback: true}}}}});
  // The administrator's certificate will do for an agent: without a CA in the settings nobody looks at it.
  const [cert, key] = await Promise.all([readServerFile(server, 'pki', 'admin.crt'), readServerFile(server, 'pki', 'admin.key')]);
  const agent = createServer({cert, key}, (incoming, response) => {
    asked.push(incoming.url ?? '');
    response.end('one line\n');
  });
  agent.on('upgrade', (incoming, socket) => {
    asked.push(incoming.url ?? '');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${incoming.headers.upgrade ?? ''}\r\n\r\nready;`);
    socket.pipe(socket);
  });
  agent.listen(0, '127.0.0.1');
  await once(agent, 'listening');
  stopAgent = () => {
    agent.close();
    neighbour?.close();
  };
  agentPort = (agent.address() as AddressInfo).port;
  neighbour = createHttpServer((incoming, response) => {
    if (incoming.url !== '/open') neighbourAsked.push(incoming.url ?? '');
    response.end(`${incoming.headers.host} ${incoming.url}`);
  });
  neighbour.listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  neighbourPort = (neighbour.address() as AddressInfo).port;
  await server.client.post('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: 'n1'},
    status: {addresses: [{type: 'InternalIP', address: '127.0.0.1'}], daemonEndpoints: {kubeletEndpoint: {Port: agentPort}}},
  });
  await server.client.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'dark'}});
});

let stopAgent = () => {};
test.after.always(async () => {
  stopAgent();
  await server.stop();
});

async function podOn(node: string, name: string, containers = ['main']): Promise<void> {
  const spec = {containers: containers.map((container) => ({name: container, image: 'i'})), ...(node ? {nodeName: node} : {})};
  const made = await server.client.post(path, {apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec});
  if (made.status !== 201) throw new Error(made.body.toString());
}

/** Asks for an upgrade; answers the protocol that was agreed on and what comes back for what was sent, or the refusal. */
async function upgrade(target: string, send: string, to = server): Promise<{status: number; protocol?: string | undefined; text: string}> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((file) => readServerFile(to, 'pki', file)));
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(target, to.url), {
      method: 'POST',
      ca,
      cert,
      key,
      headers: {connection: 'Upgrade', upgrade: 'SPDY/3.1'},
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      void response.toArray().then((chunks) => resolve({status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString()}));
    });
    outgoing.on('upgrade', (response, socket, head) => {
      let text = head.toString();
      const finish = () => {
        if (!text.endsWith(send)) return;
        socket.destroy();
        resolve({status: 101, protocol: response.headers.upgrade, text});
      };
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        finish();
      });
      socket.write(send);
    });
    outgoing.end();
  });
}

test('the log of a container is what the agent of its machine tells', async (t) => {
  await podOn('n1', 'logging');
  const response = await server.client.get(`${path}/logging/log?tailLines=5&timestamps=true&follow=false&other=x`);
  t.is(response.status, 200);
  t.is(response.body.toString(), 'one line\n');
  t.true(asked.includes('/containerLogs/default/logging/main?tailLines=5&timestamps=true'));
});

test('the container of a log must be named where there are several, and be there', async (t) => {
  await podOn('n1', 'several', ['a', 'b']);
  const message = async (query: string) => (await server.client.get(`${path}/several/log${query}`)).json<Message>().message;
  t.is(await message(''), 'a container name must be specified for pod several, choose one of: [a b]');
  t.is(await message('?container=c'), 'container c is not valid for pod several');
  t.is((await server.client.get(`${path}/several/log?container=b`)).status, 200);
  const bad = await server.client.get(`${path}/several/log?container=b&tailLines=-1&limitBytes=0&sinceSeconds=0`);
  t.is(bad.status, 422);
  t.deepEqual(
    bad.json<{details: {causes: {field: string}[]}}>().details.causes.map(({field}) => field),
    ['tailLines', 'limitBytes', 'sinceSeconds'],
  );
});

test('the log of a pod that runs nowhere is empty; on a machine that cannot be reached there is none', async (t) => {
  await podOn('', 'nowhere');
  await podOn('dark', 'in-the-dark');
  await podOn('gone', 'on-a-gone-node');
  const answers = await Promise.all(
    ['nowhere', 'in-the-dark', 'on-a-gone-node', 'no-pod'].map((name) => server.client.get(`${path}/${name}/log`)),
  );
  t.deepEqual(
    answers.map(({status}) => status),
    [204, 503, 404, 404],
  );
  t.is((await server.client.get(`${path}/nowhere/log?container=none`)).status, 400);
  t.is(answers[1]!.json<Message>().message, 'no preferred addresses found; known addresses: []');
});

test('exec, attach and portforward hand the connection on to the agent', async (t) => {
  await podOn('n1', 'shell');
  const exec = await upgrade(`${path}/shell/exec?command=ls&command=-l&stdin=true&stdout=1&tty=false&container=main`, 'hello');
  t.deepEqual(exec, {status: 101, protocol: 'SPDY/3.1', text: 'ready;hello'});
  t.true(asked.includes('/exec/default/shell/main?input=1&output=1&command=ls&command=-l'));
  t.is((await upgrade(`${path}/shell/attach?stdin=true`, 'x')).text, 'ready;x');
  t.true(asked.includes('/attach/default/shell/main?input=1'));
  t.is((await upgrade(`${path}/shell/portforward?ports=80`, 'y')).text, 'ready;y');
  t.true(asked.includes('/portForward/default/shell?port=80'));
});

test('a stream that cannot be is refused as any request is', async (t) => {
  await podOn('', 'unscheduled');
  const refused = await upgrade(`${path}/unscheduled/exec?command=ls`, '');
  t.is(refused.status, 400);
  t.is((JSON.parse(refused.text) as Message).message, 'pod unscheduled does not have a host assigned');
  t.is((await upgrade(`${path}/none/exec?command=ls`, '')).status, 404);
  const plain = await server.client.post(`${path}/unscheduled/exec?command=ls`, undefined);
  t.is(plain.status, 400);
  t.is(plain.json<Message>().message, 'pod unscheduled does not have a host assigned');
});

test('[A-SVC-19] a proxy path names a resource: without a name nothing is proxied', async (t) => {
  const paths = [
    '/api/v1/nodes/proxy',
    '/api/v1/nodes/proxy/unnamed',
    '/api/v1/namespaces/default/pods/proxy/unnamed',
    '/api/v1/namespaces/default/services/proxy/unnamed',
    '/api/v1/proxy/nodes',
  ];
  const answers = await Promise.all(paths.map((target) => server.client.get(target)));
  t.deepEqual(
    answers.map(({status}) => status),
    [404, 404, 404, 404, 404],
  );
  t.deepEqual(
    asked.filter((url) => url.includes('unnamed')),
    [],
  );
  t.is((await server.client.get('/api/v1/nodes/n1/proxy/named')).body.toString(), 'one line\n');
});

test('a node is proxied to its agent, and to other ports without a certificate', async (t) => {
  const response = await server.client.get('/api/v1/nodes/n1/proxy/metrics?x=1');
  t.is(response.body.toString(), 'one line\n');
  t.true(asked.includes('/metrics?x=1'));
  t.is((await server.client.get(`/api/v1/nodes/n1:${agentPort}/proxy/`)).status, 200);
  t.is((await server.client.get('/api/v1/nodes/dark/proxy/')).status, 503);
  t.is((await server.client.get('/api/v1/nodes/none/proxy/')).status, 404);
  t.is((await server.client.get('/api/v1/nodes/n1:0x50/proxy/')).status, 400);
  const status = {addresses: [{type: 'Hostname', address: 'localhost'}]};
  await server.client.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'here'}, status});
  const open = await server.client.get(`/api/v1/nodes/here:${neighbourPort}/proxy/open`);
  t.is(open.body.toString(), `localhost:${neighbourPort} /open`);
});

test('nothing is asked of a node at an address of this machine, its agent neither, unless that is allowed', async (t) => {
  const strict = await startTestServer();
  t.teardown(() => strict.stop());
  for (const [kind, address] of [
    ['plain', '127.0.0.1'],
    ['by-name', 'localhost'],
    ['octal', '0127.0.0.1'],
    ['short', '127.1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['metadata', '169.254.169.254'],
    ['own', '127.0.0.1'],
  ] as const) {
    const name = `strict-${kind}`;
    const port = kind === 'own' ? Number(new URL(strict.url).port) : agentPort;
    const status = {addresses: [{type: 'InternalIP', address}], daemonEndpoints: {kubeletEndpoint: {Port: port}}};
    t.is((await strict.client.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name}, status})).status, 201);
    const spec = {containers: [{name: 'main', image: 'i'}], nodeName: name};
    t.is((await strict.client.post(path, {apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec})).status, 201);
    for (const target of [
      `/api/v1/nodes/${name}/proxy/strict`,
      `/api/v1/nodes/${name}:${neighbourPort}/proxy/strict`,
      `${path}/${name}/log`,
    ]) {
      const refused = await strict.client.get(target);
      t.is(refused.status, 400, target);
      t.regex(refused.json<Message>().message, /^address not allowed/);
    }
    for (const stream of ['exec?command=ls', 'attach', 'portforward?ports=80']) {
      const refused = await upgrade(`${path}/${name}/${stream}`, '', strict);
      t.is(refused.status, 400, `${name} ${stream}`);
      t.regex((JSON.parse(refused.text) as Message).message, /^address not allowed/);
    }
  }
  // Other tests ask it at the same time.
  t.deepEqual(
    asked.filter((url) => url.includes('strict')),
    [],
  );
  t.deepEqual(neighbourAsked, []);
});

test('an API server is never taken for the agent of a node, wherever the node says that it is', async (t) => {
  const own = Number(new URL(server.url).port);
  const addresses = [
    '127.0.0.1',
    'localhost',
    ...Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({address}) => address)),
  ];
  for (const [index, address] of addresses.entries()) {
    const name = `own-${index}`;
    const status = {addresses: [{type: 'InternalIP', address}], daemonEndpoints: {kubeletEndpoint: {Port: own}}};
    t.is((await server.client.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name}, status})).status, 201);
    const refused = await server.client.get(`/api/v1/nodes/${name}/proxy/api/v1/namespaces/kube-system/secrets`);
    t.is(refused.status, 400, address);
    t.regex(refused.json<Message>().message, /^address not allowed: an API server listens on/);
  }
});

test('nor is another API server of the store, which has told where it is', async (t) => {
  const objects: Record<string, object> = {
    nodes: {status: {addresses: [{type: 'InternalIP', address: '10.9.8.7'}], daemonEndpoints: {kubeletEndpoint: {Port: 6443}}}},
    endpoints: {subsets: [{addresses: [{ip: '10.9.8.6'}, {ip: '10.9.8.7'}], ports: [{port: 6443}]}]},
  };
  const kubelet = new Kubelet({
    agents: {add: () => Promise.resolve(() => undefined), find: () => undefined},
    resources: {get: async ({resource}: ResourceRef) => objects[resource]} as unknown as ResourceClient,
    naming: {name: 'orch'} as NamingProfile,
    endpoint: {address: '10.9.8.6', port: 6443} as ServerEndpoint,
    settings: {
      allowPrivileged: true,
      proxyToLoopback: false,
      kubeletPreferredAddressTypes: ['InternalIP'],
      kubeletCertificateAuthority: '',
      kubeletClientCertificate: '',
      kubeletClientKey: '',
    },
  });
  await t.throwsAsync(kubelet.backend('n', '/'), {message: /^address not allowed: an API server listens on port 6443 of 10\.9\.8\.7/});
  objects['endpoints'] = {subsets: [{addresses: [{ip: '10.9.8.6'}], ports: [{port: 6443}]}]};
  t.is((await kubelet.backend('n', '/')).host, '10.9.8.7');
});

test('what stands before the path in the target of a request does not move the path that is handed on', async (t) => {
  const {port} = new URL(server.url);
  const client = await userClient(t, server, 'admin', ['system:masters']);
  const response = await client.get(`https://other.example.com:${port}/api/v1/nodes/n1/proxy/deep/path?x=1`);
  t.is(response.status, 200);
  t.true(asked.includes('/deep/path?x=1'), String(asked.at(-1)));
});
