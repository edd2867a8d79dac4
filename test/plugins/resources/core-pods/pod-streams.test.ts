import {once} from 'node:events';
import {createServer as createHttpServer} from 'node:http';
import {createServer, request} from 'node:https';
import type {AddressInfo} from 'node:net';
import test from 'ava';
import {readServerFile, startTestServer, type TestServer} from '../../../../sdk/testing/index.js';
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
  server = await startTestServer();
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
async function upgrade(target: string, send: string): Promise<{status: number; protocol?: string | undefined; text: string}> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((file) => readServerFile(server, 'pki', file)));
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(target, server.url), {
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
  const bad = await server.client.get(`${path}/several/log?container=b&tailLines=-1&limitBytes=0&sinceSeconds=x`);
  t.is(bad.status, 422);
  t.deepEqual(
    bad.json<{details: {causes: {field: string}[]}}>().details.causes.map(({field}) => field),
    ['tailLines', 'limitBytes', 'sinceSeconds'],
  );
});

test('[USE-18] the log of a pod that runs nowhere is empty; on a machine that cannot be reached there is none', async (t) => {
  await podOn('', 'nowhere');
  await podOn('dark', 'in-the-dark');
  await podOn('gone', 'on-a-gone-node');
  const answers = await Promise.all(
    ['nowhere', 'in-the-dark', 'on-a-gone-node', 'no-pod'].map((name) => server.client.get(`${path}/${name}/log`)),
  );
  t.deepEqual(
    answers.map(({status}) => status),
    [200, 503, 404, 404],
  );
  t.deepEqual([answers[0]!.body.toString(), answers[0]!.headers['content-type']], ['', 'text/plain']);
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
  t.is(plain.json<Message>().message, 'Upgrade request required');
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

test('[SEC-8] a node is proxied to its agent; other ports only where the node is another machine', async (t) => {
  const response = await server.client.get('/api/v1/nodes/n1/proxy/metrics?x=1');
  t.is(response.body.toString(), 'one line\n');
  t.true(asked.includes('/metrics?x=1'));
  t.is((await server.client.get(`/api/v1/nodes/n1:${agentPort}/proxy/`)).status, 200);
  t.is((await server.client.get('/api/v1/nodes/dark/proxy/')).status, 503);
  t.is((await server.client.get('/api/v1/nodes/none/proxy/')).status, 404);
  for (const [name, address] of [
    ['by-name', 'localhost'],
    ['octal', '0127.0.0.1'],
    ['short', '127.1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['metadata', '169.254.169.254'],
  ]) {
    const body = {apiVersion: 'v1', kind: 'Node', metadata: {name}, status: {addresses: [{type: 'InternalIP', address}]}};
    t.is((await server.client.post('/api/v1/nodes', body)).status, 201);
    const refused = await server.client.get(`/api/v1/nodes/${name}:${neighbourPort}/proxy/`);
    t.is(refused.status, 400, name);
    t.regex(refused.json<Message>().message, /^address not allowed/);
  }
  t.is((await server.client.get(`/api/v1/nodes/n1:${neighbourPort}/proxy/`)).status, 400);
  t.is((await server.client.get('/api/v1/nodes/n1:0x50/proxy/')).status, 400);
  t.deepEqual(neighbourAsked, []);
});

test('a node on this machine is reached on other ports where that is allowed', async (t) => {
  const open = await startTestServer({configuration: {plugins: {'core-pods': {config: {proxyToLoopback: true}}}}});
  t.teardown(() => open.stop());
  const status = {addresses: [{type: 'Hostname', address: 'localhost'}]};
  await open.client.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'here'}, status});
  const response = await open.client.get(`/api/v1/nodes/here:${neighbourPort}/proxy/open`);
  t.is(response.body.toString(), `localhost:${neighbourPort} /open`);
});

test('[SEC-8] what stands before the path in the target of a request does not move the path that is handed on', async (t) => {
  const {port} = new URL(server.url);
  const client = await userClient(t, server, 'admin', ['system:masters']);
  const response = await client.get(`https://other.example.com:${port}/api/v1/nodes/n1/proxy/deep/path?x=1`);
  t.is(response.status, 200);
  t.true(asked.includes('/deep/path?x=1'), String(asked.at(-1)));
});
