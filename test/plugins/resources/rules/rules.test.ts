import {readFileSync} from 'node:fs';
import test from 'ava';
import type {TestResponse} from '@orch-api/orch/testing';
import {causesOf, servedGroup} from '../served-group.js';

/** A rule, as something that keeps or breaks it. */
interface RuleCase {
  readonly kind: string;
  /** What is sent, or what is stored before it is changed; a name is added where it has none. */
  readonly object: {readonly metadata?: {readonly name?: string}};
  /** A JSON merge patch to the stored object. */
  readonly change?: object;
  readonly subresource?: string;
  /** Every fault, as `PATH: BODY` or the beginning of it, in any order; none where it is accepted. */
  readonly faults: readonly string[];
  /** Texts of all warnings, where they matter. */
  readonly warnings?: readonly string[];
  /** A value of the answer, where it matters: the path to it, and what it is. */
  readonly result?: readonly [readonly (string | number)[], unknown];
  /** What the case is a regression test of. */
}

interface RuleTable {
  /** Collections by kind. */
  readonly paths: Readonly<Record<string, string>>;
  readonly cases: readonly RuleCase[];
}

const tables = [
  'access',
  'admission',
  'batch',
  'claims',
  'core',
  'flow-control',
  'networking',
  'pods',
  'scaling',
  'services',
  'storage',
  'workloads',
];
const client = servedGroup(test, {runtimeConfig: ['api/all=true'], disableAdmissionPlugins: ['ServiceAccount']});
const titles = new Map<string, number>();

for (const table of tables) {
  const {paths, cases} = JSON.parse(readFileSync(new URL(`${table}.json`, import.meta.url), 'utf8')) as RuleTable;
  for (const [index, rule] of cases.entries()) {
    test(titleOf(rule), async (t) => {
      const response = await send(rule, paths[rule.kind]!, `${table}-${index}`);
      const found = response.status === 422 ? causesOf(response) : [];
      if (rule.faults.length === 0) t.true(response.status === 200 || response.status === 201, response.body.toString());
      for (const fault of rule.faults) t.is(take(found, fault), fault, found.join('\n'));
      t.deepEqual(found, []);
      if (rule.warnings) t.deepEqual(warningsOf(response), rule.warnings);
      if (rule.result) t.deepEqual(valueAt(response.json(), rule.result[0]), rule.result[1]);
    });
  }
}

/** Nothing but the objects that are changed is stored. */
async function send({object, change, subresource}: RuleCase, path: string, ownName: string) {
  const body = {...object, metadata: {name: ownName, ...object.metadata}};
  if (!change) return client().post(`${path}?dryRun=All`, body);
  const made = await client().post(path, body);
  if (made.status !== 201) throw new Error(made.body.toString());
  return client().patch(`${path}/${body.metadata.name}${subresource ? `/${subresource}` : ''}?dryRun=All`, change);
}

/** Takes the fault that begins with a text out of a list. Answers that text, or undefined when there is no such fault. */
function take(found: string[], beginning: string): string | undefined {
  const place = found.findIndex((fault) => fault.startsWith(beginning));
  if (place < 0) return undefined;
  found.splice(place, 1);
  return beginning;
}

function valueAt(object: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], object);
}

/** The texts of all `Warning` headers. */
function warningsOf({headers}: TestResponse): string[] {
  return [headers['warning'] ?? []]
    .flat()
    .flatMap((header) => [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)])
    .map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}

function titleOf({kind, object, change, subresource, faults}: RuleCase): string {
  const what = `${change ? `a change of the ${subresource ?? 'main part'} of a stored` : 'a new'} ${kind}`;
  const which = faults.length > 0 ? `is refused with ${faults.join('; ')}` : `is accepted with ${JSON.stringify(change ?? object)}`;
  const title = `${what} ${which}`.slice(0, 180);
  const times = (titles.get(title) ?? 0) + 1;
  titles.set(title, times);
  return times === 1 ? title : `${title} (${times})`;
}
