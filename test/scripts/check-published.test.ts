import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {fileTree, runScript} from '../helpers/run-script.js';

const advice = 'what is published stays as long as its version is served: bring it back, or raise the version';

const document = {
  group: 'shop.orch',
  version: 'v1',
  definitions: {
    Widget: {type: 'object', properties: {kind: {type: 'string'}, spec: {$ref: '#/definitions/WidgetSpec'}}},
    WidgetSpec: {
      type: 'object',
      properties: {
        size: {type: 'integer', format: 'int32'},
        colour: {type: 'string', enum: ['Blue', 'Red']},
        parts: {type: 'array', items: {$ref: '#/definitions/Part'}},
        limits: {type: 'object', additionalProperties: {type: 'integer'}},
      },
    },
    Part: {type: 'object', properties: {name: {type: 'string'}, nested: {type: 'object', properties: {deep: {type: 'boolean'}}}}},
  },
};
const code =
  "export const mark = (naming) => naming.key('shop.orch/default');\nconst other = 'sale.shop.orch/ends';\nconst trial = 'alpha.shop.orch/trial';\n";

interface Tree {
  readonly lifetime: Record<string, string>;
  readonly document: typeof document;
  readonly verbs: string[];
  readonly subresources: Record<string, object>;
  readonly resources: boolean;
  readonly code: string;
}

/** A tree with one published type; `change` alters it and runs the check. */
async function published(t: ExecutionContext, first: Partial<Tree> = {}) {
  const texts = (tree: Tree) => ({
    'plugins/resources/shop/v1.schema.json': JSON.stringify(tree.document),
    'plugins/resources/shop/mark.ts': tree.code,
    'plugins/resources/shop/plugin.json': JSON.stringify({
      contributes: {
        resources: tree.resources
          ? [
              {
                group: 'shop.orch',
                names: {plural: 'widgets', kind: 'Widget'},
                scope: 'Namespaced',
                verbs: tree.verbs,
                versions: [
                  {name: 'v1', lifetime: tree.lifetime, schema: 'v1.schema.json#/definitions/Widget', subresources: tree.subresources},
                ],
              },
            ]
          : [],
      },
    }),
  });
  const start: Tree = {
    lifetime: {introduced: '1.20'},
    document,
    verbs: ['get', 'list'],
    subresources: {status: {}},
    resources: true,
    code,
    ...first,
  };
  const root = fileTree(t, {
    ...texts(start),
    'sdk/schemas/none.json': '{}',
    'core/api/lifetimes/releases.ts': "export const promiseRelease = '1.26';\n",
  });
  const check = async (...args: string[]) => {
    const {code: exit, output} = await runScript('check-published.mjs', ['--root', root, ...args]);
    const lines = output.trimEnd().split('\n').slice(0, -1);
    return {exit, lines: lines.filter((line) => line !== advice), advised: lines.includes(advice)};
  };
  t.deepEqual(await check('--update'), {exit: 0, lines: [], advised: false});
  const change = async (changes: Partial<Tree>, ...args: string[]) => {
    for (const [path, text] of Object.entries(texts({...start, ...changes}))) writeFileSync(join(root, path), text);
    return check(...args);
  };
  return {root, check, change};
}

/** The document with one change, made in a copy. */
function changed(change: (definitions: Record<string, {properties: Record<string, unknown>}>) => void): {document: typeof document} {
  const copy = structuredClone(document);
  change(copy.definitions as never);
  return {document: copy};
}

const refused = (...lines: string[]) => ({exit: 1, lines, advised: true});

test('[B-DEPR-1] the check fails for a resource that is gone, and also when it is told to update', async (t) => {
  const {change, root} = await published(t);
  const lost = ['shop.orch/v1: the resource widgets is gone'];
  t.deepEqual(await change({resources: false}), refused(...lost));
  const before = readFileSync(join(root, 'docs/api/shop.orch.v1.json'), 'utf8');
  t.deepEqual(await change({resources: false}, '--update'), refused(...lost));
  t.is(readFileSync(join(root, 'docs/api/shop.orch.v1.json'), 'utf8'), before);
});

test('[B-DEPR-1] the check fails for a field that is gone, wherever it stands, and for one of another type', async (t) => {
  const {change} = await published(t);
  const cases: readonly (readonly [ReturnType<typeof changed>, string])[] = [
    [changed(({WidgetSpec}) => delete WidgetSpec!.properties['size']), 'the field spec.size is gone'],
    [changed(({WidgetSpec}) => delete WidgetSpec!.properties['parts']), 'the field spec.parts[] is gone'],
    [changed(({Part}) => delete Part!.properties['name']), 'the field spec.parts[].name is gone'],
    [
      changed(({Part}) => (Part!.properties['nested'] = {type: 'object', properties: {other: {type: 'boolean'}}})),
      'the field spec.parts[].nested.deep is gone',
    ],
    [changed(({Widget}) => delete Widget!.properties['spec']), 'the field spec is gone'],
    [changed(({WidgetSpec}) => (WidgetSpec!.properties['size'] = {type: 'string'})), 'the field spec.size was integer int32 and is string'],
    [
      changed(({WidgetSpec}) => (WidgetSpec!.properties['limits'] = {type: 'object', additionalProperties: {type: 'string'}})),
      'the field spec.limits{} was integer and is string',
    ],
  ];
  for (const [tree, line] of cases) t.deepEqual(await change(tree), refused(`shop.orch/v1 widgets: ${line}`));
});

test('[B-DEPR-1] the check fails for an enumerated value that is gone, and for a field that becomes an enumeration', async (t) => {
  const {change} = await published(t);
  const lessColour = changed(({WidgetSpec}) => (WidgetSpec!.properties['colour'] = {type: 'string', enum: ['Blue', 'Green']}));
  t.deepEqual(await change(lessColour), refused('shop.orch/v1 widgets: the field spec.colour does not take Red any more'));
  const named = changed(({Part}) => (Part!.properties['name'] = {type: 'string', enum: ['Wheel']}));
  t.deepEqual(await change(named), refused('shop.orch/v1 widgets: the field spec.parts[].name took any value and takes Wheel only'));
});

test('[B-DEPR-1] the check fails for an annotation that the code knows no more, unless it is an alpha one', async (t) => {
  const {change, root} = await published(t);
  t.deepEqual(JSON.parse(readFileSync(join(root, 'docs/api/reserved-keys.json'), 'utf8')), {
    keys: {'sale.shop.orch/ends': 'shop.orch', 'shop.orch/default': 'shop.orch'},
  });
  t.deepEqual(
    await change({code: code.split('\n').slice(1).join('\n')}),
    refused('the key shop.orch/default (shop.orch) means nothing any more'),
  );
  t.deepEqual(
    await change({code: ''}),
    refused(
      'the key sale.shop.orch/ends (shop.orch) means nothing any more',
      'the key shop.orch/default (shop.orch) means nothing any more',
    ),
  );
  t.deepEqual(await change({code: code.split('\n').slice(0, 2).join('\n')}), {exit: 0, lines: [], advised: false});
});

test('the check fails for a verb or subresource that is gone', async (t) => {
  const {change} = await published(t);
  t.deepEqual(await change({verbs: ['get']}), refused('shop.orch/v1 widgets: the verb list is gone'));
  t.deepEqual(await change({subresources: {}}), refused('shop.orch/v1 widgets: the subresource status is gone'));
  t.deepEqual(
    await change({subresources: {status: {verbs: ['get', 'update']}}}),
    refused('shop.orch/v1 widgets/status: the verb patch is gone'),
  );
});

test('[B-DEPR-1] with its version a resource may go, and what it consists of, in the release that its lifetime names', async (t) => {
  const {change, root} = await published(t, {lifetime: {introduced: '1.20', deprecated: '1.23', removed: '1.27'}});
  t.true((await change({resources: false, code: ''}, '--release', '1.26')).advised);
  t.deepEqual(await change({resources: false, code: ''}, '--release', '1.27', '--update'), {exit: 0, lines: [], advised: false});
  t.deepEqual(JSON.parse(readFileSync(join(root, 'docs/api/reserved-keys.json'), 'utf8')), {keys: {}});
  t.throws(() => readFileSync(join(root, 'docs/api/shop.orch.v1.json')));
});

test('additions are no loss; they have to be written down', async (t) => {
  const {change, check} = await published(t);
  const more = {
    ...changed(({WidgetSpec}) =>
      Object.assign(WidgetSpec!.properties, {weight: {type: 'number'}, colour: {type: 'string', enum: ['Blue', 'Green', 'Red']}}),
    ),
    verbs: ['get', 'list', 'watch'],
  };
  t.deepEqual(await change(more), {
    exit: 1,
    lines: ['docs/api/shop.orch.v1.json: not what is there now; npm exec -- node scripts/check-published.mjs --update writes it'],
    advised: false,
  });
  t.is((await check('--update')).exit, 0);
  t.is((await check()).exit, 0);
  t.deepEqual(
    await change({verbs: ['get', 'list', 'watch']}),
    refused(
      'shop.orch/v1 widgets: the field spec.colour does not take Green any more',
      'shop.orch/v1 widgets: the field spec.weight is gone',
    ),
  );
});

test('a definition may get another name', async (t) => {
  const {change} = await published(t);
  const {Part, ...others} = document.definitions;
  const renamed = JSON.parse(
    JSON.stringify({...document, definitions: {...others, WidgetPart: Part}}).replace('definitions/Part', 'definitions/WidgetPart'),
  ) as typeof document;
  const {lines} = await change({document: renamed});
  t.deepEqual(lines, [
    'docs/api/shop.orch.v1.json: not what is there now; npm exec -- node scripts/check-published.mjs --update writes it',
  ]);
});

test('a published file that is missing is noticed', async (t) => {
  const {check, root} = await published(t);
  rmSync(join(root, 'docs/api/shop.orch.v1.json'));
  t.deepEqual((await check()).lines, [
    'docs/api/shop.orch.v1.json: not what is there now; npm exec -- node scripts/check-published.mjs --update writes it',
  ]);
});
