// Turns our own JSON schemas into validator modules beside the compiled code, so that a start pays neither for
// loading ajv nor for compiling (about 100 ms). Called by scripts/build.mjs.
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** Schema in the source tree → validator in the output. */
const schemas = [
  ['plugin.schema.json', 'core/kernel/schema/manifest.validator.cjs'],
  ['schema-file.schema.json', 'core/plugin-checks/schema-file.validator.cjs'],
  ['core/options/configuration.schema.json', 'core/options/configuration.validator.cjs'],
];

/** Writes the validators that are missing or made from another text. */
export async function compileSchemas(root, out) {
  for (const [from, to] of schemas) {
    const text = readFileSync(join(root, from), 'utf8');
    const file = join(out, to);
    // The schema's own text stands in front: it is what the validator is compared with.
    const head = `// ${JSON.stringify(text)}\n`;
    if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) continue;
    const [{Ajv}, {default: standalone}] = await Promise.all([import('ajv'), import('ajv/dist/standalone/index.js')]);
    const ajv = new Ajv({
      allErrors: true,
      verbose: true,
      strict: true,
      strictRequired: false,
      allowUnionTypes: true,
      inlineRefs: false,
      code: {source: true},
    });
    const code = (standalone.default ?? standalone)(ajv, ajv.compile(JSON.parse(text)));
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, head + code);
  }
}
