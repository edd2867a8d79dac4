import test from 'ava';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {defaultReleaseOf} from '../../../core/api/lifetimes/releases.js';
import {problemText} from '../../../core/kernel/kernel-error.js';
import {PluginCatalogue} from '../../../core/kernel/selection/plugin-catalogue.js';
import {select} from '../../../core/kernel/selection/select.js';
import {thoroughProblems} from '../../../core/plugin-checks/thorough-problems.js';
import {resolveNaming} from '../../../core/options/resolve-naming.js';
import {projectRoot} from '../../helpers/project-root.js';
import {Random} from '../../helpers/random.js';

const naming = resolveNaming(undefined, undefined);
const variants = 200;

/** The built examples that are plugins, with their schema files. */
const examples: readonly {readonly name: string; readonly schemas: readonly string[]; readonly hasCode: boolean}[] = [
  {name: 'admission-required-labels', schemas: [], hasCode: true},
  {name: 'authenticator-api-keys', schemas: [], hasCode: true},
  {name: 'backups-controller', schemas: ['backups.schema.json'], hasCode: true},
  {name: 'resource-schema-only', schemas: ['widgets.schema.json'], hasCode: false},
  {name: 'resource-with-strategy', schemas: ['reservations.schema.json'], hasCode: true},
  {name: 'webhook-caller-signed', schemas: [], hasCode: true},
];

type Json = Record<string, unknown>;

/** A way to break a plugin; answers what was broken, or undefined where there is nothing of the kind. */
type Mutation = (parts: {manifest: Json; schemas: Json[]; random: Random}) => string | undefined;

/** Every object inside a value that `accept` wants. */
function parts(value: unknown, accept: (part: Json) => boolean): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap((each) => parts(each, accept));
  return !Array.isArray(value) && accept(value as Json) ? [value as Json, ...inner] : inner;
}

const schemaParts = (schemas: readonly Json[], accept: (part: Json) => boolean) =>
  schemas.flatMap(({definitions}) => parts(definitions, (part) => typeof part['type'] === 'string' && accept(part)));
const versionsOf = (manifest: Json) => parts(manifest, (part) => 'schema' in part && 'name' in part);
const misspelled = (name: string, random: Random) => {
  const at = 1 + random.below(name.length - 1);
  return `${name.slice(0, at)}${name[at] === 'z' ? 'q' : 'z'}${name.slice(at)}`;
};
function rename(part: Json | undefined, from: string | undefined, random: Random): string | undefined {
  if (part === undefined || from === undefined) return undefined;
  const to = misspelled(from, random);
  part[to] = part[from];
  delete part[from];
  return `${from} became ${to}`;
}

const mutations: Readonly<Record<string, Mutation>> = {
  'keyword of a schema': ({schemas, random}) => {
    const part = random.pick(schemaParts(schemas, () => true));
    return rename(part, part && random.pick(Object.keys(part).filter((key) => !key.startsWith('x-') || key !== 'type')), random);
  },
  'type in a schema': ({schemas, random}) => {
    const part = random.pick(schemaParts(schemas, () => true));
    return part && `type ${String(part['type'])} became ${String((part['type'] = random.pick(['objekt', 'int', 'null', '', 7])))}`;
  },
  'no type in a schema': ({schemas, random}) => {
    const part = random.pick(schemaParts(schemas, () => true));
    return part && delete part['type'] ? 'type is gone' : undefined;
  },
  'bound in a schema': ({schemas, random}) => {
    const part = random.pick(schemaParts(schemas, () => true));
    const keyword = random.pick(['minLength', 'maxItems', 'minimum', 'maximum', 'nullable', 'uniqueItems', 'pattern', 'enum']);
    if (part) part[keyword] = keyword === 'pattern' ? '(' : keyword === 'enum' ? [] : 'one';
    return part && `${keyword} is wrong`;
  },
  'reference in a schema': ({schemas, random}) => {
    const part = random.pick(schemaParts(schemas, ({properties}) => typeof properties === 'object'));
    if (part) (part['properties'] as Json)['lost'] = {$ref: '#/definitions/Lost'};
    return part && 'a reference to nowhere';
  },
  'default in a schema': ({schemas, random}) => {
    const part = random.pick(schemaParts(schemas, ({type}) => type !== 'object' && type !== 'array'));
    if (part) part['default'] = {};
    return part && 'a default of another type';
  },
  'rule in a schema': ({schemas, random}) => {
    const part = random.pick(schemaParts(schemas, ({type}) => type === 'object'));
    if (part) part['x-kubernetes-validations'] = [{rule: random.pick(['self.nothing ==', 'self.nowhere == 1', '1 + 1', ''])}];
    return part && 'a rule that does not work';
  },
  'name of the definition': ({manifest, random}) => {
    const version = random.pick(versionsOf(manifest));
    if (version) version['schema'] = `${String(version['schema'])}z`;
    return version && 'schema names nothing';
  },
  'path of a column': ({manifest, random}) => {
    const column = random.pick(parts(manifest, (part) => typeof part['jsonPath'] === 'string'));
    if (column) column['jsonPath'] = random.pick(['spec.a', '.spec[', '.spec[?(', '', '{.spec}']);
    return column && `jsonPath became ${String(column['jsonPath'])}`;
  },
  subresource: ({manifest, random}) => {
    const version = random.pick(versionsOf(manifest));
    if (version) version['subresources'] = {polish: {}, ...(version['subresources'] as Json)};
    return version && 'a subresource that nobody serves';
  },
  scale: ({manifest, random}) => {
    const version = random.pick(versionsOf(manifest));
    const scale = {specReplicasPath: '.spec.nowhere', statusReplicasPath: '.status.nowhere'};
    if (version) version['subresources'] = {...(version['subresources'] as Json), scale};
    return version && 'scale leads to nothing';
  },
  'member of the manifest': ({manifest, random}) => {
    // Names of subresources are the plugin's choice.
    const fixed = ['status', '$schema', 'description', 'type', 'default', 'items', 'properties', 'required'];
    const part = random.pick(parts({...manifest, config: {}}, (each) => Object.keys(each).some((key) => !fixed.includes(key))));
    const own = part && (part['contributes'] === manifest['contributes'] ? manifest : part);
    return rename(own, own && random.pick(Object.keys(own).filter((key) => !fixed.includes(key))), random);
  },
  class: ({manifest, random}) => {
    const text = JSON.stringify(manifest['contributes']);
    const names = [...text.matchAll(/"(?:class|strategy)":"(\w+)"|"(?:authenticators|webhookCallers)":\["(\w+)"/g)].map(
      (match) => match[1] ?? match[2]!,
    );
    const name = random.pick(names);
    if (name) manifest['contributes'] = JSON.parse(text.replaceAll(`"${name}"`, `"${misspelled(name, random)}"`));
    return name && `the class ${name} is called otherwise`;
  },
  'version or name': ({manifest, random}) => {
    const [member, value] = random.pick([
      ['version', 'one'],
      ['name', 'A B'],
      ['kernel', '^99.0.0'],
      ['entry', './nowhere.js'],
    ] as const);
    manifest[member] = value;
    return `${member} became ${value}`;
  },
};

test(`${variants} broken variants of the examples: the check accepts none and never fails itself`, async (t) => {
  const seed = Number(process.env['ORCH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'orch-mutated-'));
  t.teardown(() => rmSync(folder, {recursive: true}));
  const found = new Map<string, number>();
  for (let count = 0; count < variants;) {
    const example = random.pick(examples);
    const kind = random.pick(Object.keys(mutations));
    const place = join(folder, String(count));
    cpSync(join(projectRoot(), 'dist/examples', example.name), place, {recursive: true});
    const manifest = JSON.parse(readFileSync(join(place, 'plugin.json'), 'utf8')) as Json;
    const schemas = example.schemas.map((file) => JSON.parse(readFileSync(join(place, file), 'utf8')) as Json);
    const what = mutations[kind]!({manifest, schemas, random});
    if (what === undefined) continue;
    writeFileSync(join(place, 'plugin.json'), JSON.stringify(manifest));
    for (const [index, file] of example.schemas.entries()) writeFileSync(join(place, file), JSON.stringify(schemas[index]));
    const catalogue = await PluginCatalogue.read({plugins: [place]});
    const problems = [
      ...(await select({catalogue})).problems,
      ...(await thoroughProblems(catalogue.plugins, catalogue.plugins, {naming, release: defaultReleaseOf(), importCode: example.hasCode})),
    ];
    const message = `${example.name}, ${kind}: ${what}`;
    if (problems.length === 0) t.fail(`accepted: ${message}`);
    for (const fault of problems)
      if (!/^plugin |nowhere|\//.test(problemText(fault))) t.fail(`a fault without a place: ${message}: ${problemText(fault)}`);
    found.set(kind, (found.get(kind) ?? 0) + 1);
    count++;
  }
  t.is(found.size, Object.keys(mutations).length, 'each kind was tried');
});
