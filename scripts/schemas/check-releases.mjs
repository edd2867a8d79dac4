// Compares the tables of the built-in types and of the feature gates with what each release of Kubernetes publishes of them.
//
//   node scripts/schemas/check-releases.mjs [--release 1.NN] [--verbose]
//
// releases/definitions.json has the published definitions of all releases (releases/README.md). The exit code is 1 for a difference that
// release-differences.mjs does not name, and for one named there that is gone.
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {gateTable} from '../../core/api/gates/gate-table.ts';
import {publishedDefinition, publishedName} from './published-definition.mjs';
import {definitionAtRelease, isAfter} from '../../core/api/schema/at-release.ts';
import {factsFolder, releases} from './facts.mjs';
import {makeDocuments} from './generate.mjs';
import {expectedDifferences} from './release-differences.mjs';

const definitionsFile = join(dirname(fileURLToPath(import.meta.url)), 'releases/definitions.json');

const gatesFile = join(dirname(fileURLToPath(import.meta.url)), 'releases/feature-gates.json');

/** The differences of the feature gates of a release: `GATE: KEYWORD`. Gates that newer lists have lost are in the table alone. */
export function* gateDifferencesOf(release, published, table) {
  for (const [name, steps] of Object.entries(published)) {
    const [ours, theirs] = [stepAt(table[name], release), stepAt(steps, release)];
    if (ours !== theirs) yield {place: `feature gate ${name}`, keyword: 'state', ours, theirs};
  }
  for (const [name, steps] of Object.entries(table)) {
    if (published[name] === undefined && !isAfter(endOf(steps), release) && stepAt(steps, release) !== 'gone')
      yield {place: `feature gate ${name}`, keyword: 'state', ours: stepAt(steps, release), theirs: undefined};
  }
}

/** What a gate is in a release: `beta on`. */
function stepAt(steps = '', release) {
  const step = steps.split(', ').findLast((text) => !isAfter(text.split(' ')[0], release));
  return step?.slice(step.indexOf(' ') + 1) || undefined;
}

/** The release that has a gate no more; the first one for a gate that never goes. */
function endOf(steps) {
  return steps.endsWith(' gone') ? steps.split(', ').at(-1).split(' ')[0] : '1.0';
}

/** What a release publishes of a type, or of a field (`''` is the type itself); undefined if it has none. */
function publishedAt(history, release) {
  const state = history?.findLast(([since]) => !isAfter(since, release));
  return state?.[1] ?? undefined;
}

/** The differences of a release: `TYPE FIELD: KEYWORD`, with both values. */
export function* differencesOf(release, published, documents) {
  for (const [id, document] of documents) {
    for (const [name, all] of Object.entries(document.definitions)) {
      const definition = definitionAtRelease(all, release);
      if (!definition) continue;
      const full = publishedName(id, name);
      const theirs = published[full];
      const type = publishedAt(theirs?.[''], release);
      // Published where something refers to it only.
      if (!type) continue;
      const ours = publishedDefinition(definition, {id, release});
      yield* compare(full, '', {required: sorted(ours.required)}, {required: sorted(type.required)});
      const fields = new Set([
        ...Object.keys(ours.properties),
        ...Object.keys(theirs).filter((field) => publishedAt(theirs[field], release)),
      ]);
      fields.delete('');
      for (const field of fields) {
        const [own, other] = [ours.properties[field], publishedAt(theirs[field], release)];
        if (!own || !other) yield {place: `${full} ${field}`, keyword: 'field', ours: own && 'there', theirs: other && 'there'};
        else yield* compare(full, field, own, other);
      }
    }
  }
}

function* compare(type, field, ours, theirs) {
  for (const keyword of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [own, other] = [ours[keyword], theirs[keyword]].map((value) => JSON.stringify(canonical(value, keyword)));
    if (own !== other) yield {place: field === '' ? type : `${type} ${field}`, keyword, ours: own, theirs: other};
  }
}

/** Members in one order; values of an enum each once. */
function canonical(value, keyword) {
  if (Array.isArray(value)) return keyword === 'enum' ? [...new Set(value)].sort() : value.map((item) => canonical(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, canonical(value[key], key)]),
  );
}

function sorted(names = []) {
  return names.length === 0 ? undefined : [...names].sort();
}

function main() {
  const {values} = parseArgs({options: {release: {type: 'string'}, verbose: {type: 'boolean', default: false}}});
  const published = JSON.parse(readFileSync(definitionsFile, 'utf8'));
  const gates = JSON.parse(readFileSync(gatesFile, 'utf8'));
  const unused = new Set(expectedDifferences);
  let unexpected = 0;
  let named = 0;
  const {documents} = makeDocuments(factsFolder, {codeDefaults: false});
  for (const release of values.release ? [values.release] : releases) {
    for (const {place, keyword, ours, theirs} of [
      ...differencesOf(release, published, documents),
      ...gateDifferencesOf(release, gates, gateTable),
    ]) {
      const expected = expectedDifferences.find((one) => one.matches(place, keyword, release));
      if (expected) unused.delete(expected);
      if (expected) named++;
      else unexpected++;
      if (!expected || values.verbose)
        console.log(`${release} ${place}: ${keyword} is ${ours}, published is ${theirs}${expected ? ` (${expected.reason})` : ''}`);
    }
  }
  if (!values.release)
    for (const {what, reason} of unused) console.log(`release-differences.mjs: nothing is different any more in ${what} (${reason})`);
  console.log(`releases: ${values.release ?? `${releases[0]} to ${releases.at(-1)}`}, ${unexpected} differences, ${named} with a reason`);
  if (unexpected > 0 || (!values.release && unused.size > 0)) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
