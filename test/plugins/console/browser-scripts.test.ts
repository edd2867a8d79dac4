import test, {type ExecutionContext} from 'ava';
import type {TestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser, type WatchedPage} from '../../helpers/chromium.js';
import {adminPage, follow} from '../../helpers/console-page.js';
import {consoleKinds, sharedServers} from '../../helpers/console-servers.js';

const servers = sharedServers({release: '1.36'});
test.after.always(servers.stop);
test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
/** Would run if it became markup, an address or a script anywhere. */
const hostile = '"><img src=x onerror=window.attacked=1><script>window.attacked=1</script>';
/** The same where a path allows no slash. */
const hostileName = '"><img src=x onerror=window.attacked=1><b>';
const tabs = ['', '?tab=conditions', '?tab=changes', '?tab=owners', '?tab=fields'];
const time = () => new Date().toISOString();

const suffixOf = (kind: (typeof consoleKinds)[number]) => (kind.platform === 'orch' ? 'orch' : 'k8s.io');

/** What of a page has become more than a text, also in its shadows. */
const dangers = `(() => {
  const roots = [document];
  for (const root of roots)
    for (const {shadowRoot} of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)].map(({outerHTML}) => outerHTML.slice(0, 200)));
  return {
    attacked: window.attacked ?? false,
    elements: all('img, script:not([src]), svg:not(.owners), iframe, b, object, embed, base'),
    attributes: all('a[href^="javascript:"], a[href^="data:"], [onerror], [onload]'),
    hasText: roots.some((root) => (root === document ? document.querySelector('main') : root).textContent.includes('onerror=window.attacked')),
  };
})()`;

/** Holds that a place is shown, and that nothing in it has become more than a text. @returns whether the text is there */
async function staysText(t: ExecutionContext, {page}: WatchedPage, place: string): Promise<boolean> {
  await page.locator('main').waitFor();
  const {hasText, ...found} = (await page.evaluate(dangers)) as {hasText: boolean};
  t.deepEqual<object, object>(found, {attacked: false, elements: [], attributes: []}, place);
  return hasText;
}

async function defineWidgets({client}: TestServer, suffix: string): Promise<void> {
  await client.post(`/apis/apiextensions.${suffix}/v1/customresourcedefinitions`, {
    metadata: {name: 'widgets.example.com'},
    spec: {
      group: 'example.com',
      names: {plural: 'widgets', kind: 'Widget'},
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: hostile,
              properties: {
                spec: {type: 'object', description: hostile, properties: {text: {type: 'string', description: hostile}}},
                status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
              },
            },
          },
          additionalPrinterColumns: [{name: hostile.slice(0, 60), type: 'string', jsonPath: '.spec.text', description: hostile}],
        },
      ],
    },
  });
}

/** Objects with the text in all that takes it: names, annotations, data, managers, conditions, events, owners, columns, schemas. */
async function furnish(t: ExecutionContext, server: TestServer, suffix: string): Promise<void> {
  const {client} = server;
  const made = await client.post(`${maps}?fieldManager=${encodeURIComponent(hostile)}`, {
    metadata: {
      name: 'settings',
      annotations: {'example.com/note': hostile},
      finalizers: ['example.com/keep'],
      ownerReferences: [{apiVersion: 'v1', kind: 'Node', name: hostile, uid: 'of-nobody'}],
    },
    data: {script: hostile, other: '</script><svg onload=window.attacked=1>', link: 'javascript:window.attacked=1'},
  });
  t.is(made.status, 201, made.body.toString());
  const {uid} = made.json<{metadata: {uid: string}}>().metadata;
  await client.post('/api/v1/namespaces/default/events', {
    metadata: {name: 'settings.1'},
    involvedObject: {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings', uid},
    reason: hostile.slice(0, 120),
    message: hostile,
    type: 'Warning',
    source: {component: hostile.slice(0, 60)},
    lastTimestamp: time(),
  });
  const role = await client.post(`/apis/rbac.authorization.${suffix}/v1/clusterroles`, {metadata: {name: hostileName}, rules: []});
  t.is(role.status, 201, role.body.toString());
  await defineWidgets(server, suffix);
  const condition = {type: hostile.slice(0, 60), status: 'True', reason: 'Hostile', message: hostile, lastTransitionTime: time()};
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {name: 'hostile'},
    spec: {text: hostile},
    status: {conditions: [condition]},
  };
  let status = 404;
  while (status === 404) ({status} = await client.post(widgets, widget));
  t.is(status, 201);
}

for (const kind of consoleKinds) {
  const where = `(${kind.store}, ${kind.platform})`;

  inBrowser(`scripts in what is stored are texts in every view ${where}`, async (t) => {
    const server = await servers.start(kind);
    await furnish(t, server, suffixOf(kind));
    const id = hostile.replaceAll('/', '');
    const refused = await server.client.request('POST', `${maps}?fieldManager=x`, {
      body: '{',
      headers: {'audit-id': id, 'user-agent': hostile},
    });
    t.is(refused.status, 400);
    const role = `clusterroles/-/${encodeURIComponent(hostileName)}`;
    const withText = [
      `objects/rbac.authorization.${suffixOf(kind)}/clusterroles`,
      ...tabs.slice(2).map((tab) => `object/rbac.authorization.${suffixOf(kind)}/${role}${tab}`),
      ...['?tab=conditions', '?tab=owners', '?tab=fields'].map((tab) => `object/core/configmaps/default/settings${tab}`),
      'object/example.com/widgets/default/hostile?tab=conditions',
      'objects/example.com/widgets?namespace=default',
      'playground/example.com/widgets/default/hostile?text=object.spec.text',
    ];
    const others = [
      'types',
      'server',
      'access',
      'cluster',
      'why?kind=all',
      `why/${encodeURIComponent(id)}`,
      'objects/core/configmaps?namespace=default',
      'objects/core/events?namespace=default',
      ...tabs.map((tab) => `object/core/configmaps/default/settings${tab}`),
      ...tabs.map((tab) => `object/example.com/widgets/default/hostile${tab}`),
    ];
    const opened = await adminPage(t, server, 'types');
    const {page, complaints, loads} = opened;
    for (const place of withText) {
      await follow(opened, place);
      await t.notThrowsAsync(page.locator('main', {hasText: 'onerror=window.attacked'}).waitFor(), place);
      t.true(await staysText(t, opened, place), place);
    }
    for (const place of others) {
      await follow(opened, place);
      await page.locator('main h1').waitFor();
      await staysText(t, opened, place);
    }
    t.is(loads(), 1, 'all of it in one page: what ran anywhere is seen');
    t.deepEqual(complaints, []);
  });

  inBrowser(`scripts in what the server says of a write are texts ${where}`, async (t) => {
    const server = await servers.start(kind);
    const group = `admissionregistration.${suffixOf(kind)}`;
    const metadata = {name: 'talks', labels: {talks: 'yes'}, annotations: {note: hostile}};
    await server.client.post(maps, {metadata, data: {colour: 'blue'}});
    const policy = await server.client.post(`/apis/${group}/v1/validatingadmissionpolicies`, {
      metadata: {name: 'talks'},
      spec: {
        matchConstraints: {
          objectSelector: {matchLabels: {talks: 'yes'}},
          resourceRules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps']}],
        },
        validations: [{expression: 'false', messageExpression: 'string(object.metadata.annotations.note)'}],
      },
    });
    t.is(policy.status, 201, policy.body.toString());
    await server.client.post(`/apis/${group}/v1/validatingadmissionpolicybindings`, {
      metadata: {name: 'talks'},
      spec: {policyName: 'talks', validationActions: ['Deny']},
    });
    let status = 200;
    while (status < 300) ({status} = await server.client.patch(`${maps}/talks?dryRun=All`, {data: {colour: 'red'}}));
    const opened = await adminPage(t, server, 'object/core/configmaps/default/talks');
    const {page, complaints} = opened;
    await page.getByRole('button', {name: 'Edit'}).click();
    await page.getByLabel('The object as YAML, edited').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('\nimmutable: true\n');
    await page.getByRole('button', {name: 'Review changes'}).click();
    await page.getByRole('alert').filter({hasText: hostile}).waitFor();
    await staysText(t, opened, 'a refusal');
    await page.getByRole('link', {name: 'Why?'}).click();
    await page.getByText('denied').first().waitFor();
    t.true(await staysText(t, opened, 'the verdicts of a refusal'));
    t.deepEqual(complaints, []);
  });

  inBrowser(`a user and groups whose names are scripts are shown as texts ${where}`, async (t) => {
    const opened = await adminPage(t, await servers.start(kind), 'access?namespace=default');
    const {page, complaints} = opened;
    await page.getByLabel('Act as the user').fill(hostile);
    await page.getByLabel('of the groups').fill(hostileName.replaceAll(' ', '\u00a0'));
    await page.getByRole('button', {name: 'Act as this user'}).click();
    await page.locator('header .user', {hasText: hostile}).waitFor();
    await page.getByText(`You act as ${hostile}.`).waitFor();
    await page.getByLabel('User (you if empty)').fill(hostile);
    await page.getByRole('button', {name: 'Ask', exact: true}).click();
    t.true(await staysText(t, opened, 'access'));
    t.deepEqual(complaints, []);
  });
}

const parameters = [
  ...['namespace', 'search', 'labelSelector', 'fieldSelector', 'view', 'tab', 'kind', 'text', 'policy', 'version', 'container', 'previous'],
  ...['state', 'code', 'error'],
];
const places = [
  ...['types', 'server', 'access', 'cluster', 'why', 'playground', 'objects/core/configmaps', 'object/core/configmaps/default/settings'],
  ...['logs/default/x', 'signed-in'],
];

/** Addresses with a text in every parameter, and in every part of a path. */
function addressesWith(text: string): string[] {
  const part = encodeURIComponent(text);
  const query = parameters.map((name) => `${name}=${part}`).join('&');
  // The server takes no escaped slash in a path, and browsers go up by dots themselves.
  const segment = encodeURIComponent(text.replaceAll('/', ''));
  if (/^\.+$/.test(segment)) return places.map((place) => `${place}?${query}`);
  const starts = ['', 'why/', 'objects/core/', 'objects/core/configmaps/', 'object/core/configmaps/default/', 'logs/default/'];
  const whole = ['object', 'playground'].map((view) => `${view}/${segment}/${segment}/${segment}/${segment}`);
  return [...places.map((place) => `${place}?${query}`), ...starts.map((start) => start + segment), ...whole];
}

/** Paths that pages of the console ask for. */
const known =
  /^\/(?:console(?:\/|$)|inspection\/|openapi\/v3\/|(?:metrics|version|healthz|livez|readyz)(?:\/|$)|debug\/api_priority_and_fairness\/|apis?(?:\/|$))/;

for (const [what, text] of Object.entries({
  markup: hostile,
  'an address of a script': 'javascript:window.attacked=1',
  'a way up': '..',
  'a longer way up': '../../..',
  'a name of every object': '__proto__',
  'half an escape': '%',
  'no character': '\u0000',
  'a long text': 'x'.repeat(2000),
}))
  inBrowser(`addresses of every view may hold anything: ${what}`, async (t) => {
    const server = await servers.start(consoleKinds[0]);
    const opened = await adminPage(t, server, 'types');
    const {page, complaints, loads, settled} = opened;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const addresses = addressesWith(text);
    const answers = await page.evaluate<string[]>(
      `Promise.all(${JSON.stringify(addresses)}.map(async (path) => {
        const answer = await fetch('/console/' + path);
        return answer.status + ' ' + await answer.text();
      }))`,
    );
    t.regex(answers[0]!, /^200 <!doctype html>/);
    t.deepEqual([...new Set(answers)], [answers[0]!], 'the page is one, whatever the address: what becomes of that is up to its scripts');
    const isHeld = async (address: string) => {
      await page.locator('main h1, main .empty').first().waitFor();
      await staysText(t, opened, address);
      const forms = await page.getByLabel('Bearer token').count();
      t.is(forms, address === returned ? 1 : 0, `${address}: nobody is signed out by an address`);
    };
    // Where a provider sends people back to is looked at when the page is loaded only.
    const returned = addresses.find((address) => address.startsWith('signed-in'))!;
    const others = addresses.filter((address) => address !== returned);
    for (const address of [returned, others.at(-1)!]) {
      await page.goto(`${server.url}/console/${address}`);
      await settled();
      await isHeld(address);
    }
    for (const address of others) {
      await follow(opened, address);
      await isHeld(address);
    }
    t.is(loads(), 3);
    t.deepEqual(
      asked.filter((path) => !known.test(path)),
      [],
    );
    t.deepEqual(complaints, []);
  });
