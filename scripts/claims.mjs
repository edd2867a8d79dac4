// Which claims have a test: docs/semantics/claims numbers what the server promises, and a test names those claims that it proves in its title,
// in brackets: `[A-RV-3] …`.
//
//   node scripts/claims.mjs [--claims FOLDER] [--area NAME,…] [--require NAME,…] [--verbose]
//   node scripts/claims.mjs --update      writes docs/semantics/tests.md, which leads from each page to its tests
import './require-node.mjs';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {parseSync, Visitor} from 'oxc-parser';
import {testIndex} from './claims-index.mjs';
import {filesBelow} from './source-files.mjs';

const idsInText = /\[([A-Z]+(?:-[A-Z0-9]+)*-\d+)\]/g;
const claimRow = /^\|\s*([A-Z]+(?:-[A-Z0-9]+)*-\d+)\s*\|\s*(.*?)\s*\|\s*([a-z0-9-]+)\s*\|\s*$/;

/** Rows of the pages of a folder: id → {text, area, page, section}. Throws when an id stands twice. */
function readClaims(folder) {
  const claims = new Map();
  for (const page of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
    let section = '';
    readFileSync(join(folder, page), 'utf8')
      .split('\n')
      .forEach((line, index) => {
        section = /^## (.*)$/.exec(line)?.[1] ?? section;
        const [, id, text, area] = claimRow.exec(line) ?? [];
        if (!id) return;
        if (claims.has(id)) throw new Error(`${page}:${index + 1}: ${id} stands twice`);
        claims.set(id, {text, area, page, section});
      });
  }
  return claims;
}

/** All literal text inside an expression, and whether there is anything in it that is no literal. */
function literalText(node) {
  if (node.type === 'Literal') return {text: String(node.value), whole: true};
  if (node.type === 'TemplateLiteral') {
    return {text: node.quasis.map((part) => part.value.cooked).join(' '), whole: node.expressions.length === 0};
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [literalText(node.left), literalText(node.right)];
    return {text: `${left.text}${right.text}`, whole: left.whole && right.whole};
  }
  return {text: '', whole: false};
}

/** `test.serial.skip` → ['test', 'serial', 'skip'], and `where('tool')` → ['where']; undefined when it is not a plain chain of names. */
function chainOf(node) {
  if (node.type === 'CallExpression') return chainOf(node.callee);
  if (node.type === 'Identifier') return [node.name];
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const object = chainOf(node.object);
  return object && [...object, node.property.name];
}

/**
 * Ids in the titles of a test file. A title is the first argument of any call that begins with text; tests that are skipped
 * or only planned prove nothing. Where a title is put together from parts (a table of cases, a suite for several
 * implementations), its ids stand elsewhere in the file: then all its texts count.
 */
export function idsIn(path, source) {
  const {program, errors} = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const ids = new Set();
  const idle = new Set();
  const texts = [];
  let assembled = false;
  const take = (text, into) => {
    for (const [, id] of text.matchAll(idsInText)) into.add(id);
  };
  new Visitor({
    CallExpression(node) {
      const chain = chainOf(node.callee);
      const title = node.arguments[0];
      if (!chain || !title || (node.arguments.length < 2 && !chain.includes('todo'))) return;
      const {text, whole} = literalText(title);
      const isTest = /test$/i.test(chain[0]);
      if (isTest && (chain.includes('skip') || chain.includes('todo'))) take(text, idle);
      else if (text !== '') take(text, ids);
      if (isTest && !whole && chain.every((name) => !/^(?:before|after|teardown)/.test(name)) && title.type !== 'ArrowFunctionExpression')
        assembled = true;
    },
    // Tables of cases stand beside the tests that go through them.
    Property(node) {
      if (!node.computed && node.key.name === 'title') take(literalText(node.value).text, ids);
    },
    Literal(node) {
      if (typeof node.value === 'string') texts.push(node.value);
    },
    TemplateElement(node) {
      texts.push(node.value.cooked ?? '');
    },
  }).visit(program);
  if (assembled) {
    const everywhere = new Set();
    for (const text of texts) take(text, everywhere);
    for (const id of everywhere) if (!idle.has(id)) ids.add(id);
  }
  return ids;
}

const {values} = parseArgs({
  options: {
    root: {type: 'string', default: resolve(dirname(fileURLToPath(import.meta.url)), '..')},
    claims: {type: 'string'},
    area: {type: 'string'},
    require: {type: 'string'},
    verbose: {type: 'boolean', default: false},
    update: {type: 'boolean', default: false},
    help: {type: 'boolean', default: false},
  },
});
if (values.help) {
  console.log(
    'npm run claims -- [--claims FOLDER] [--area NAME,…] [--require NAME,…] [--verbose] [--update]\n\nCounts the claims of docs/semantics/claims that tests name in their titles, by area.',
  );
  process.exit(0);
}
const root = resolve(values.root);
const folder = values.claims ? resolve(values.claims) : join(root, 'docs/semantics/claims');
const list = (text) =>
  text
    ? text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)
    : [];

function main() {
  const claims = readClaims(folder);
  const areas = new Map();
  for (const [id, {area}] of claims) areas.set(area, [...(areas.get(area) ?? []), id]);
  const wanted = list(values.area);
  const required = list(values.require);
  const unknownAreas = [...wanted, ...required].filter((area) => !areas.has(area));
  if (unknownAreas.length > 0) {
    console.log(`No claim has the area ${unknownAreas.join(', ')}. Areas: ${[...areas.keys()].sort().join(', ')}`);
    return 1;
  }

  const proven = new Set();
  const unknown = [];
  const idsOf = new Map();
  for (const path of filesBelow(root, /\.ts$/).filter((file) => /^(?:test|rigs)\//.test(file))) {
    const ids = idsIn(path, readFileSync(join(root, path), 'utf8'));
    idsOf.set(path, ids);
    for (const id of ids) {
      if (claims.has(id)) proven.add(id);
      else unknown.push(`${path}: the title of a test names ${id}, which is no claim`);
    }
  }

  const shown = [...areas.keys()].sort().filter((area) => wanted.length === 0 || wanted.includes(area));
  const row = (name, all, done) =>
    `${name.padEnd(16)} ${String(all).padStart(6)} ${String(done).padStart(7)} ${String(all - done).padStart(8)}`;
  console.log(`${'area'.padEnd(16)} ${'claims'.padStart(6)} ${'proven'.padStart(7)} ${'no test'.padStart(8)}`);
  let all = 0;
  let done = 0;
  const openIn = (area) => areas.get(area).filter((id) => !proven.has(id));
  for (const area of shown) {
    const open = openIn(area);
    const total = areas.get(area).length;
    console.log(row(area, total, total - open.length));
    all += total;
    done += total - open.length;
  }
  console.log(row('total', all, done));
  for (const area of shown) {
    const open = openIn(area);
    if (open.length === 0) continue;
    if (!values.verbose) {
      console.log(`\n${area}: ${open.join(' ')}`);
      continue;
    }
    console.log(`\n${area}:`);
    for (const id of open) console.log(`  ${id}  ${claims.get(id).text}`);
  }
  for (const line of unknown) console.log(`\n${line}`);
  const missing = required.filter((area) => openIn(area).length > 0);
  for (const area of missing) console.log(`\n${area}: ${openIn(area).length} claims have no test: ${openIn(area).join(' ')}`);
  const stale = isStale(claims, idsOf);
  if (stale) console.log('\ndocs/semantics/tests.md is not what the titles of tests say; npm run claims -- --update writes it');
  return unknown.length > 0 || missing.length > 0 || stale ? 1 : 0;
}

/** Compares the index of tests with the titles, or writes it. Claims of another folder have none. */
function isStale(claims, idsOf) {
  if (values.claims) return false;
  const file = join(root, 'docs/semantics/tests.md');
  const text = testIndex(claims, idsOf);
  if (values.update) writeFileSync(file, text);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
}

process.exitCode = main();
