import test, {type ExecutionContext} from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {run} from '#bundle/core/cli/run.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const v1 = `{type: 'object', required: ['spec'], properties: {spec: {type: 'object', required: ['size'], properties: {size: {type: 'string', enum: ['small', 'large']}, doors: {type: 'integer', minimum: 1, maximum: 9}, note: {type: 'string', maxLength: 9}, since: {type: 'string', format: 'date-time'}, code: {type: 'string', pattern: '^[a-z]+-[0-9]$'}}}}}`;
const v2 = `{type: 'object', required: ['spec'], properties: {spec: {type: 'object', properties: {large: {type: 'boolean'}, doors: {type: 'array', items: {type: 'integer'}}, note: {type: 'string'}, since: {type: 'string'}, code: {type: 'string'}}}}}`;

/** A type with two versions whose converter keeps everything. */
const right = `create: (object, to) => {
  const {size, large, doors, ...spec} = object.spec;
  return to.version === 'v2'
    ? {...object, apiVersion: 'huts.example.com/v2', spec: {...spec, large: size === 'large', ...(doors === undefined ? {} : {doors: Array(doors).fill(1)})}}
    : {...object, apiVersion: 'huts.example.com/v1', spec: {...spec, size: large ? 'large' : 'small', ...(doors?.length > 0 ? {doors: Math.min(doors.length, 9)} : {})}};
}`;

/** What `orch plugins check` says of a type with these schemas and this converter. */
async function checked(t: ExecutionContext, convert: string | undefined, versions = [v1, v2]): Promise<{code: number; text: string}> {
  const folder = tempFolder(t);
  const strategy =
    convert === undefined
      ? ''
      : `strategy: ({inject}) => {
    const counter = inject(Tokens.Metrics).counter({name: 'huts_total', help: 'Huts.', stability: 'ALPHA'}).with();
    const {create} = {${convert}};
    return {convert: (object, to) => { counter.add(1); return create(object, to); }};
  },`;
  writeFileSync(
    join(folder, 'plugin.mjs'),
    `import {definePlugin, defineResource, Tokens} from '@orch-api/orch/sdk';
export default definePlugin({name: 'huts'}, [defineResource({
  group: 'huts.example.com', names: {plural: 'huts', singular: 'hut', kind: 'Hut'}, scope: 'Namespaced', ${strategy}
  versions: [${versions.map((schema, index) => `{name: 'v${index + 1}', storage: ${index === 0}, schema: ${schema}}`).join()}],
})]);
`,
  );
  let text = '';
  const write = (more: string) => (text += more);
  const code = await run(['plugins', 'check', './plugin.mjs'], {out: {write}, err: {write}, cwd: folder});
  return {code, text};
}

test('a conversion that keeps everything passes, whichever fields the generated objects have', async (t) => {
  const lossless = right.replace(
    'doors?.length > 0 ? {doors: Math.min(doors.length, 9)} : {}',
    'doors === undefined ? {} : {doors: doors.length}',
  );
  const oneWay = [
    v1,
    v2
      .replace(
        "doors: {type: 'array', items: {type: 'integer'}}",
        "doors: {type: 'array', minItems: 1, maxItems: 2, items: {type: 'integer', enum: [1]}}",
      )
      .replace('properties: {large', "required: ['large'], properties: {large"),
  ];
  t.deepEqual(await checked(t, lossless, oneWay), {code: 0, text: '1 plugin checked: huts\n'});
});

test('what a conversion loses is told with its path, for each pair of versions', async (t) => {
  const lossy = await checked(t, right.replace('const {size, large, doors, ...spec}', 'const {size, large, doors, note, ...spec}'));
  t.is(lossy.code, 1);
  t.regex(
    lossy.text,
    /plugin huts: a Hut of v1 that is converted to v2 and back loses spec\.note: "w\d+" becomes nothing \(generated with the seed \d+\) \(contributes\.resources\[0\]\.strategy/,
  );
  t.regex(lossy.text, /a Hut of v2 that is converted to v1 and back loses spec\./);
});

test('a converter that counts on a member that an object may lack is told', async (t) => {
  const {code, text} = await checked(t, right, [v1.replace("required: ['spec'], ", ''), v2]);
  t.is(code, 1);
  t.regex(text, /a Hut of v1 cannot be converted to v2 and back: Cannot destructure property 'size'/);
});

test('a conversion that throws is told, and so are fields that another version does not have', async (t) => {
  const throwing = await checked(t, `create: () => { throw new Error('not today'); }`);
  t.is(throwing.code, 1);
  t.regex(throwing.text, /a Hut of v1 cannot be converted to v2 and back: not today/);
  const fields = (more: string) => `{type: 'object', properties: {spec: {type: 'object', properties: {a: {type: 'string'}${more}}}}}`;
  t.is((await checked(t, undefined, [fields(''), fields('')])).code, 0);
  const lost = await checked(t, undefined, [fields(", b: {type: 'string'}"), fields('')]);
  t.is(lost.code, 1);
  t.regex(lost.text, /a Hut of v1 that is converted to v2 and back loses spec\.b: .* \(contributes\.resources\[0\]\.versions/);
});

test('a field that partial objects gain on their way there and back is told', async (t) => {
  const convert = `create: ({spec, ...object}, {version}) => version === 'v2'
    ? {...object, apiVersion: 'huts.example.com/v2', spec: {hours: (spec.first ?? '') + '-' + (spec.last ?? '')}}
    : {...object, apiVersion: 'huts.example.com/v1', spec: {first: spec.hours.split('-')[0], last: spec.hours.split('-')[1]}}`;
  const times = `{type: 'object', required: ['spec'], properties: {spec: {type: 'object', properties: {first: {type: 'string'}, last: {type: 'string'}}}}}`;
  const hours = `{type: 'object', required: ['spec'], properties: {spec: {type: 'object', required: ['hours'], properties: {hours: {type: 'string', pattern: '^mo-fr$'}}}}}`;
  const {code, text} = await checked(t, convert, [times, hours]);
  t.is(code, 1, text);
  t.regex(text, /a Hut of v1 that is converted to v2 and back gains spec\.(?:first|last): ""/);
});
