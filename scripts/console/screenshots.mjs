// Makes the pictures of docs/console.md: a server with a few objects, shown by Chromium.
//
//   npm run screenshots [-- --out DIR] [--only NAME,NAME]
import '../require-node.mjs';
import {mkdirSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {launchChromium} from './launch-chromium.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {values} = parseArgs({options: {out: {type: 'string', default: 'docs/images'}, only: {type: 'string'}}});
const out = resolve(root, values.out);
const {startTestServer} = await import(join(root, 'dist/bundle/testing/index.js'));

const fruits = [
  'apple',
  'banana',
  'cherry',
  'date',
  'elderberry',
  'fig',
  'grape',
  'kiwi',
  'lemon',
  'mango',
  'nectarine',
  'orange',
  'papaya',
];
const rooms = ['shop', 'stock'];
const maps = (namespace) => `/api/v1/namespaces/${namespace}/configmaps`;

async function furnish({client}) {
  for (const name of rooms) await client.post('/api/v1/namespaces', {metadata: {name}});
  for (const [index, name] of fruits.entries()) {
    const data = Object.fromEntries(fruits.slice(0, (index % 4) + 1).map((key) => [key, String(index)]));
    await client.post(maps(rooms[index % 2]), {metadata: {name, labels: {tier: index % 3 === 0 ? 'front' : 'back'}}, data});
  }
  await client.post(maps('shop'), {metadata: {name: 'settings'}, data: {colour: 'blue', size: 'small', greeting: 'hello'}});
}

/** Workloads, of which one rolls out. */
async function furnishCluster(server) {
  const {client} = server;
  const labels = (app) => ({app});
  for (const [app, replicas] of [
    ['shop', 8],
    ['stock', 5],
    ['mail', 3],
  ])
    await client.post('/apis/apps/v1/namespaces/default/deployments', {
      metadata: {name: app},
      spec: {
        replicas,
        selector: {matchLabels: labels(app)},
        template: {metadata: {labels: labels(app)}, spec: {containers: [{name: app, image: `registry.example.com/${app}:1`}]}},
      },
    });
  await server.settled();
}

/** A Deployment that has been rolled out twice, and an object that somebody has changed. */
async function furnishMore(server) {
  const {client} = server;
  const template = (image) => ({
    metadata: {labels: {app: 'web'}},
    spec: {containers: [{name: 'web', image: `registry.example.com/web:${image}`}]},
  });
  const spec = {replicas: 3, selector: {matchLabels: {app: 'web'}}};
  const web = '/apis/apps/v1/namespaces/shop/deployments';
  await client.post(web, {metadata: {name: 'web'}, spec: {...spec, template: template('1')}});
  await server.settled();
  await client.patch(`${web}/web`, {spec: {template: template('2')}});
  await server.settled();
  await client.patch(`${maps('shop')}/settings?fieldManager=painter`, {data: {colour: 'green'}});
  await client.patch(`${maps('shop')}/settings?fieldManager=greeter`, {data: {greeting: 'welcome'}});
}

/** @returns the id of a request that a policy has refused */
async function refusedRequest({client}) {
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  await client.post(policies, {
    metadata: {name: 'tiers'},
    spec: {
      matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps']}]},
      validations: [{expression: 'has(object.metadata.labels) && "tier" in object.metadata.labels', message: 'config maps need a tier'}],
    },
  });
  await client.post(`${policies.replace('policies', 'policybindings')}`, {
    metadata: {name: 'tiers-everywhere'},
    spec: {policyName: 'tiers', validationActions: ['Deny']},
  });
  for (let tries = 0; tries < 1000; tries += 1) {
    const answer = await client.post(`${maps('stock')}?dryRun=All`, {metadata: {name: 'melon'}});
    if (answer.status === 422) return answer.headers['audit-id'];
  }
  throw new Error('the policy refuses nothing');
}

/** Some requests, for the curves. */
async function keepBusy({client}, signal) {
  for (let round = 0; !signal.aborted; round += 1) {
    const requests = Array.from({length: 10 + (round % 7) * 6}, (_, index) =>
      index % 5 === 0 ? client.patch(`${maps('shop')}/settings`, {data: {round: String(round)}}) : client.get(maps('stock')),
    );
    await Promise.all(requests);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const browser = await launchChromium();
mkdirSync(out, {recursive: true});
const server = await startTestServer({enableConsole: true, platform: 'kubernetes', cluster: {nodes: 3}});
try {
  await furnish(server);
  const shoot = (...parts) => shootOn(server, ...parts);
  const shootOn = async (server, name, path, work, colorScheme = 'light') => {
    if (values.only !== undefined && !values.only.split(',').includes(name)) return;
    const context = await browser.newContext({ignoreHTTPSErrors: true, viewport: {width: 1180, height: 600}, colorScheme});
    const page = await context.newPage();
    const link = (await server.client.post('/console/links')).json().path;
    await page.goto(`${server.url}${link}`);
    await page.locator('header .user').waitFor();
    await page.goto(`${server.url}/console/${path}`);
    await work(page);
    await page.screenshot({path: join(out, `${name}.png`)});
    await context.close();
    console.log(`wrote ${join(values.out, `${name}.png`)}`);
  };
  await shoot('console-list', 'objects/core/configmaps?search=a', async (page) => {
    await page.getByText('Live', {exact: true}).waitFor();
    for (const name of ['banana', 'grape']) await page.getByLabel(`Select ${name}`, {exact: true}).check();
  });
  await shoot('console-review', 'object/core/configmaps/shop/settings', async (page) => {
    await page.getByRole('button', {name: 'Edit'}).click();
    const content = page.getByLabel('The object as YAML, edited');
    await content.waitFor();
    const lines = await page.locator('.cm-line').allInnerTexts();
    await content.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(
      lines
        .map((line) => line.replace('\n', ''))
        .join('\n')
        .replace('colour: blue', 'colour: red'),
    );
    await page.getByRole('button', {name: 'Review changes'}).click();
    await page.locator('.cm-deletedChunk').waitFor();
  });
  await furnishMore(server);
  await shoot('console-changes', 'object/core/configmaps/shop/settings?tab=changes', async (page) => {
    await page.locator('.cm-deletedChunk').first().waitFor();
  });
  await shoot('console-owners', 'object/apps/deployments/shop/web?tab=owners', async (page) => {
    await page
      .getByRole('link', {name: /^Pod web/})
      .nth(2)
      .waitFor();
  });
  await shoot('console-why', `why/${await refusedRequest(server)}`, async (page) => {
    await page.getByText('denied').first().waitFor();
  });
  const tried = new URLSearchParams({text: 'object.spec.template.spec.containers.all(each,\n  !each.imgae.endsWith(":latest"))'});
  await shoot('console-playground', `playground/apps/deployments/shop/web?${tried}`, async (page) => {
    await page.locator('.outcome pre').waitFor();
  });
  const busy = new AbortController();
  const work = keepBusy(server, busy.signal);
  await shoot(
    'console-server',
    'server',
    async (page) => {
      await page.locator('.charts figure').first().waitFor();
      await page.waitForTimeout(40_000);
      await page.getByRole('heading', {name: 'Metrics'}).evaluate((element) => element.scrollIntoView());
    },
    'dark',
  );
  busy.abort();
  await work;
  await using cluster = await startTestServer({enableConsole: true, platform: 'kubernetes', cluster: {nodes: '6:zones=a+b+c'}});
  await furnishCluster(cluster);
  await shootOn(cluster, 'console-cluster', 'cluster', async (page) => {
    await page.locator('.pod.running').nth(8).waitFor();
    const down = page.getByRole('button', {name: /^down: node node-[25]$/});
    for (const button of await down.all()) await button.click();
    await page.getByRole('button', {name: 'down: node node-5', pressed: true}).waitFor();
    await cluster.advance(60_000);
    await page.getByText('NotReady').nth(1).waitFor();
  });
  await using extended = await startTestServer({
    enableConsole: true,
    platform: 'kubernetes',
    plugins: [join(root, 'dist/examples/console-views')],
  });
  await furnish(extended);
  await shootOn(extended, 'console-views', 'types', async (page) => {
    await page.frameLocator('iframe').getByText('stock: 6').waitFor();
  });
} finally {
  await browser.close();
  await server.stop();
}
