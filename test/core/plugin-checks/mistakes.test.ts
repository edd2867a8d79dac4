import test, {type ExecutionContext} from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {run} from '#bundle/core/cli/run.js';
import {tempFolder} from '../../helpers/temp-folder.js';

type Json = Record<string, unknown>;
type Files = Readonly<Record<string, unknown>>;

/** What nobody but the authors of Orch understands, and what says nothing. */
const internal =
  /undefined constructor|tsyringe|Cannot read propert|is not a function|is not iterable|ENOENT|\bat Object\.|node:internal|dependency token|\[object Object\]/;

/** What `orch plugins check` prints for a plugin. */
async function check(t: ExecutionContext, files: Files): Promise<{code: number; text: string}> {
  const folder = tempFolder(t);
  const all: Files = {'package.json': {type: 'module'}, ...files};
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  let text = '';
  const write = (more: string) => (text += more);
  const code = await run(['plugins', 'check', './'], {out: {write}, err: {write}, cwd: folder});
  return {code, text};
}

const schema = {type: 'object', properties: {spec: {type: 'object', properties: {size: {type: 'integer'}, name: {type: 'string'}}}}};
const box = {
  group: 'boxes.example.com',
  names: {plural: 'boxes', singular: 'box', kind: 'Box'},
  scope: 'Namespaced',
  versions: [{name: 'v1', schema}],
};
const manifest = (more: Json): Files => ({'plugin.json': {name: 'boxes', version: '1.0.0', kernel: '*', ...more}});
const type = (more: Json): Files => manifest({contributes: {resources: [{...box, ...more}]}});
const version = (more: Json): Files => type({versions: [{...box.versions[0], ...more}]});
const shaped = (own: Json): Files => version({schema: {type: 'object', properties: {spec: {type: 'object', ...own}}}});
const permission = (more: Json): Files => manifest({permissions: [{verbs: ['get'], apiGroups: [''], resources: ['pods'], ...more}]});
const route = (path: string, more: Json = {}): Files => ({
  ...manifest({entry: './index.js', contributes: {routes: [{class: 'Figures', path, methods: ['GET'], ...more}]}}),
  'index.js': "import {route} from '@orch-api/orch/sdk';\nexport class Figures { handle() {} }\nroute()(Figures);\n",
});
const settings = (config: Json): Files => manifest({config: {type: 'object', ...config}});
const classes = (code: string, contributes: Json = {authorizers: ['Guard']}): Files => ({
  ...manifest({entry: './index.js', contributes}),
  'index.js': `import {admission, authenticator, authorizer, inject, Tokens} from '@orch-api/orch/sdk';\n${code}\n`,
});
const module = (code: string): Files => ({
  'plugin.js': `import {defineAdmission, defineAuthorizer, definePlugin, defineResource, defineRoute, defineStore} from '@orch-api/orch/sdk';\n${code}\n`,
});
const plugin = (contributions: string, head = "name: 'boxes'") => module(`export default definePlugin({${head}}, [${contributions}]);`);
const policy = {admission: [{class: 'Policy', name: 'Policy'}]};

/** What an author may get wrong, and what is said of it. */
const mistakes: Readonly<Record<string, readonly (readonly [what: string, files: Files, message: RegExp])[]>> = {
  manifest: [
    ['no name', {'plugin.json': {version: '1.0.0', kernel: '*'}}, /name is required/],
    ['a name with capitals', {'plugin.json': {name: 'Boxes', version: '1.0.0', kernel: '*'}}, /name must match/],
    ['no version', {'plugin.json': {name: 'boxes', kernel: '*'}}, /version is required/],
    ['a version of two numbers', manifest({version: '1.0'}), /version must match/],
    ['a version with v', manifest({version: 'v1.0.0'}), /version must match/],
    ['no kernel', {'plugin.json': {name: 'boxes', version: '1.0.0'}}, /kernel is required/],
    ['the kernel latest', manifest({kernel: 'latest'}), /kernel must be a range of versions such as \^\d\S+, not "latest"/],
    ['a kernel to come', manifest({kernel: '^99.0.0'}), /it works with kernel \^99\.0\.0, and this is kernel/],
    ['a misspelled member', manifest({contribute: {}}), /contribute is not a known member; did you mean contributes\?/],
    [
      'a misspelled kind',
      manifest({contributes: {authenticater: []}}),
      /authenticater is not a known member; did you mean authenticators\?/,
    ],
    ['no JSON', {'plugin.json': '{"name": }'}, /the manifest is not JSON/],
    ['a list in place of an object', {'plugin.json': []}, /must be of type object/],
    [
      'an entry that is not there',
      {...classes(''), 'index.js': '', ...manifest({entry: './nowhere.js', contributes: {authorizers: ['Guard']}})},
      /the entry module \.\/nowhere\.js does not exist/,
    ],
    ['no entry', manifest({contributes: {authorizers: ['Guard']}}), /names no entry module/],
    ['a plugin that is not there', manifest({requires: ['cellar']}), /requires the plugin cellar, which is not there/],
    [
      'a service that nobody provides',
      manifest({requires: [{service: 'a.example.com/b'}]}),
      /requires the service a\.example\.com\/b, which no plugin provides/,
    ],
    ['a requirement of itself', manifest({requires: ['boxes']}), /require each other: boxes → boxes/],
    ['the name of a built-in plugin', manifest({name: 'rbac'}), /the name is also used by/],
    ['a feature gate in small letters', manifest({featureGates: {fast: {default: false, stage: 'alpha'}}}), /fast/],
    ['a feature gate without a stage', manifest({featureGates: {Fast: {default: false}}}), /stage is required/],
    ['a class that is a number', manifest({contributes: {authorizers: [7]}}), /must be of type string/],
  ],
  'resource type': [
    ['no group', type({group: undefined}), /group is required/],
    ['a group with capitals', type({group: 'Boxes.example.com'}), /group must match/],
    ['no kind', type({names: {plural: 'boxes'}}), /kind is required/],
    ['a kind in small letters', type({names: {plural: 'boxes', kind: 'box'}}), /kind must match/],
    ['a misspelled scope', type({scope: 'Namespace'}), /scope must be one of "Namespaced", "Cluster"/],
    ['no versions', type({versions: []}), /versions must/],
    ['a version twice', type({versions: [box.versions[0], box.versions[0]]}), /the version v1 stands twice/],
    [
      'two storage versions',
      type({
        versions: [
          {...box.versions[0], storage: true},
          {...box.versions[0], name: 'v2', storage: true},
        ],
      }),
      /exactly one version must be the storage version, not 2/,
    ],
    [
      'no storage version of two',
      type({versions: [box.versions[0], {...box.versions[0], name: 'v2'}]}),
      /exactly one version must be the storage version, not 0/,
    ],
    ['no schema', version({schema: undefined}), /schema is required/],
    [
      'a schema file that is not there',
      version({schema: './boxes.json#/definitions/Box'}),
      /^orch: plugin boxes: the schema file \.\/boxes\.json#\/definitions\/Box does not exist[^\n]*$/m,
    ],
    [
      'a definition that is not there',
      {...version({schema: './boxes.json#/definitions/Bix'}), 'boxes.json': {definitions: {Box: schema}}},
      /Bix/,
    ],
    ['a schema file that is no JSON', {...version({schema: './boxes.json#/definitions/Box'}), 'boxes.json': '{'}, /is no schema file/],
    ['a misspelled subresource', version({subresources: {statuss: {}}}), /would not be served/],
    ['a column path without a dot', version({printerColumns: [{name: 'Size', type: 'integer', jsonPath: 'spec.size'}]}), /jsonPath/],
    [
      'a column type that there is not',
      version({printerColumns: [{name: 'Size', type: 'int', jsonPath: '.spec.size'}]}),
      /type must be one of/,
    ],
    ['a selectable field that there is not', version({selectableFields: ['spec.colour']}), /does not refer to a valid field/],
    ['a scale without paths', version({subresources: {scale: {}}}), /specReplicasPath/],
    ['the type of a built-in plugin', type({group: 'apps', names: {plural: 'deployments', kind: 'Deployment'}}), /is also contributed by/],
    ['a misspelled behaviour', type({behaviour: {generaton: 'spec'}}), /generaton is not a known member; did you mean generation\?/],
  ],
  schema: [
    [
      'a required field that there is not',
      shaped({properties: {size: {type: 'integer'}}, required: ['sise']}),
      /requires sise, which it does not have; did you mean size\?.*spec\.required/,
    ],
    ['a type that there is not', shaped({properties: {size: {type: 'int'}}}), /must be one of/],
    ['no type', shaped({properties: {size: {minimum: 1}}}), /must not be empty for specified object fields/],
    ['a misspelled keyword', shaped({propertys: {}}), /propertys is not a known member; did you mean properties\?/],
    ['a bound that is a text', shaped({properties: {size: {type: 'integer', minimum: '1'}}}), /minimum must be of type number/],
    ['a pattern that is none', shaped({properties: {name: {type: 'string', pattern: '('}}}), /pattern/],
    ['a default of another type', shaped({properties: {size: {type: 'integer', default: 'one'}}}), /default/],
    [
      'a rule that does not parse',
      shaped({properties: {size: {type: 'integer'}}, 'x-kubernetes-validations': [{rule: 'self.size >'}]}),
      /x-kubernetes-validations/,
    ],
    [
      'a rule about nothing',
      shaped({properties: {size: {type: 'integer'}}, 'x-kubernetes-validations': [{rule: 'self.sise > 1'}]}),
      /undefined field 'sise'/,
    ],
    ['a list without items', shaped({properties: {all: {type: 'array'}}}), /items/],
    ['a reference to nowhere', shaped({properties: {size: {$ref: '#/definitions/Size'}}}), /Size/],
  ],
  permissions: [
    ['a misspelled verb', permission({verbs: ['gett']}), /asks for the verb "gett", which there is not; did you mean get\?/],
    ['a verb with a capital', permission({verbs: ['List']}), /asks for the verb "List", which there is not; did you mean list\?/],
    [
      'a verb of a controller',
      manifest({
        contributes: {controllers: [{class: 'C', name: 'c', permissions: [{verbs: ['wach'], apiGroups: [''], resources: ['pods']}]}]},
      }),
      /"wach".*did you mean watch\?.*controllers\[0\]\.permissions\[0\]\.verbs\[0\]/,
    ],
    ['no groups', permission({apiGroups: undefined}), /apiGroups is required/],
    ['no verbs', permission({verbs: []}), /verbs must/],
    ['a misspelled member', permission({resource: ['pods']}), /resource is not a known member; did you mean/],
  ],
  routes: [
    ['a path of health checks', route('/healthz'), /the route \/healthz would never be called: the server answers there itself/],
    ['a path of resources', route('/api/v1/pods'), /\/api\/v1\/pods would never be called/],
    ['everything below the groups', route('/apis/*'), /\/apis\/\* would never be called/],
    ['a path of the discovery', route('/apis'), /\/apis would never be called/],
    ['the metrics', route('/metrics'), /\/metrics would never be called/],
    ['the version', route('/version'), /\/version would never be called/],
    ['the root', route('/'), /would never be called/],
    ['the documents', route('/openapi/v3'), /would never be called/],
    ['a path without a slash', route('figures'), /path must match/],
    ['a method in small letters', route('/figures', {methods: ['get']}), /methods\[0\] must match/],
    ['a misspelled longRunning', route('/figures', {longrunning: true}), /did you mean longRunning\?/],
  ],
  settings: [
    ['a misspelled format', settings({properties: {file: {type: 'string', format: 'pth'}}}), /there is no format pth; did you mean path\?/],
    [
      'a format inside a list',
      settings({properties: {files: {type: 'array', items: {type: 'string', format: 'url'}}}}),
      /there is no format url; did you mean uri\? \(config\.properties\.files\.items\.format/,
    ],
    [
      'the value of a plugin that is not there',
      settings({properties: {key: {type: 'string', sameAs: 'oidk.caFile'}}}),
      /there is no plugin oidk; did you mean oidc\?/,
    ],
    [
      'the value of a setting that is not there',
      settings({properties: {key: {type: 'string', sameAs: 'oidc.caFil'}}}),
      /oidc\.caFil, which is no setting/,
    ],
    ['no object', manifest({config: {type: 'string'}}), /config\.type must be/],
    ['a type that there is not', settings({properties: {size: {type: 'int'}}}), /must be one of/],
    [
      'a default of another type',
      settings({properties: {size: {type: 'integer', default: 'one'}}}),
      /the default of size must be of type integer/,
    ],
    ['a misspelled keyword', settings({properties: {size: {type: 'integer', minimun: 1}}}), /minimun/],
    ['a flag of the server', settings({properties: {size: {type: 'integer', flag: 'secure-port'}}}), /secure-port/],
  ],
  classes: [
    ['a syntax error', classes('export class Guard {;;'), /index\.js:2/],
    ['no such export', classes('export class Gaurd {}'), /declares the authorizer Guard, but \.\/index\.js has no such export/],
    ['no decorator', classes('export class Guard { authorize() {} }'), /no class decorated with @authorizer/],
    ['another decorator', classes('export class Guard { authorize() {} }\nauthenticator()(Guard);'), /is decorated with @authenticator/],
    [
      'the decorator of another kind on its methods',
      classes('export class Guard { authenticate() {} }\nauthorizer()(Guard);'),
      /the authorizer Guard has no method authorize/,
    ],
    ['no method', classes('export class Guard {}\nauthorizer()(Guard);'), /the authorizer Guard has no method authorize/],
    [
      'a misspelled method',
      classes('export class Guard { authorise() {} }\nauthorizer()(Guard);'),
      /has a method authorise, which nobody calls; did you mean authorize\?/,
    ],
    [
      'a misspelled second method',
      classes('export class Guard { authorize() {} stopp() {} }\nauthorizer()(Guard);'),
      /did you mean stop\?/,
    ],
    [
      'no @inject',
      classes('export class Guard { constructor(logger) {} authorize() {} }\nauthorizer()(Guard);'),
      /parameter 1 of its constructor has no @inject/,
    ],
    [
      'an unknown token',
      classes('export class Guard { constructor(a) {} authorize() {} }\ninject(Tokens.Loger)(Guard, undefined, 0);\nauthorizer()(Guard);'),
      /@inject was given undefined: there is no such token/,
    ],
    [
      'an undeclared class',
      classes('export class Guard { authorize() {} }\nauthorizer()(Guard);\nexport class More { authorize() {} }\nauthorizer()(More);'),
      /exports the authorizer More, which the manifest does not name/,
    ],
    ['an exception at the import', classes("throw new RangeError('no shelf');"), /no shelf at \S+index\.js:2:7/],
    [
      'operations that there are not',
      classes("export class Policy { validate() {} }\nadmission({operations: ['CREAT']})(Policy);", policy),
      /"CREAT" is none; did you mean CREATE\?/,
    ],
    [
      'an option that there is not',
      classes("export class Policy { validate() {} }\nadmission({operations: ['CREATE'], resorces: ['pods']})(Policy);", policy),
      /resorces is not a known member; did you mean resources\?/,
    ],
    [
      'a resource that nobody serves',
      classes(
        "export class Policy { validate() {} }\nadmission({operations: ['CREATE'], resources: ['deploymens.apps']})(Policy);",
        policy,
      ),
      /did you mean deployments\.apps\?/,
    ],
  ],
  functions: [
    ['no default export', module("export const a = definePlugin({name: 'boxes'}, []);"), /default export was not made by definePlugin/],
    ['no name', plugin('', ''), /name is required/],
    ['a misspelled member', plugin('', "name: 'boxes', permision: []"), /permision is not a known member; did you mean permissions\?/],
    [
      'a route of the server',
      plugin("defineRoute({path: '/healthz', methods: ['GET'], create: () => ({handle() {}})})"),
      /would never be called/,
    ],
    [
      'a permission',
      plugin('', "name: 'boxes', permissions: [{verbs: ['gett'], apiGroups: [''], resources: ['pods']}]"),
      /did you mean get\?/,
    ],
    [
      'a misspelled option',
      plugin("defineAdmission({name: 'P', operations: ['CREATE'], resorces: ['pods'], create: () => ({validate() {}})})"),
      /did you mean resources\?/,
    ],
    [
      'an order that is a text',
      plugin("defineAuthorizer({name: 'A', order: '5', create: () => ({authorize() {}})})"),
      /order must be a number, not "5"/,
    ],
    ['a store without schemes', plugin('defineStore({create: () => ({open() {}})})'), /schemes is required/],
    ['no list', module("export default definePlugin({name: 'boxes'});"), /needs a list of contributions/],
    [
      'two of one name',
      plugin(
        "defineRoute({path: '/a', methods: ['GET'], create: () => ({handle() {}})}), defineRoute({path: '/a', methods: ['GET'], create: () => ({handle() {}})})",
      ),
      /is also contributed by/,
    ],
    [
      'an import that there is not',
      module("import {nothing} from '@orch-api/orch/sdk';\nexport default nothing;"),
      /named 'nothing' at \S+plugin\.js:2/,
    ],
    [
      'a package that is not there',
      module("import a from 'no-such-package-here';\nexport default a;"),
      /Cannot find package 'no-such-package-here'/,
    ],
  ],
};

for (const [kind, rows] of Object.entries(mistakes)) {
  for (const [what, files, message] of rows) {
    test(`a mistake in ${kind} is refused with a reason: ${what}`, async (t) => {
      const {code, text} = await check(t, files);
      t.is(code, 1, text);
      t.regex(text, message);
      t.notRegex(text.replaceAll(/^\s+at .*$/gm, ''), internal);
    });
  }
}

const doubts: readonly (readonly [what: string, files: Files, message: RegExp])[] = [
  [
    'a group that nobody serves',
    permission({apiGroups: ['app']}),
    /warning: plugin boxes: no plugin serves the group "app"; did you mean apps\? \(permissions\[0\]\.apiGroups\)/,
  ],
  [
    'a resource that nobody serves',
    permission({resources: ['secretss']}),
    /warning: plugin boxes: no plugin serves secretss in the core group; did you mean secrets\?/,
  ],
  [
    'a subresource that nobody serves',
    permission({resources: ['pods/statu']}),
    /no plugin serves pods\/statu in the core group; did you mean pods\/status\?/,
  ],
];
for (const [what, files, message] of doubts) {
  test(`a permission for ${what} is accepted with a warning: a definition may bring it later`, async (t) => {
    const {code, text} = await check(t, files);
    t.is(code, 0, text);
    t.regex(text, message);
  });
}

const right: readonly (readonly [what: string, files: Files])[] = [
  ['methods that are fields', classes('export class Guard { authorize = () => undefined; }\nauthorizer()(Guard);')],
  ['methods that a base class has', classes('class Base { authorize() {} }\nexport class Guard extends Base {}\nauthorizer()(Guard);')],
  ['required fields of an open object', shaped({required: ['any'], 'x-kubernetes-preserve-unknown-fields': true})],
  ['permissions for everything', permission({verbs: ['*'], apiGroups: ['*'], resources: ['*']})],
  ['permissions for subresources of every type', permission({resources: ['*/status', 'pods/*']})],
  ['a path below a health check', route('/figures/healthz')],
];
for (const [what, files] of right) {
  test(`what is no mistake is accepted without a word: ${what}`, async (t) => {
    t.deepEqual(await check(t, files), {code: 0, text: '1 plugin checked: boxes\n'});
  });
}
