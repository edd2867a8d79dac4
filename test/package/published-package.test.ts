import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv} from 'ajv';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {runScript} from '../helpers/run-script.js';

const always = ['command', 'library', 'examples'];
/** New plugins in both languages; `npm run try-package` tries all kinds. */
const tried = ['new controller typescript', 'new store javascript', 'new server typescript'];

/** Half a minute where nothing else runs. */
const limitMillis = 580_000;

test('the packed package is complete, small, without tests and without Node, and it, new plugins and the examples work outside of the repository', async (t) => {
  t.timeout(limitMillis + 10_000);
  const {code, output} = await runScript('try-package.mjs', ['--linked', ...[...always, ...tried].flatMap((name) => ['--only', name])], {
    timeout: limitMillis,
  });
  t.is(code, 0, output);
  t.regex(output, /0 faults in the package/);
  t.regex(output, /ok {3}command/);
  t.regex(output, /ok {3}library/);
  t.regex(output, /ok {3}examples/);
  for (const scaffold of tried) t.true(output.includes(`ok   ${scaffold}`), scaffold);
});

test('npm pack builds first, from a clean clone too', (t) => {
  const {scripts, files} = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
    files: string[];
  };
  t.regex(scripts['prepack']!, /setup\.sh.*build\.mjs/);
  t.false(files.some((file) => /\btests?\b/.test(file)));
});

test('the published schema of schema files accepts those of the built-in plugins and examples, and refuses misspelled keywords', (t) => {
  const root = projectRoot();
  const schema = JSON.parse(readFileSync(join(root, 'schema-file.schema.json'), 'utf8')) as object;
  const validate = new Ajv({strict: true, allowUnionTypes: true, allErrors: true}).compile(schema);
  const files = globSync('{plugins,examples}/**/*.schema.json', {cwd: root});
  t.true(files.length > 30);
  for (const file of files)
    t.true(validate(JSON.parse(readFileSync(join(root, file), 'utf8'))), `${file}: ${JSON.stringify(validate.errors)}`);
  for (const wrong of [{propertys: {}}, {type: 'objekt'}, {minimum: '1'}, {'x-kubernetes-validations': [{rule: ''}]}]) {
    t.false(validate({definitions: {Widget: {type: 'object', properties: {spec: wrong}}}}), JSON.stringify(wrong));
  }
});
