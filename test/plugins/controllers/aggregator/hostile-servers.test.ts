import {once} from 'node:events';
import type {IncomingHttpHeaders, IncomingMessage, ServerResponse} from 'node:http';
import {request} from 'node:https';
import type {Duplex} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {eventually, until} from '../../../helpers/eventually.js';
import {connectTo} from '../../../helpers/server-connection.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {userClient, userCredentials} from '../../../helpers/user-client.js';
import {leafWithoutKeyIdentifier, makeAuthority} from '../../../helpers/test-certificates.js';
import {webhookService, type WebhookService, type WebhookServiceOptions} from '../../../helpers/webhook-service.js';
import {availability, createApiService, startFrontServer, writeEndpoints, writeExternalService, type FrontServer} from './front-server.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ends: (() => unknown)[] = [];
const whole = {teardown: (end: () => unknown) => void ends.unshift(end)};
let front: FrontServer;
let services = 0;

test.before(async () => {
  front = await startFrontServer(whole);
});

test.after.always(async () => {
  for (const end of ends) await end();
});

const send = (response: ServerResponse, status: number, headers: Record<string, string>, body: string) => {
  response.writeHead(status, headers);
  response.end(body);
};
const json = (response: ServerResponse, value: unknown, status = 200) =>
  send(response, status, {'content-type': 'application/json'}, JSON.stringify(value));

/** What a server answers that serves a group version and nothing else. */
const modest: Answer = ({url = ''}, response) => {
  const [, , group, version, plural] = url.split(/[/?]/);
  if (plural !== undefined) return json(response, {kind: 'ThingList', apiVersion: `${group}/${version}`, metadata: {}, items: []});
  if (group !== undefined) return json(response, {kind: 'APIResourceList', groupVersion: `${group}/${version}`, resources: [thing]});
  json(response, {kind: 'Status'}, 404);
};
const thing = {name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list']};

interface Extension {
  readonly group: string;
  readonly service: WebhookService;
}

/** A server of the test's own for a group of its own, at a name outside. */
async function extension(answer: Answer, spec: object = {}, options: WebhookServiceOptions = {}): Promise<Extension> {
  const name = `hostile-${++services}`;
  const group = `${name}.example.com`;
  const service = await webhookService(whole, (_body, response, request) => answer(request, response), {
    ...options,
    names: [`${name}.default.svc`],
  });
  await writeExternalService(front.server, name);
  const reference = {service: {name, namespace: 'default', port: service.port}};
  await createApiService(front.server, {group, service: name, ca: service.ca, spec: {...reference, ...spec}});
  return {group, service};
}

async function removed({group}: Extension): Promise<void> {
  await front.server.client.delete(`/apis/apiregistration.orch/v1/apiservices/v1.${group}`);
}

interface Aggregated {
  items: {metadata: {name: string}; versions: {freshness: string; resources: {resource: string}[]}[]}[];
}

async function discovered(group: string) {
  const accept = 'application/json;g=apidiscovery.orch;v=v2beta1;as=APIGroupDiscoveryList';
  const {items} = (await front.server.client.get('/apis', {headers: {accept}})).json<Aggregated>();
  return items.find(({metadata}) => metadata.name === group)?.versions[0];
}

test.serial('a server with the oldest form of discovery and without OpenAPI is served', async (t) => {
  const own = await extension(modest);
  await availability(front.server, `v1.${own.group}`, 'Passed');
  const version = await until('it is discovered', async () => {
    const found = await discovered(own.group);
    return found?.freshness === 'Current' && found;
  });
  t.deepEqual(
    version.resources.map(({resource}) => resource),
    ['things'],
  );
  t.is((await front.server.client.get(`/apis/${own.group}/v1/namespaces/default/things`)).json<{kind: string}>().kind, 'ThingList');
  t.is((await front.server.client.get(`/openapi/v3/apis/${own.group}/v1`)).status, 404);
  await removed(own);
});

test.serial('a server that has OpenAPI v2 only has documents of v3 as well, in the index too', async (t) => {
  let group = '';
  const own = await extension((request, response) => {
    if (request.url !== '/openapi/v2') return modest(request, response);
    const answers = {'200': {description: 'OK', schema: {$ref: '#/definitions/Thing'}}};
    json(response, {
      paths: {[`/apis/${group}/v1/things`]: {get: {responses: answers}}},
      definitions: {Thing: {type: 'object', title: 'A thing'}},
    });
  });
  ({group} = own);
  await availability(front.server, `v1.${group}`, 'Passed');
  const name = `apis/${group}/v1`;
  const {client} = front.server;
  const address = await until('it is in the index', async () => {
    const {paths} = (await client.get('/openapi/v3')).json<{paths: Record<string, {serverRelativeURL: string}>}>();
    return paths[name]?.serverRelativeURL;
  });
  const found = await client.get(address);
  t.is(found.status, 200);
  t.is(found.headers['cache-control'], 'public, immutable');
  t.deepEqual(found.json<{components: object}>().components, {schemas: {Thing: {type: 'object', title: 'A thing'}}});
  await removed(own);
});

test.serial(
  'the head of a watch comes before there is any event; which origins may read it is for the server in front to say',
  async (t) => {
    const own = await extension((request, response) => {
      if (!request.url!.includes('watch=1')) return modest(request, response);
      response.writeHead(200, {'content-type': 'application/json', 'access-control-allow-origin': '*'});
      response.flushHeaders();
    });
    await availability(front.server, `v1.${own.group}`, 'Passed');
    const client = await userClient(t, front.server, 'admin', ['system:masters']);
    const watch = await client.watch(`/apis/${own.group}/v1/things?watch=1`, {signal: AbortSignal.timeout(5000)});
    t.is(watch.status, 200);
    t.is(watch.headers['access-control-allow-origin'], undefined);
    t.truthy(watch.headers['audit-id']);
    watch.close();
    await removed(own);
  },
);

test.serial('every server of a store hands requests on, whichever got the APIService', async (t) => {
  const redis = await startRedis(t);
  const [first, second] = [await startFrontServer(t, {store: redis.url}), await startFrontServer(t, {store: redis.url})];
  const service = await webhookService(t, (_body, response, request) => modest(request, response), {names: ['shared.default.svc']});
  await writeExternalService(first.server, 'shared');
  const spec = {service: {name: 'shared', namespace: 'default', port: service.port}};
  await createApiService(first.server, {group: 'shared.example.com', service: 'shared', ca: service.ca, spec});
  for (const {server} of [second, first]) {
    await availability(server, 'v1.shared.example.com', 'Passed');
    await until('it is handed on', async () => (await server.client.get('/apis/shared.example.com/v1/things')).status === 200);
  }
  const third = await startFrontServer(t, {store: redis.url});
  t.is((await third.server.client.get('/apis/shared.example.com/v1/things')).status, 200, 'from the first request on');
});

test.serial('connections that change their protocol go through, with the name of the caller', async (t) => {
  let heads: IncomingHttpHeaders = {};
  const upgrade = (request: IncomingMessage, socket: Duplex) => {
    heads = request.headers;
    if (request.url!.endsWith('/refused')) return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  };
  const own = await extension(modest, {}, {upgrade});
  await availability(front.server, `v1.${own.group}`, 'Passed');
  const credentials = await userCredentials(front.server, 'root', ['system:masters']);
  const {hostname, port} = new URL(front.server.url);
  const open = (name: string) => {
    const path = `/apis/${own.group}/v1/namespaces/default/things/x/${name}`;
    const headers = {connection: 'Upgrade', upgrade: 'echo', 'x-remote-user': 'other'};
    return request({hostname, port, path, headers, ...credentials, agent: false}).end();
  };
  const [answer, socket] = (await once(open('console'), 'upgrade')) as [IncomingMessage, Duplex];
  t.is(answer.headers.upgrade, 'echo');
  socket.write('hello');
  t.is(String((await once(socket, 'data'))[0]), 'hello');
  t.deepEqual([heads['x-remote-user'], heads['x-remote-group']], ['root', 'system:masters, system:authenticated']);
  socket.destroy();
  const [refused] = (await once(open('refused'), 'response')) as [IncomingMessage];
  t.is(refused.statusCode, 403);
  t.is(Buffer.concat((await refused.toArray()) as Buffer[]).toString(), 'no');
  await removed(own);
});

test.serial(
  'nobody without rights makes one request of a group into two: the second would be anybody’s at the server behind',
  async (t) => {
    const seen: string[] = [];
    const own = await extension((request, response) => {
      seen.push(`${request.method} ${request.url} as ${String(request.headers['x-remote-user'])}`);
      modest(request, response);
    });
    await availability(front.server, `v1.${own.group}`, 'Passed');
    const hidden = 'POST /hidden HTTP/1.1\r\nHost: x\r\nX-Remote-User: root\r\nX-Remote-Group: system:masters\r\nContent-Length: 0\r\n\r\n';
    const bodies = {
      'content-length': [`Content-Length: ${hidden.length}`, hidden],
      'transfer-encoding': ['Transfer-Encoding: chunked', `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
    };
    const credentials = await userCredentials(front.server, 'nobody');
    for (const [name, [framing, body]] of Object.entries(bodies))
      for (const connection of [
        `keep-alive, ${name}`,
        `keep-alive, ${name}, Upgrade\r\nUpgrade: x`,
        'keep-alive, Upgrade\r\nUpgrade: x',
        'keep-alive',
      ]) {
        const socket = await connectTo(t, front.server, credentials);
        socket.setEncoding('utf8');
        let received = '';
        socket.on('data', (text: string) => (received += text));
        const head = `GET /apis/${own.group}/v1 HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n${framing}\r\n\r\n`;
        socket.write(head + body);
        await until('it is answered', () => /^HTTP\/1\.1 \d+ [^]*\r\n\r\n/.test(received));
        t.regex(received, connection === 'keep-alive' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 400 /, connection);
        socket.destroy();
        // The next one on the connections that are kept gets the answer that is its own.
        t.is((await front.server.client.get(`/apis/${own.group}/v1/namespaces/default/things`)).json<{kind: string}>().kind, 'ThingList');
      }
    t.deepEqual(
      seen.filter((line) => line.includes('/hidden')),
      [],
    );
    await removed(own);
  },
);

test.serial('a request that comes back is refused: it would go round without end', async (t) => {
  const own = await extension((request, response) => {
    if (request.url!.endsWith('/echo')) json(response, request.headers);
    else modest(request, response);
  });
  await availability(front.server, `v1.${own.group}`, 'Passed');
  const path = `/apis/${own.group}/v1/namespaces/default/things/echo`;
  const {via} = (await front.server.client.get(path, {headers: {via: '1.1 other'}})).json<{via: string}>();
  t.regex(via, /^1\.1 other, 1\.1 orch-/);
  t.is((await front.server.client.get(path, {headers: {via}})).status, 508);
  await removed(own);
});

test.serial('redirects are neither followed nor passed on', async (t) => {
  let followed = 0;
  const elsewhere = await webhookService(whole, (_body, response) => {
    followed += 1;
    response.end('{}');
  });
  const own = await extension((request, response) => {
    if (request.url!.split('/').length > 4) send(response, 302, {location: `${elsewhere.url}/stolen`}, 'go');
    else modest(request, response);
  });
  await availability(front.server, `v1.${own.group}`, 'Passed');
  const refused = await front.server.client.get(`/apis/${own.group}/v1/namespaces/default/things`);
  t.is(refused.status, 502);
  t.is(refused.headers.location, undefined);
  t.is(refused.body.toString(), 'the backend attempted to redirect this request, which is not permitted\n');
  const upgrade = {connection: 'Upgrade', upgrade: 'SPDY/3.1'};
  const refusedUpgrade = await front.server.client.get(`/apis/${own.group}/v1/namespaces/default/things/x/exec`, {headers: upgrade});
  t.is(refusedUpgrade.status, 502);
  t.is(followed, 0);
  await removed(own);

  const checks = await extension((_request, response) => send(response, 307, {location: elsewhere.url}, ''));
  t.regex((await availability(front.server, `v1.${checks.group}`, 'FailedDiscoveryCheck')).message, /bad status: 307$/);
  t.is(followed, 0);
  await removed(checks);
});

test.serial('what is no discovery and no OpenAPI leaves that of everybody else as it is', async (t) => {
  const {client} = front.server;
  const before = (await client.get('/openapi/v2')).json<{paths: object; definitions: object}>();
  const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const bodies: Record<string, Answer> = {
    html: (_request, response) => send(response, 200, {'content-type': 'text/html'}, '<html>login</html>'),
    deep: (_request, response) => response.end(`{"kind":"APIGroupDiscoveryList","items":${nested},"paths":{"/apis/x":${nested}}}`),
    odd: ({url = ''}, response) =>
      json(response, {
        kind: url.includes('v1') ? 'APIResourceList' : 'APIGroupDiscoveryList',
        items: [
          null,
          {metadata: 'x', versions: {}},
          {metadata: {name: 'apps'}, versions: [{version: 'v1', resources: [{resource: 'stolen'}]}]},
        ],
        resources: [null, {name: 7}, {name: '../../x'}, {name: 'a/b/c'}, {name: `n${'a'.repeat(1000)}`}],
        paths: {
          '/apis/apps/v1/stolen': {get: {}},
          'apis/apps/v1': {serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=STOLEN'},
          [`${url}`]: {
            get: {parameters: [{name: 1}, {$ref: '#/parameters/none'}], responses: {200: {schema: {$ref: '#/definitions/Odd'}}}},
          },
        },
        definitions: {
          Odd: {
            type: ['object', 7],
            properties: {a: 1, b: {type: 'array'}, c: {$ref: '#/definitions/Missing'}},
            required: 'a',
            'x-y': nested,
          },
        },
      }),
    huge: (request, response) => {
      if (request.url!.split('/').length === 4) return json(response, {});
      const piece = Buffer.alloc(1024 * 1024, 'a');
      response.writeHead(200, {'content-type': 'application/json'});
      response.write('{"kind":"');
      const more = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
  };
  for (const [name, answer] of Object.entries(bodies)) {
    // Asked the short way, as the check does, every server is there.
    let asked = 0;
    const own = await extension((request, response) => {
      if (request.url === '/openapi/v2') asked += 1;
      answer(request, response);
    });
    await until(`${name}: its documents have been asked for twice`, () => asked >= 2);
    const groups = (await client.get('/apis')).json<{groups: {name: string}[]}>().groups.map((group) => group.name);
    t.true(groups.includes('apps') && groups.includes(own.group), name);
    t.deepEqual((await discovered(own.group))?.resources, [], name);
    t.false((await discovered('apps'))!.resources.some(({resource}) => resource === 'stolen'));
    const after = (await client.get('/openapi/v2')).json<{paths: object; definitions: object}>();
    t.deepEqual(Object.keys(after.paths), Object.keys(before.paths), name);
    t.deepEqual(Object.keys(after.definitions), Object.keys(before.definitions), name);
    const index = (await client.get('/openapi/v3')).json<{paths: Record<string, {serverRelativeURL: string}>}>();
    t.notRegex(index.paths['apis/apps/v1']!.serverRelativeURL, /STOLEN/);
    await removed(own);
  }
});

test.serial('a document of OpenAPI with more paths or definitions than large servers have is not joined to the others', async (t) => {
  const {client} = front.server;
  const cases: Record<string, (group: string) => object> = {
    paths: (group) => Object.fromEntries(Array.from({length: 2001}, (_, number) => [`/apis/${group}/v1/things${number}`, {}])),
    definitions: (group) => ({[`/apis/${group}/v1/things`]: {get: {responses: {200: {description: 'OK'}}}}}),
  };
  for (const [name, paths] of Object.entries(cases)) {
    let group = '';
    let asked = 0;
    const own = await extension((request, response) => {
      if (request.url !== '/openapi/v2') return modest(request, response);
      asked += 1;
      const definitions = name === 'definitions' ? Object.fromEntries(Array.from({length: 5001}, (_, number) => [`d${number}`, {}])) : {};
      json(response, {paths: paths(group), definitions});
    });
    ({group} = own);
    await until('its document has been asked for twice', () => asked >= 2);
    t.notRegex((await client.get('/openapi/v2')).body.toString(), new RegExp(group), name);
    t.is((await client.get(`/apis/${group}/v1/namespaces/default/things`)).status, 200);
    await removed(own);
  }
});

test.serial('a body without end comes in pieces and ends with the time of the request', async (t) => {
  const own = await extension((request, response) => {
    if (request.url!.split('/').length <= 4) return modest(request, response);
    const more = () => {
      while (!response.destroyed && response.write('{"items":[]}'.repeat(1000)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await availability(front.server, `v1.${own.group}`, 'Passed');
  const error = await t.throwsAsync(front.server.client.get(`/apis/${own.group}/v1/namespaces/default/things?timeout=300ms`));
  t.regex(error.message, /aborted|ECONNRESET|socket hang up/);
  await until('the other side is told', () => own.service.connections.open <= 10);
  await removed(own);
});

test.serial('a server that hangs is found unavailable, and the others do not wait for it', async (t) => {
  let hangs = false;
  const own = await extension((request, response) => {
    if (!hangs) modest(request, response);
  });
  await availability(front.server, `v1.${own.group}`, 'Passed');
  hangs = true;
  const late = await front.server.client.get(`/apis/${own.group}/v1/namespaces/default/things?timeout=200ms`);
  t.is(late.status, 504);
  const other = await extension(modest);
  await availability(front.server, `v1.${other.group}`, 'Passed');
  t.is((await front.server.client.get('/apis')).status, 200);
  t.regex((await availability(front.server, `v1.${own.group}`, 'FailedDiscoveryCheck')).message, /no answer within 5 s$/);
  await Promise.all([removed(own), removed(other)]);
});

test.serial('servers that are away are asked in turn, however many they are, and only whether they are back', async (t) => {
  const count = 60;
  const asked = {whether: 0, what: 0};
  const service = await webhookService(whole, (_body, response, {url = ''}) => {
    asked[url.startsWith('/apis/away-') ? 'whether' : 'what'] += 1;
    send(response, 503, {}, '');
  });
  await writeExternalService(front.server, 'away');
  const spec = {service: {name: 'away', namespace: 'default', port: service.port}};
  const groups = Array.from({length: count}, (_, number) => `away-${number}.example.com`);
  await Promise.all(groups.map((group) => createApiService(front.server, {group, service: 'away', spec})));
  for (const group of groups) await availability(front.server, `v1.${group}`, 'FailedDiscoveryCheck');
  asked.whether = 0;
  await delay(2000);
  // 25 checks in a second, each of which asks five times; every 300 ms they would be 200.
  t.true(asked.whether > 0 && asked.whether < 2 * 60 * 5, `${asked.whether} requests`);
  t.is(asked.what, 0);
  await Promise.all(groups.map((group) => front.server.client.delete(`/apis/apiregistration.orch/v1/apiservices/v1.${group}`)));
});

test.serial('requests are handed on to a server whose certificate has the name of its authority', async (t) => {
  const authority = await makeAuthority('namesake');
  const names = [`hostile-${services + 1}.default.svc`];
  const own = await extension(modest, {}, {authority, ...(await leafWithoutKeyIdentifier(authority, 'namesake', {names}))});
  await availability(front.server, `v1.${own.group}`, 'Passed');
  t.is((await front.server.client.get(`/apis/${own.group}/v1/namespaces/default/things`)).json<{kind: string}>().kind, 'ThingList');
  await removed(own);
});

test.serial('a certificate that nobody vouches for, or for another name, is not accepted', async (t) => {
  const untrusted = await extension(modest, {caBundle: undefined});
  t.regex((await availability(front.server, `v1.${untrusted.group}`, 'FailedDiscoveryCheck')).message, /unknown authority/);
  await removed(untrusted);
  const own = await webhookService(whole, (_body, response, request) => modest(request, response), {names: ['other.default.svc']});
  await writeExternalService(front.server, 'misnamed');
  const reference = {service: {name: 'misnamed', namespace: 'default', port: own.port}};
  await createApiService(front.server, {group: 'misnamed.example.com', service: 'misnamed', ca: own.ca, spec: reference});
  t.regex((await availability(front.server, 'v1.misnamed.example.com', 'FailedDiscoveryCheck')).message, /valid for other names/);
});

test.serial('what is missing stands in the condition, in the words of Kubernetes', async (t) => {
  const {client} = front.server;
  const path = '/api/v1/namespaces/default/services';
  await createApiService(front.server, {group: 'parts.example.com', service: 'parts'});
  const name = 'v1.parts.example.com';
  const {message, status} = await availability(front.server, name, 'ServiceNotFound');
  t.deepEqual([status, message], ['False', 'service/parts in "default" is not present']);
  const service = (port: number) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: 'parts'},
    spec: {ports: [{name: 'https', port}]},
  });
  await client.post(path, service(80));
  t.is((await availability(front.server, name, 'ServicePortError')).message, 'service/parts in "default" is not listening on port 443');
  await client.put(`${path}/parts`, service(443));
  t.is((await availability(front.server, name, 'EndpointsNotFound')).message, 'cannot find endpoints for service/parts in "default"');
  await writeEndpoints(client, 'parts', []);
  t.is(
    (await availability(front.server, name, 'MissingEndpoints')).message,
    'endpoints for service/parts in "default" have no addresses with port name "https"',
  );
  t.is((await client.get('/apis/parts.example.com/v1/x')).status, 503);
  const metrics = (await client.get('/metrics')).body.toString();
  t.regex(metrics, /^aggregator_unavailable_apiservice\{name="v1\.parts\.example\.com"\} 1$/m);
});

test.serial('an APIService with a service takes precedence over a definition, until it goes', async (t) => {
  const own = await extension(modest);
  await availability(front.server, `v1.${own.group}`, 'Passed');
  const {client} = front.server;
  const names = {plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList'};
  const schema = {openAPIV3Schema: {type: 'object'}};
  const version = (name: string) => ({name, served: true, storage: name === 'v2', schema});
  const made = await client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.orch/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `things.${own.group}`},
    spec: {group: own.group, names, scope: 'Namespaced', versions: [version('v1'), version('v2')]},
  });
  t.is(made.status, 201, made.body.toString());
  const list = (name: string) => client.get(`/apis/${own.group}/${name}/namespaces/default/things`);
  const isServedHere = async (name: string) => /"resourceVersion"/.test((await list(name)).body.toString());
  await until('the other version is served here', () => isServedHere('v2'));
  t.false(await isServedHere('v1'));
  const versions = async () =>
    (await client.get(`/apis/${own.group}`))
      .json<{versions: {version: string}[]}>()
      .versions.map(({version: name}) => name)
      .toSorted();
  t.deepEqual(await eventually(versions, (names) => names.length > 1), ['v1', 'v2']);
  await removed(own);
  await until('this version as well', () => isServedHere('v1'));
});

test.serial('the group that says who serves what stays the server’s own', async (t) => {
  const {client} = front.server;
  await createApiService(front.server, {group: 'apiregistration.orch', version: 'v2', service: 'none'});
  t.is((await client.get('/apis/apiregistration.orch/v1/apiservices')).status, 200);
  t.is((await client.get('/apis/apiregistration.orch/v2')).status, 404);
});
