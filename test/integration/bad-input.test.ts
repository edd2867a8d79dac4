import {connect} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {httpsClient, type HttpsClient, type HttpsResponse} from '../helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../helpers/orch-process.js';

let orch: OrchProcess;
test.before(async () => {
  orch = await spawnOrch({store: 'memory', extra: ['--anonymous-auth=false']});
});
test.after.always(async () => {
  await orch?.stop();
});

interface StatusBody {
  kind: string;
  apiVersion: string;
  status: string;
  reason: string;
  message: string;
  code: number;
}

const collection = '/api/v1/namespaces/default/configmaps';
let names = 0;

/** The server answers, writes and reads as if nothing had happened. */
async function assertHealthy(t: ExecutionContext, client: HttpsClient): Promise<void> {
  t.is((await client.get('/readyz')).text, 'ok');
  const name = `healthy-${++names}`;
  t.is((await client.post(collection, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data: {a: 'b'}})).status, 201);
  t.deepEqual((await client.get(`${collection}/${name}`)).json().data, {a: 'b'});
}

function assertStatus(t: ExecutionContext, response: HttpsResponse, code: number | readonly number[], message?: RegExp): void {
  const codes = typeof code === 'number' ? [code] : code;
  t.true(codes.includes(response.status), `${response.status} ${response.text.slice(0, 300)}`);
  const status = response.json<StatusBody>();
  t.is(status.kind, 'Status');
  t.is(status.apiVersion, 'v1');
  t.is(status.status, 'Failure');
  t.is(status.code, response.status);
  t.not(status.message, '');
  if (message) t.regex(status.message, message);
}

const good = (extra = '') => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bad-${++names}"}${extra}}`;
const deep = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

const bodies: {title: string; body: () => string | Buffer; code: number | number[]; type?: string; message?: RegExp}[] = [
  {title: 'malformed JSON [B-ERR-1]', body: () => '{"apiVersion":"v1","kind":"ConfigMap",', code: 400},
  {title: 'a body that is no object', body: () => '[1,2,3]', code: 400},
  {title: 'an empty body', body: () => '', code: 400},
  {title: 'a string for a map [B-ERR-1]', body: () => good(',"data":"text"'), code: 400},
  {title: 'a number for a string in a map [B-ERR-1]', body: () => good(',"data":{"a":1}'), code: 400},
  {title: 'another kind than the path says', body: () => '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"}}', code: 400},
  {title: 'another version than the path says', body: () => '{"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"x"}}', code: 400},
  {
    title: 'a list kind [A-SVC-20]',
    body: () => '{"apiVersion":"v1","kind":"ConfigMapList","items":[{"metadata":{"name":"bad-listed"}}]}',
    code: 400,
  },
  {title: 'nesting of 100,000 levels', body: () => good(`,"data":${deep(100_000)}`), code: [400, 413]},
  {
    title: 'invalid UTF-8',
    body: () =>
      Buffer.concat([
        Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"'),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from('"}}'),
      ]),
    code: 400,
  },
  {title: 'no name', body: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{}}', code: 422, message: /name/},
  {
    title: 'a name with a slash',
    body: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"../../etc/passwd"}}',
    code: 422,
    message: /metadata\.name/,
  },
  {title: 'a name of dots', body: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":".."}}', code: 422},
  {
    title: 'a name of 254 characters [B-LIM-5]',
    body: () => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${'a'.repeat(254)}"}}`,
    code: 422,
  },
  {title: 'a NUL in a name', body: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a\\u0000b"}}', code: 422},
  {
    title: 'a label value with a blank',
    body: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":{"a":"b c"}}}',
    code: 422,
    message: /metadata\.labels/,
  },
  {
    title: 'another namespace than the path says',
    body: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"other"}}',
    code: 400,
  },
  {
    title: 'a resource version on a create',
    body: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","resourceVersion":"1"}}',
    code: 400,
  },
  {title: 'an unknown media type', body: () => good(), type: 'text/csv', code: 415},
  {
    title: 'YAML with an endless alias expansion',
    body: () =>
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n',
    type: 'application/yaml',
    code: 400,
  },
];

for (const {title, body, code, type, message} of bodies) {
  test(`a create with ${title} is refused with a Status and harms nothing`, async (t) => {
    const client = httpsClient(t, orch);
    const headers: Record<string, string> = type === undefined ? {} : {'content-type': type};
    assertStatus(t, await client.request('POST', collection, {body: body(), headers}), code, message);
    await assertHealthy(t, client);
  });
}

test('a request line of a hundred thousand bytes is served, one of more than a million is not', async (t) => {
  const client = httpsClient(t, orch);
  const named = (count: number) =>
    `${collection}?labelSelector=${encodeURIComponent(`app in (${Array.from({length: count}, (_, index) => `value-${String(index)}`).join(',')})`)}`;
  const served = named(8000);
  t.true(served.length > 100_000);
  const response = await client.get(served);
  t.is(response.status, 200, response.text.slice(0, 300));
  t.deepEqual(response.json<{items: object[]}>().items, []);
  t.is((await client.get(`${collection}?labelSelector=${'a'.repeat(1 << 20)}`)).status, 431);
  await assertHealthy(t, client);
});

test('a body above 3 MiB is refused with 413 whether its length is announced or not', async (t) => {
  const client = httpsClient(t, orch);
  const body = good(`,"data":{"a":"${'x'.repeat(3 * 1024 * 1024)}"}`);
  assertStatus(t, await client.post(collection, body), 413);
  await assertHealthy(t, client);
});

test('`__proto__`, `constructor` and `prototype` are data', async (t) => {
  const client = httpsClient(t, orch);
  const name = `proto-${++names}`;
  const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"__proto__":"p","constructor":"c","prototype":"q"},"__proto__":{"polluted":"yes"}}`;
  t.is((await client.post(collection, body)).status, 201);
  const {text} = await client.get(`${collection}/${name}`);
  for (const member of ['"__proto__":"p"', '"constructor":"c"', '"prototype":"q"']) t.true(text.includes(member), text);
  t.false(text.includes('polluted'));
  t.is((await client.patch(`${collection}/${name}`, '{"data":{"__proto__":"r","constructor":null}}')).status, 200);
  t.true((await client.get(`${collection}/${name}`)).text.includes('"__proto__":"r"'));
  const patched = await client.patch(`${collection}/${name}`, '[{"op":"add","path":"/data/__proto__","value":"s"}]', 'json');
  t.is(patched.status, 200);
  t.true(patched.text.includes('"__proto__":"s"'));
  const empty = await client.post(collection, good());
  t.false(empty.text.includes('polluted'));
  await assertHealthy(t, client);
});

const paths: {title: string; method?: string; path: string; code: number | number[]}[] = [
  {title: 'an unknown resource', path: '/api/v1/namespaces/default/nothings', code: 404},
  {title: 'an encoded slash in a name', path: `${collection}/..%2F..%2Fsecrets`, code: [400, 404]},
  {title: 'dots as a name', path: `${collection}/%2e%2e`, code: [400, 404]},
  {title: 'a broken percent sign', path: `${collection}/%zz`, code: [400, 404]},
  {title: 'a NUL in a path', path: `${collection}/a%00b`, code: [400, 404]},
  {title: 'invalid UTF-8 in a path', path: `${collection}/%ff%fe`, code: [400, 404]},
  {title: 'a limit that is no number', path: `${collection}?limit=many`, code: 400},
  {title: 'a negative limit', path: `${collection}?limit=-1`, code: [400, 200]},
  {title: 'a continue token that is none', path: `${collection}?limit=5&continue=nonsense`, code: 400},
  {title: 'a label selector that cannot be read', path: `${collection}?labelSelector=${encodeURIComponent('a in (')}`, code: 400},
  {title: 'a field selector on an unknown field', path: `${collection}?fieldSelector=data.a%3Db`, code: 400},
  {title: 'a resource version that is no number', path: `${collection}?resourceVersion=abc`, code: 400},
  {title: 'an unknown match rule [A-QP-12]', path: `${collection}?resourceVersion=1&resourceVersionMatch=Sometimes`, code: [400, 422]},
  {title: 'a dry run of an unknown kind', method: 'DELETE', path: `${collection}/whatever?dryRun=Some`, code: 422},
  {title: 'PUT on a collection [A-SVC-21]', method: 'PUT', path: collection, code: 405},
  {title: 'PATCH on a collection [A-SVC-21]', method: 'PATCH', path: collection, code: [405, 415]},
  {title: 'POST on an item [A-SVC-21]', method: 'POST', path: `${collection}/x`, code: 405},
  {title: 'an unknown method', method: 'PROPFIND', path: collection, code: 405},
];

for (const {title, method = 'GET', path, code} of paths) {
  test(`a request with ${title} is answered in words and harms nothing`, async (t) => {
    const client = httpsClient(t, orch);
    const response = await client.request(method, path, method === 'GET' || method === 'DELETE' ? {} : {body: good()});
    if (response.status === 200) t.true((code as number[]).includes(200));
    else assertStatus(t, response, code);
    await assertHealthy(t, client);
  });
}

/** Opens a connection, sends the bytes, and answers all that comes back until the server closes or `millis` are over. */
function sendRaw(bytes: string | Buffer, millis: number, then: 'wait' | 'cut' = 'wait'): Promise<string> {
  const url = new URL(orch.url);
  return new Promise((resolve, reject) => {
    const socket = connect({host: url.hostname, port: Number(url.port), ca: orch.ca, cert: orch.cert, key: orch.key}, () => {
      socket.write(bytes, () => {
        if (then === 'cut') socket.destroy();
      });
    });
    let received = '';
    const timer = setTimeout(() => socket.destroy(), millis);
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // The server may well close a connection on which it reads nonsense.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

test('half-sent requests, cut in the head or in the body, leave nothing behind', async (t) => {
  const head = `POST ${collection} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n`;
  await Promise.all(
    Array.from({length: 40}, (_, index) =>
      sendRaw(index % 2 === 0 ? head.slice(0, 20 + index) : `${head}{"apiVersion":"v1"`, 5_000, 'cut'),
    ),
  );
  const client = httpsClient(t, orch);
  t.is((await client.get(`${collection}?limit=1`)).status, 200);
  await assertHealthy(t, client);
});

test('bytes that are no HTTP are answered with 400 or closed', async (t) => {
  for (const bytes of ['\0\0\0\0\0\0\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'G'.repeat(100_000)]) {
    const received = await sendRaw(bytes, 5_000);
    t.true(received === '' || /^HTTP\/1\.1 4\d\d /.test(received), received.slice(0, 100));
  }
  await assertHealthy(t, httpsClient(t, orch));
});

test('two lengths, or a length and chunks, are refused', async (t) => {
  const smuggled = `POST ${collection} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /version HTTP/1.1\r\nHost: x\r\n\r\n`;
  const received = await sendRaw(smuggled, 15_000);
  t.regex(received, /^HTTP\/1\.1 400 /);
  t.false(received.includes('gitVersion'));
  await assertHealthy(t, httpsClient(t, orch));
});

test('a client of HTTP/1.0 gets a watch without chunks, which ends with the connection', async (t) => {
  const client = httpsClient(t, orch);
  const name = `old-${++names}`;
  await client.post(collection, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}});
  const received = await sendRaw(
    `GET ${collection}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name} HTTP/1.0\r\n\r\n`,
    10_000,
  );
  const [head, ...events] = received.split('\r\n\r\n');
  t.regex(head!, /^HTTP\/1\.1 200 /);
  t.notRegex(head!, /transfer-encoding/i);
  t.regex(head!, /^connection: close$/im);
  t.is((JSON.parse(events.join('')) as {object: {metadata: {name: string}}}).object.metadata.name, name);
});

test('a request without credentials is answered with 401 and a Status', async (t) => {
  const client = httpsClient(t, {url: orch.url, ca: orch.ca});
  assertStatus(t, await client.get(collection), 401);
  await assertHealthy(t, httpsClient(t, orch));
});
