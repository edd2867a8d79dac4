import test from 'ava';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {consoleKinds, consoleServer} from '../../helpers/console-servers.js';
import {adminPage} from '../../helpers/console-page.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';

for (const kind of consoleKinds) {
  const where = `(${kind.store}, ${kind.platform})`;

  inBrowser(`expressions, rules and policies are tried on a stored object as they are typed ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings', labels: {tier: 'front'}}, data: {colour: 'blue'}});
    const {page, complaints} = await adminPage(t, server, 'object/core/configmaps/default/settings');
    await page.getByRole('link', {name: 'Try expressions'}).click();
    await page.locator('.result', {hasText: /^8$/}).waitFor();
    const expression = page.getByLabel('Expression', {exact: true});
    await expression.fill('object.dato.size()');
    await page.locator('.outcome pre', {hasText: "ERROR: <input>:1:7: undefined field 'dato'"}).waitFor();
    t.regex(await page.locator('.outcome pre').innerText(), /\n \| object\.dato\.size\(\)\n \| \.{6}\^/);
    await page.locator('.outcome', {hasText: 'no such key: dato'}).waitFor();
    await expression.fill('object.data.map(key, key + "!")');
    await page.locator('.result', {hasText: 'colour!'}).waitFor();
    await page.locator('.outcome small', {hasText: /type list\(dyn\)|type list/}).waitFor();
    await page.waitForURL(/text=object\.data\.map/);
    const shared = page.url();
    await page.goto(shared);
    await page.locator('.result', {hasText: 'colour!'}).waitFor();
    t.is(await expression.inputValue(), 'object.data.map(key, key + "!")', 'the address leads to the same');
    // What is typed into the object counts, stored or not.
    await page.getByLabel('The object that it is tried on, in YAML').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('apiVersion: v1\nkind: ConfigMap\ndata: {size: "3"}\n');
    await page.locator('.result', {hasText: 'size!'}).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('data: {');
    await page.getByRole('alert').filter({hasText: 'The object: '}).waitFor();
    t.deepEqual(complaints, []);
  });

  inBrowser(`a rule is tried on an update, and a policy as a whole ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings', labels: {tier: 'front'}}, data: {colour: 'blue'}});
    const {page, complaints} = await adminPage(t, server, 'playground');
    await page.getByLabel('Type').fill('configmaps');
    await page.getByLabel('in', {exact: true}).fill('default');
    await page.getByLabel('named').fill('settings');
    await page.getByRole('button', {name: 'Load'}).click();
    await page.waitForURL(/playground\/core\/configmaps\/default\/settings/);
    await page.getByLabel('A rule of a schema').check();
    await page.getByLabel('Rule', {exact: true}).fill('self.data == oldSelf.data');
    await page.locator('.outcome', {hasText: 'a rule with oldSelf is not evaluated'}).waitFor();
    await page.getByLabel('What happens to the object').selectOption('UPDATE');
    await page.locator('.result', {hasText: 'true'}).waitFor();
    await page.getByLabel('The object before').fill('data: {colour: red}');
    await page.locator('.result', {hasText: 'false'}).waitFor();
    await page.getByLabel('A whole policy').check();
    await page
      .getByLabel('Policy, in YAML')
      .fill(
        [
          'spec:',
          '  variables:',
          '  - {name: allowed, expression: params.colours}',
          '  validations:',
          '  - expression: object.data.colour in variables.allowed',
          '    messageExpression: "object.data.colour + \' is not allowed\'"',
        ].join('\n'),
      );
    await page.getByLabel('Parameters').fill('colours: [red]');
    await page.locator('.result', {hasText: 'blue is not allowed'}).waitFor();
    t.is(await page.locator('.outcome').count(), 3);
    await page.getByLabel('Parameters').fill('colours: [red, blue]');
    await page.locator('.outcome', {hasText: 'validations[0].expression'}).locator('.result', {hasText: 'true'}).waitFor();
    t.deepEqual(complaints, []);
  });
}
