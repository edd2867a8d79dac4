import test, {type ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage} from '../../helpers/console-page.js';
import {consoleKinds, consoleServer} from '../../helpers/console-servers.js';

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

/** Holds that a place is shown, and that nothing in it has become more than a text. @returns whether the text is there */
async function staysText(t: ExecutionContext, page: Page, place: string): Promise<boolean> {
  await page.locator('main').waitFor();
  t.is(await page.evaluate('window.attacked'), undefined, place);
  t.is(await page.locator('img, script:not([src]), svg:not(.owners), iframe, main b, object, embed, base').count(), 0, place);
  t.is(await page.locator('a[href^="javascript:"], a[href^="data:"], [onerror], [onload]').count(), 0, place);
  return (await page.locator('main', {hasText: 'onerror=window.attacked'}).count()) > 0;
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
    const server = await consoleServer(t, kind);
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
    const {page, complaints} = await adminPage(t, server, 'types');
    for (const place of withText) {
      await page.goto(`${server.url}/console/${place}`);
      await t.notThrowsAsync(page.locator('main', {hasText: 'onerror=window.attacked'}).waitFor(), place);
      t.true(await staysText(t, page, place), place);
    }
    for (const place of others) {
      await page.goto(`${server.url}/console/${place}`);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      await staysText(t, page, place);
    }
    t.deepEqual(complaints, []);
  });

  inBrowser(`scripts in what the server says of a write are texts ${where}`, async (t) => {
    const server = await consoleServer(t, kind, {release: '1.36'});
    const group = `admissionregistration.${suffixOf(kind)}`;
    await server.client.post(maps, {metadata: {name: 'settings', annotations: {note: hostile}}, data: {colour: 'blue'}});
    const policy = await server.client.post(`/apis/${group}/v1/validatingadmissionpolicies`, {
      metadata: {name: 'talks'},
      spec: {
        matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps']}]},
        validations: [{expression: 'false', messageExpression: 'string(object.metadata.annotations.note)'}],
      },
    });
    t.is(policy.status, 201, policy.body.toString());
    await server.client.post(`/apis/${group}/v1/validatingadmissionpolicybindings`, {
      metadata: {name: 'talks'},
      spec: {policyName: 'talks', validationActions: ['Deny']},
    });
    let status = 200;
    while (status < 300) ({status} = await server.client.patch(`${maps}/settings?dryRun=All`, {data: {colour: 'red'}}));
    const {page, complaints} = await adminPage(t, server, 'object/core/configmaps/default/settings');
    await page.getByRole('button', {name: 'Edit'}).click();
    await page.getByLabel('The object as YAML, edited').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('\nimmutable: true\n');
    await page.getByRole('button', {name: 'Review changes'}).click();
    await page.getByRole('alert').filter({hasText: hostile}).waitFor();
    await staysText(t, page, 'a refusal');
    await page.getByRole('link', {name: 'Why?'}).click();
    await page.getByText('denied').first().waitFor();
    t.true(await staysText(t, page, 'the verdicts of a refusal'));
    t.deepEqual(complaints, []);
  });

  inBrowser(`a user and groups whose names are scripts are shown as texts ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const {page, complaints} = await adminPage(t, server, 'access?namespace=default');
    await page.getByLabel('Act as the user').fill(hostile);
    await page.getByLabel('of the groups').fill(hostileName.replaceAll(' ', '\u00a0'));
    await page.getByRole('button', {name: 'Act as this user'}).click();
    await page.locator('header .user', {hasText: hostile}).waitFor();
    await page.getByText(`You act as ${hostile}.`).waitFor();
    await page.getByLabel('User (you if empty)').fill(hostile);
    await page.getByRole('button', {name: 'Ask', exact: true}).click();
    t.true(await staysText(t, page, 'access'));
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
    await using server = await startTestServer({enableConsole: true});
    await server.client.post(maps, {metadata: {name: 'settings'}});
    const {page, complaints} = await adminPage(t, server, 'types');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const place of addressesWith(text)) {
      await page.goto(`${server.url}/console/${place}`);
      await page.locator('main h1, main .empty').first().waitFor();
      await staysText(t, page, place);
      const forms = await page.getByLabel('Bearer token').count();
      t.is(forms, place.startsWith('signed-in') ? 1 : 0, `${place}: nobody is signed out by an address`);
    }
    t.deepEqual(
      asked.filter((path) => !known.test(path)),
      [],
    );
    t.deepEqual(complaints, []);
  });
