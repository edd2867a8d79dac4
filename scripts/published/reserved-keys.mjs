// The keys that the platform's code gives a meaning: annotations, labels, types of secrets. They are read from the sources, where
// they stand in the neutral form (`storageclass.orch/is-default-class`).
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseSync, Visitor} from 'oxc-parser';
import {filesBelow} from '../source-files.mjs';
import {sorted} from './schema-fields.mjs';

/** Where keys are given a meaning; tables of names and the command line know others. */
const sources = ['plugins', 'core/api/apply', 'core/registry', 'core/storage', 'core/http'];
const keyForm = /^(?:(?:[a-z0-9-]+\.)*orch|(?:[a-z0-9-]+\.)+kubernetes\.io)\/(?!v\d)[A-Za-z][\w.-]*\/?$/;

const constant = /^(?:export )?const (\w+) = '([^']*)';$/gm;

/** Key → the groups of the plugins that know it, as one text; `*` for what belongs to no group. Alpha keys are left out. */
export function reservedKeys(root) {
  const files = sources
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesBelow(join(root, folder), /\.ts$/).map((path) => `${folder}/${path}`))
    .map((path) => ({path, text: readFileSync(join(root, path), 'utf8')}));
  const constants = new Map(files.flatMap(({text}) => [...text.matchAll(constant)].map(([, name, value]) => [name, value])));
  const keys = new Map();
  for (const {path, text} of files) {
    const groups = groupsOf(root, path);
    for (const key of keysOf(path, text, constants)) {
      if (!key.split('/')[0].includes('alpha')) keys.set(key, new Set([...(keys.get(key) ?? []), ...groups]));
    }
  }
  return sorted(Object.fromEntries([...keys].map(([key, groups]) => [key, groups.has('*') ? '*' : [...groups].sort().join(' ')])));
}

function keysOf(path, text, constants) {
  if (!text.includes('orch') && !text.includes('kubernetes.io') && !text.includes('naming')) return [];
  const keys = new Set();
  new Visitor({
    Literal({value}) {
      if (typeof value === 'string' && keyForm.test(value)) keys.add(value);
    },
    CallExpression({callee, arguments: [argument]}) {
      const called = callee.type === 'MemberExpression' && callee.property.name === 'key';
      if (!called || !/(?:^|\.|#)naming$/.test(text.slice(callee.object.start, callee.object.end))) return;
      const key = textOf(argument, constants);
      if (key !== undefined) keys.add(key);
    },
  }).visit(parseSync(path, text).program);
  return keys;
}

/** What a literal or a template of constants says; undefined for anything else. */
function textOf(node, constants) {
  if (node?.type === 'Literal') return node.value;
  if (node?.type !== 'TemplateLiteral') return undefined;
  const values = node.expressions.map((expression) => (expression.type === 'Identifier' ? constants.get(expression.name) : undefined));
  if (values.includes(undefined)) return undefined;
  return node.quasis.map((quasi, index) => quasi.value.cooked + (values[index] ?? '')).join('');
}

function groupsOf(root, path) {
  const manifest = join(root, ...path.split('/').slice(0, 3), 'plugin.json');
  if (!path.startsWith('plugins/') || !existsSync(manifest)) return ['*'];
  const groups = (JSON.parse(readFileSync(manifest, 'utf8')).contributes?.resources ?? []).map(({group}) =>
    group === '' ? 'core' : group,
  );
  return groups.length === 0 ? ['*'] : groups;
}
